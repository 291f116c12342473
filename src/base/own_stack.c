/* SPDX-License-Identifier: Apache-2.0 */
/* own_stack.c - runs a function on a mapped stack, and enlarges the stacks of threads. */
#include "base/own_stack.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>

enum {
	ENOUGH = 2 << 20,
	SIZE = 8 << 20, /* as most systems give it; pages that are not touched cost nothing */
};

static bool is_enough(void)
{
	struct rlimit limit;
	return getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur >= ENOUGH;
}

/* glibc makes threads' as large as the limit was when it began. */
static void enlarge_threads(void)
{
	pthread_attr_t attr;
	if (pthread_attr_init(&attr))
		return;
	if (!pthread_attr_setstacksize(&attr, SIZE))
		pthread_setattr_default_np(&attr);
	pthread_attr_destroy(&attr);
}

static struct {
	int (*fn)(int argc, char **argv);
	int argc, ret;
	char **argv;
	ucontext_t here, there;
} call; /* makecontext() passes integers alone */

static void do_call(void)
{
	call.ret = call.fn(call.argc, call.argv);
	/* What it has blocked stays blocked: a signal that waits would end the process now. */
	sigprocmask(SIG_BLOCK, NULL, &call.here.uc_sigmask);
}

int fc_own_stack_call(int (*fn)(int argc, char **argv), int argc, char **argv)
{
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
	char *stack = is_enough() ? MAP_FAILED
				  : mmap(NULL, SIZE, PROT_READ | PROT_WRITE, flags, -1, 0);
	if (stack == MAP_FAILED || getcontext(&call.there))
		return fn(argc, argv);
	enlarge_threads();
	mprotect(stack, 4096, PROT_NONE);
	call.fn = fn;
	call.argc = argc;
	call.argv = argv;
	call.there.uc_stack.ss_sp = stack;
	call.there.uc_stack.ss_size = SIZE;
	call.there.uc_link = &call.here;
	makecontext(&call.there, do_call, 0);
	swapcontext(&call.here, &call.there);
	return call.ret;
}
