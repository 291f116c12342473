/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads whose stacks lie within the frame of main(), which goes on below them meanwhile: made by
 * libc, and by clone() with the thread pointer of their maker. With HAS_STORAGE, musl keeps a
 * thread's local storage and descriptor elsewhere.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include "truth.h"

enum { STACK_SIZE = 256 * 1024 };

#ifdef HAS_STORAGE
static __thread volatile char storage[8192];
#define TOUCH (void)(storage[0] = 1)
#else
#define TOUCH (void)0
#endif

static volatile int nr_ready, thread_is_there;

FN int work(int n)
{
	ENTER;
	int r = n ? work(n - 1) + n : 0;
	LEAVE;
	return r;
}

/* Both are in the middle of their calls at once, time and again. */
FN int beside(int n)
{
	ENTER;
	int r = 0;
	for (int i = 0; i < 50; i++) {
		r += work(n + i % 3);
		__atomic_fetch_add(&nr_ready, 1, __ATOMIC_SEQ_CST);
		while (nr_ready < 2 * (i + 1))
			;
		r += work(n);
	}
	LEAVE;
	return r;
}

FN void *in_thread(void *arg)
{
	ENTER;
	TOUCH;
	*(int *)arg += beside(4);
	LEAVE;
	return NULL;
}

FN int in_clone(void *arg)
{
	ENTER;
	*(int *)arg += beside(3);
	LEAVE;
	return 0;
}

FN int main(void)
{
	char stacks[2][STACK_SIZE] __attribute__((aligned(4096)));
	enum {
		FLAGS = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
			CLONE_SYSVSEM | CLONE_CHILD_CLEARTID | CLONE_PARENT_SETTID
	};
	int theirs = 0, mine = 0;
	pthread_attr_t attr;
	pthread_t thread;

	ENTER;
	pthread_attr_init(&attr);
	pthread_attr_setstack(&attr, stacks[0], STACK_SIZE);
	pthread_create(&thread, &attr, in_thread, &theirs);
	mine += beside(5);
	pthread_join(thread, NULL);
	nr_ready = 0;
	thread_is_there = 1;
	clone(in_clone, stacks[1] + STACK_SIZE, FLAGS, &theirs, &thread_is_there, NULL,
	      &thread_is_there);
	mine += beside(2);
	while (thread_is_there)
		sched_yield();
	printf("%d %d\n", mine, theirs);
	LEAVE;
	return 0;
}
