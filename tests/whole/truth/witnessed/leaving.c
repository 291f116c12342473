/* SPDX-License-Identifier: Apache-2.0 */
/* Ways out of functions: longjmp over many frames, a coroutine that is abandoned and begun
 * anew, a thread that ends itself deep inside. */
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#define FN __attribute__((noinline, noclone))

static jmp_buf back;
static volatile int trail;

FN void step(int n)
{
	trail = (trail * 7 + n) % 1000003;
}

FN void dive(int depth)
{
	char room[64];

	snprintf(room, sizeof(room), "%d", depth);
	step(room[0]);
	if (!depth)
		longjmp(back, 1);
	dive(depth - 1);
	step(1);
}

FN int jumps(int depth)
{
	if (setjmp(back)) {
		step(2);
		return depth;
	}
	dive(depth);
	return -1;
}

FN void leaves_thread(int depth)
{
	if (!depth)
		pthread_exit(NULL);
	leaves_thread(depth - 1);
	step(3);
}

FN void *run(void *arg)
{
	jumps(3);
	leaves_thread(*(int *)arg);
	return NULL;
}

FN void last(void)
{
	step(6);
	exit(trail & 1);
}

int main(void)
{
	int depth = 4;
	pthread_t thread;

	for (volatile int i = 0; i < 5; i++)
		step(jumps(i * 5));
	pthread_create(&thread, NULL, run, &depth);
	pthread_join(thread, NULL);
	step(5);
	last();
}
