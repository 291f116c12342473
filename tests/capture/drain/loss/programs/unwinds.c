/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls with values whose records get room one by one, as an unwinder is at work; and a signal's
 * handler whose calls take such room.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unwind.h>

static volatile long nr_handled;

static void on_alarm(int sig)
{
	nr_handled += atol(sig ? "1" : "0");
}

static _Unwind_Reason_Code at_frame(struct _Unwind_Context *context, void *rounds)
{
	(void)context;
	for (long i = 0; i < *(long *)rounds; i++)
		if (strtol("12", NULL, 10) != 12)
			abort();
	*(long *)rounds = 0;
	return _URC_NO_REASON;
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = on_alarm, .sa_flags = SA_RESTART };
	struct itimerval often = { { 0, 100 }, { 0, 100 } };
	long rounds = argc > 1 ? atol(argv[1]) : 1;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	_Unwind_Backtrace(at_frame, &rounds);
	setitimer(ITIMER_REAL, &(struct itimerval){ { 0, 0 }, { 0, 0 } }, NULL);
	return !rounds && nr_handled ? 0 : 1;
}
