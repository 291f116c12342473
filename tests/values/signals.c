/* SPDX-License-Identifier: Apache-2.0 */
/* Functions whose arguments are asked for, called by handlers of signals that come all the time. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

static volatile int sum, nr;

__attribute__((noipa)) int outside(const char *text, int x)
{
	return sum += x + text[0];
}

__attribute__((noipa)) int inside(const char *text, int x)
{
	return sum += x - text[0];
}

/* From the handler on: where a signal takes longer than that, the program goes on nevertheless. */
static void wind_up(void)
{
	struct itimerval soon = { .it_value.tv_usec = 20 };
	setitimer(ITIMER_REAL, &soon, NULL);
}

static void on_alarm(int sig)
{
	(void)sig;
	for (int i = 0; i < 3; i++)
		inside("inside", nr++);
	wind_up();
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = on_alarm, .sa_flags = SA_RESTART };
	char text[32] = "outside";
	sigaction(SIGALRM, &action, NULL);
	wind_up();
	for (int i = 0; i < atoi(argv[1]); i++)
		outside(text, i);
	signal(SIGALRM, SIG_IGN);
	printf("%d\n", nr > 0);
	return argc > 2;
}
