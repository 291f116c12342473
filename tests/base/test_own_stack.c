/* SPDX-License-Identifier: Apache-2.0 */
/* Where the process' stack is limited, what is called has one that is large enough, and so have its threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/own_stack.h"

enum { LARGE = 1 << 20, STATUS = 7 };

static __attribute__((noinline)) void use_much(void)
{
	volatile char room[LARGE];
	for (size_t i = 0; i < sizeof(room); i += 1024)
		room[i] = 1;
}

static void *of_thread(void *arg)
{
	use_much();
	return arg;
}

static int deep(int argc, char **argv)
{
	pthread_t thread;
	void *ret = NULL;
	sigset_t one;
	use_much();
	pthread_create(&thread, NULL, of_thread, argv);
	pthread_join(thread, &ret);
	sigemptyset(&one);
	sigaddset(&one, SIGUSR1);
	sigprocmask(SIG_BLOCK, &one, NULL);
	raise(SIGUSR1); /* it stays blocked, and waits */
	return ret == argv ? argc : 0;
}

static int status_under(rlim_t limit)
{
	int status = -1, pid = fork();
	if (!pid) {
		struct rlimit small = { limit, limit }, after;
		char *argv[] = { NULL };
		setrlimit(RLIMIT_STACK, &small);
		int ret = fc_own_stack_call(deep, STATUS, argv);
		getrlimit(RLIMIT_STACK, &after);
		_exit(after.rlim_cur == limit ? ret : 0);
	}
	waitpid(pid, &status, 0);
	return status;
}

static void a_small_limit_is_no_limit_for_what_is_called(void **state)
{
	assert_int_equal(status_under(64 << 10), STATUS << 8);
	assert_int_equal(status_under(256 << 10), STATUS << 8);
	assert_int_equal(status_under(8 << 20), STATUS << 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_small_limit_is_no_limit_for_what_is_called),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
