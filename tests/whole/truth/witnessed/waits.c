/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads, one that computes and one that sleeps, from "ready" until stdin ends. */
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define FN __attribute__((noinline, noclone))

static volatile int is_over;
static volatile unsigned long trail;

FN void step(unsigned long n)
{
	trail = trail * 7 + n;
}

FN void *computes(void *arg)
{
	while (!is_over)
		step(1);
	return arg;
}

int main(void)
{
	struct timespec pause = { .tv_nsec = 500 * 1000 * 1000 };
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
	pthread_t thread;

	pthread_create(&thread, NULL, computes, NULL);
	puts("ready");
	fflush(stdout);
	do
		nanosleep(&pause, NULL);
	while (!poll(&in, 1, 0));
	is_over = 1;
	pthread_join(thread, NULL);
	puts("done");
	return 0;
}
