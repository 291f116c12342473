/* SPDX-License-Identifier: Apache-2.0 */
/* ending.c - catches the signals that end a program. */
#include "base/ending.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t ended_by;

static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
enum { NR_ENDING = sizeof(ending) / sizeof(ending[0]) };

static void on_end(int sig)
{
	ended_by = sig;
}

void fc_ending_catch(void)
{
	struct sigaction end = { .sa_handler = on_end }, was;

	for (size_t i = 0; i < NR_ENDING; i++) {
		/* As nohup left it. */
		if (!sigaction(ending[i], NULL, &was) && was.sa_handler != SIG_IGN)
			sigaction(ending[i], &end, NULL);
	}
}

/* Not what the shell said is to be ignored. */
void fc_ending_leave(void)
{
	struct sigaction was;

	for (size_t i = 0; i < NR_ENDING; i++) {
		if (!sigaction(ending[i], NULL, &was) && was.sa_handler == on_end)
			signal(ending[i], SIG_DFL);
	}
}

int fc_ending_signal(void)
{
	return ended_by;
}

void fc_ending_hang_up(void)
{
	ended_by = SIGHUP;
}
