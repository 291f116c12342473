// SPDX-License-Identifier: Apache-2.0
// Stack memory of frames that an exception left is used again, without a call, and then a
// signal handler calls functions: nothing may be written there any more.
#include <alloca.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#define NI __attribute__((noinline))

static volatile int nr_signals;

NI int leaf(int x)
{
	__asm__ volatile("");
	return x + 1;
}

static void on_alarm(int sig)
{
	nr_signals = nr_signals + leaf(0);
}

NI int deep(int n)
{
	if (!n)
		throw 1;
	int r = deep(n - 1);
	__asm__ volatile("" : "+r"(r));
	return r + 1;
}

NI int once(void)
{
	int r = 0;
	try {
		r = deep(400);
	} catch (int) {
	}
	volatile char *mine = (volatile char *)alloca(8000);
	for (int i = 0; i < 8000; i++)
		mine[i] = (char)(i * 7);
	int before = nr_signals;
	while (nr_signals < before + 2)
		;
	for (int i = 0; i < 8000; i++)
		if (mine[i] != (char)(i * 7))
			return 1;
	return r;
}

int main()
{
	struct itimerval every = { { 0, 1000 }, { 0, 1000 } };
	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &every, NULL);
	int bad = 0;
	for (int i = 0; i < 40; i++)
		bad += once();
	puts(bad ? "overwritten" : "intact");
	return bad != 0;
}
