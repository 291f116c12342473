// SPDX-License-Identifier: Apache-2.0
/*
 * Leaves calls by longjmp all the time. At SIGUSR2 a handler makes calls on a stack in the heap,
 * and a thread with such a stack does so and ends: then this is said. SIGUSR1 ends it.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STACK_SIZE = 64 << 10 };

static volatile sig_atomic_t is_over, nr_signals, is_wrong;
static volatile long calls;

__attribute__((noinline)) static int fib(int n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

__attribute__((noinline)) static void deep(int n, jmp_buf *back)
{
	if (n < 0)
		return;
	if (!n)
		longjmp(*back, 1);
	deep(n - 1, back);
	calls++;
}

static void on_signal(int sig)
{
	if (fib(10) != 55)
		is_wrong = 1;
	nr_signals += sig == SIGUSR2;
}

static void on_end(int sig)
{
	(void)sig;
	is_over = 1;
}

static void *take_stack(void)
{
	stack_t stack = { .ss_sp = malloc(STACK_SIZE), .ss_size = STACK_SIZE };
	if (!stack.ss_sp || sigaltstack(&stack, NULL))
		abort();
	return stack.ss_sp;
}

static void *have_a_signal(void *arg)
{
	void *stack = take_stack();
	raise(SIGWINCH);
	sigaltstack(&(stack_t){ .ss_flags = SS_DISABLE }, NULL);
	free(stack);
	return arg;
}

/*
 * What deep() has left below main()'s frame is gone: the C library copies memory that nobody has written to
 * by registers, which are then saved on the thread's stacks, and such words are taken for copies of frames.
 */
__attribute__((noinline)) static void wipe(void)
{
	volatile char room[16 << 10];
	for (size_t i = 0; i < sizeof(room); i++)
		room[i] = 0;
}

static void tell_of_signal(void)
{
	pthread_t thread;
	wipe();
	if (pthread_create(&thread, NULL, have_a_signal, NULL))
		abort();
	pthread_join(thread, NULL);
	puts("signal");
	fflush(stdout);
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_signal,
				    .sa_flags = SA_ONSTACK | SA_RESTART };
	sigaction(SIGUSR2, &action, NULL);
	sigaction(SIGWINCH, &action, NULL);
	signal(SIGUSR1, on_end);
	take_stack();
	puts("ready");
	fflush(stdout);
	int nr_told = 0;
	for (int i = 0; !is_over; i++) {
		jmp_buf back;
		if (!setjmp(back))
			deep(5 + i % 40, &back);
		if (nr_told < nr_signals) {
			nr_told++;
			tell_of_signal();
		}
	}
	return is_wrong ? 1 : 3;
}
