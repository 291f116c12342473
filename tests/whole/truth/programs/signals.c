/* SPDX-License-Identifier: Apache-2.0 */
/* Handlers: raised in place, and a storm from a timer that hits any instruction of the
 * program. */
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include "truth.h"

static volatile sig_atomic_t nr_raised, nr_ticks;

FN int deeper(int n)
{
	ENTER;
	int r = n ? deeper(n - 1) + 1 : 0;
	LEAVE;
	return r;
}

FN void on_raised(int sig)
{
	ENTER;
	nr_raised += deeper(2) + (sig == SIGUSR1);
	LEAVE;
}

FN void tick_work(int n)
{
	ENTER;
	nr_ticks += n;
	LEAVE;
}

FN void on_tick(int sig)
{
	ASYNC;
	ENTER;
	tick_work(sig == SIGALRM);
	LEAVE;
}

FN long spin(long n)
{
	ENTER;
	long r = n ? spin(n - 1) + n : 0;
	LEAVE;
	return r;
}

FN void storm(void)
{
	struct itimerval on = { { 0, 200 }, { 0, 200 } }, off = { { 0, 0 }, { 0, 0 } };
	long sum = 0;

	ENTER;
	signal(SIGALRM, on_tick);
	setitimer(ITIMER_REAL, &on, NULL);
	for (int i = 0; i < 20000 && nr_ticks < 300; i++)
		sum += spin(i % 10);
	setitimer(ITIMER_REAL, &off, NULL);
	printf("%s\n", sum > 0 && nr_ticks > 0 ? "stormed" : "calm");
	LEAVE;
}

FN int main(void)
{
	ENTER;
	signal(SIGUSR1, on_raised);
	raise(SIGUSR1);
	deeper(1);
	raise(SIGUSR1);
	printf("%d\n", (int)nr_raised);
	storm();
	LEAVE;
	return 0;
}
