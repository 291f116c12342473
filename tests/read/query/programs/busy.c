/* SPDX-License-Identifier: Apache-2.0 */
/*
 * busy.c - a little of everything that a query can ask for: threads, a forked child, deep and
 * mutual recursion, tail calls, longjmp, a signal on a stack of its own, and a
 * function that gets an odd name.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define CALLED __attribute__((noinline, noipa))

static jmp_buf out;

CALLED int leaf(int n)
{
	return n + 1;
}

CALLED int last(int n)
{
	return leaf(n) * 2;
}

CALLED int jumps(int n)
{
	return last(n + 1);
}

CALLED int fib(int n)
{
	return n < 2 ? leaf(n) : fib(n - 1) + fib(n - 2);
}

CALLED int deep(int n)
{
	return n ? deep(n - 1) + 1 : fib(10);
}

CALLED void leaps(int n)
{
	if (!n)
		longjmp(out, 1);
	leaps(n - 1);
	leaf(n);
}

/* run.py gives it another name of the same length. */
CALLED int name_to_be_patched(int n)
{
	return leaf(n);
}

CALLED void on_signal(int sig)
{
	leaf(sig);
}

CALLED void *work(void *arg)
{
	int n = *(int *)arg;
	for (int i = 0; i < 20; i++) {
		fib(n);
		jumps(i);
	}
	return arg;
}

static void use_signal_stack(void)
{
	stack_t stack = { .ss_sp = malloc(1 << 16), .ss_size = 1 << 16 };
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_ONSTACK };
	sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
}

int main(int argc, char **argv)
{
	int sizes[3], status, size = argc > 1 ? atoi(argv[1]) : 15;
	pthread_t threads[3];

	use_signal_stack();
	for (int i = 0; i < 3; i++) {
		sizes[i] = size - i;
		pthread_create(&threads[i], NULL, work, &sizes[i]);
	}
	if (!setjmp(out))
		leaps(20);
	deep(3000);
	name_to_be_patched(1);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	if (!fork()) {
		fib(size);
		_exit(3);
	}
	wait(&status);
	work(&sizes[1]);
	return 0;
}
