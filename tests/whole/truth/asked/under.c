/* SPDX-License-Identifier: Apache-2.0 */
/*
 * f is called in all the ways there are, left in all the ways there are, and interrupted. What
 * set_up() and tidy() call, nothing else does; what f calls, others call too.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define FUNC __attribute__((noinline, noclone, used)) static

static volatile int sum;
static jmp_buf way_out;

FUNC void leaf(int x)
{
	sum += x;
}

FUNC void shared(int x)
{
	leaf(x);
	leaf(x + 1);
}

FUNC void only_set_up(int x)
{
	sum ^= x;
}

FUNC void set_up(int x)
{
	only_set_up(x);
	shared(x);
	only_set_up(x + 1);
}

FUNC void only_tidy(int x)
{
	sum -= x;
	leaf(1);
}

FUNC void tidy(int x)
{
	only_tidy(x);
	only_tidy(x);
}

/* Called by pointers only. */
FUNC void by_pointer(int x)
{
	shared(x);
}

static void (*volatile pointer)(int x) = by_pointer;

FUNC int compare(const void *a, const void *b)
{
	leaf(0);
	return *(const int *)a - *(const int *)b;
}

FUNC void handler(int sig)
{
	leaf(sig);
}

FUNC void jump(int how)
{
	leaf(how);
	if (how)
		longjmp(way_out, 1);
}

/* Left by a tail call. */
FUNC void f_then_shared(int x)
{
	leaf(x);
	__asm__ volatile("");
	return shared(x);
}

FUNC void f(int depth, int how)
{
	int words[] = { 3, 1, 2 };
	leaf(depth);
	if (depth) {
		f(depth - 1, how);
		sum++;
		return;
	}
	qsort(words, 3, sizeof(words[0]), compare);
	pointer(words[0]);
	raise(SIGUSR1);
	jump(how);
	shared(1);
}

/* Enters f by a tail call. */
FUNC void to_f(int how)
{
	leaf(7);
	return f(0, how);
}

FUNC void *thread(void *arg)
{
	shared(2);
	f(1, 0);
	shared(3);
	return arg;
}

FUNC void with_thread(void)
{
	pthread_t id;
	pthread_create(&id, NULL, thread, NULL);
	pthread_join(id, NULL);
}

FUNC void f_forks(void)
{
	leaf(1);
	pid_t pid = fork();
	if (!pid) {
		shared(4);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	shared(5);
}

FUNC void out_of_f(int how)
{
	if (!setjmp(way_out))
		f(2, how);
	shared(6);
}

static ucontext_t outside, inside;
static char stack[64 * 1024];

FUNC void fibre(void)
{
	shared(8);
	swapcontext(&inside, &outside);
	f(0, 0);
	shared(9);
}

FUNC void f_switches(void)
{
	swapcontext(&outside, &inside);
	leaf(3);
	swapcontext(&outside, &inside);
}

int main(void)
{
	signal(SIGUSR1, handler);
	set_up(1);
	for (int i = 0; i < 3; i++) {
		f(i, 0);
		raise(SIGUSR1);
		out_of_f(i & 1);
		to_f(0);
		f_then_shared(i);
		shared(i);
	}
	with_thread();
	f_forks();
	getcontext(&inside);
	inside.uc_stack.ss_sp = stack;
	inside.uc_stack.ss_size = sizeof(stack);
	inside.uc_link = &outside;
	makecontext(&inside, fibre, 0);
	f_switches();
	tidy(1);
	printf("%d\n", sum);
	return 0;
}
