/* SPDX-License-Identifier: Apache-2.0 */
/* unwound.c - goes through probes while signals come, and a handler looks at the stack: does it always come to main? */
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

int check(int round);

static volatile int nr_looks, nr_lost;
static char *main_at;

static void look(int sig)
{
	enum { MOST = 64, MAIN_SIZE = 1024 };
	void *at[MOST];
	int nr = backtrace(at, MOST), is_found = 0;
	for (int i = 0; i < nr; i++)
		is_found |= (char *)at[i] > main_at && (char *)at[i] < main_at + MAIN_SIZE;
	nr_looks++;
	nr_lost += !is_found;
}

int main(int argc, char **argv)
{
	struct itimerval often = { { 0, 1000 }, { 0, 1000 } };
	int nr = atoi(argv[1]), wrong = 0;
	void *at[1];
	main_at = (char *)main;
	backtrace(at, 1); /* it loads a library at the first time */
	signal(SIGALRM, look);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int i = 0; nr_looks < nr; i++)
		wrong |= check(i);
	often = (struct itimerval){ 0 };
	setitimer(ITIMER_REAL, &often, NULL);
	printf("%d of %d, wrong %d\n", nr_lost, nr_looks, wrong);
	return 0;
}
