// SPDX-License-Identifier: Apache-2.0
/*
 * System calls that are not made by libc become SIGSYS, as in Wine: dispatched HOW ROUNDS MS. HOW:
 * prctl, syscall (to set it by), refused (it is asked for in a way that the kernel refuses). Without
 * ROUNDS: until its input ends, MS from one to the next. Prints whether just its own system calls were dispatched, one a round.
 */
#define _GNU_SOURCE
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

enum { SET_DISPATCH = 59, ON = 1, BLOCK = 1, OWN_CALL = 4242, ANSWER = 17 };

static volatile char selector;
static volatile int nr_own, nr_foreign;
static unsigned long libc_start, libc_size;

static int find_libc(struct dl_phdr_info *info, size_t size, void *ctx)
{
	(void)size;
	(void)ctx;
	for (int i = 0; strstr(info->dlpi_name, "libc.") && i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X) {
			libc_start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
			libc_size = info->dlpi_phdr[i].p_memsz;
		}
	return 0;
}

static void on_sigsys(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	greg_t *rax = &((ucontext_t *)context)->uc_mcontext.gregs[REG_RAX];
	selector = 0;
	if (info->si_syscall == OWN_CALL)
		nr_own++;
	else
		nr_foreign++;
	*rax = ANSWER;
	selector = BLOCK;
}

__attribute__((noinline)) static long own_call(void)
{
	long ret;
	__asm__ volatile("syscall" : "=a"(ret) : "a"(OWN_CALL) : "rcx", "r11", "memory");
	return ret;
}

__attribute__((noinline)) int leaf(int x)
{
	__asm__ volatile("");
	return x * 3 + 1;
}

__attribute__((noinline)) int dig(int n)
{
	__asm__ volatile("");
	return n ? dig(n - 1) + leaf(n) : 0;
}

static void *in_thread(void *of)
{
	*(int *)of += dig(10);
	return NULL;
}

static int set_dispatch(const char *how)
{
	long mode = strcmp(how, "refused") ? ON : ON + 40;
	if (!strcmp(how, "syscall"))
		return (int)syscall(SYS_prctl, SET_DISPATCH, mode, libc_start, libc_size, &selector);
	return prctl(SET_DISPATCH, mode, libc_start, libc_size, &selector);
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_sigaction = on_sigsys, .sa_flags = SA_SIGINFO };
	int rounds = argc > 2 ? atoi(argv[2]) : 0, ms = argc > 3 ? atoi(argv[3]) : 0;
	int nr_wrong = 0, sum = 0, i;
	struct pollfd input = { 0, POLLIN, 0 };
	pthread_t thread;
	sigaction(SIGSYS, &action, NULL);
	dl_iterate_phdr(find_libc, NULL);
	int is_on = !set_dispatch(argv[1]);
	puts(is_on ? "ready" : "refused");
	fflush(stdout);
	selector = BLOCK;
	for (i = 0; rounds ? i < rounds : !poll(&input, 1, ms); i++) {
		nr_wrong += dig(400) != 241000;
		if (is_on)
			nr_wrong += own_call() != ANSWER;
	}
	pthread_create(&thread, NULL, in_thread, &sum);
	pthread_join(thread, NULL);
	int status, child = fork();
	if (!child)
		_exit(dig(3));
	waitpid(child, &status, 0);
	selector = 0;
	printf("%d missed, %d of others, %d wrong, thread %d, child %d\n", is_on * i - nr_own,
	       nr_foreign, nr_wrong, sum, status);
	return 0;
}
