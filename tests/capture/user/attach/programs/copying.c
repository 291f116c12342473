/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A coroutine that copies its part of the stack away, and back to where it was: its frames hold
 * return addresses that nobody sees meanwhile. Built at fixed addresses, the copy in static memory.
 *
 *	copying            until stdin is closed
 *	copying thread N   N turns in a thread; those who resume have a large frame
 */
#include <alloca.h>
#include <pthread.h>
#include <setjmp.h>
#include "attached.h"

enum { BELOW = 1024, LARGE = 64 * 1024, DEPTH = 10 };

static jmp_buf scheduler, coroutine;
static char *base, save[1 << 16];
static size_t size;
static long nr_turns;

/* All from here up to base is copied; back comes who jumps to coroutine. */
NOINLINE static void yield(void)
{
	if (setjmp(coroutine))
		return;
	char *low = (char *)__builtin_frame_address(0) - BELOW;
	size = base - low;
	CHECK(size < sizeof(save));
	memcpy(save, low, size);
	longjmp(scheduler, 1);
}

NOINLINE static int deep(int depth)
{
	volatile int mine = depth;
	int below = 0;
	if (depth)
		below = deep(depth - 1) + 1;
	else
		yield();
	CHECK(mine == depth && below == depth);
	return below;
}

NOINLINE static void run(void)
{
	base = __builtin_frame_address(0);
	CHECK(deep(DEPTH) == DEPTH);
	longjmp(scheduler, 2);
}

/* Its own frame must not be where the copy goes to. */
NOINLINE static void resume(void)
{
	char *room = alloca(LARGE);
	__asm__ volatile("" ::"r"(room) : "memory");
	memcpy(base - size, save, size);
	longjmp(coroutine, 1);
}

NOINLINE static void turn(void)
{
	int came = setjmp(scheduler);
	if (!came)
		run();
	if (came == 1) {
		usleep(500);
		resume();
	}
	nr_turns++;
}

static void *turns(void *nr)
{
	for (long i = 0; i < (long)nr; i++)
		turn();
	return NULL;
}

int main(int argc, char **argv)
{
	if (argc > 2 && !strcmp(argv[1], "thread")) {
		pthread_t thread;
		CHECK(!pthread_create(&thread, NULL, turns, (void *)atol(argv[2])));
		CHECK(!pthread_join(thread, NULL));
		return well(nr_turns);
	}
	ready();
	while (!is_over())
		turn();
	return well(nr_turns);
}
