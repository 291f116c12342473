/* SPDX-License-Identifier: Apache-2.0 */
/* fetching.c - prints the line of progress of a file that is fetched. */
#include "cmd/out/fetching.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>

#include "base/path.h"
#include "cmd/out/amount.h"
#include "cmd/out/say.h"

static volatile sig_atomic_t is_interrupted;
static struct sigaction before;
static sigset_t mask_before;
static bool has_caught;

static void on_interrupt(int sig)
{
	is_interrupted = 1;
}

/* Who ignores it, in the background say, still does. */
static void begin(const char *what)
{
	struct sigaction action = { .sa_handler = on_interrupt };
	sigset_t only;

	is_interrupted = 0;
	sigaction(SIGINT, NULL, &before);
	has_caught = before.sa_handler != SIG_IGN && !sigaction(SIGINT, &action, NULL);
	sigemptyset(&only);
	sigaddset(&only, SIGINT);
	pthread_sigmask(SIG_UNBLOCK, &only, &mask_before);
}

static void end(void)
{
	pthread_sigmask(SIG_SETMASK, &mask_before, NULL);
	if (has_caught)
		sigaction(SIGINT, &before, NULL);
	fc_say_passing(NULL);
}

static bool look(const char *what, uint64_t done, uint64_t all)
{
	char line[160], of[FC_AMOUNT_TEXT + 8] = "", so_far[FC_AMOUNT_TEXT];

	fc_amount_text(done, so_far);
	if (all) {
		char text[FC_AMOUNT_TEXT];
		fc_amount_text(all, text);
		snprintf(of, sizeof(of), " of %s", text);
	}
	snprintf(line, sizeof(line),
		 "fctrace: fetching the debug file of %.40s: %s%s (Ctrl-C: without)",
		 fc_base_name(what), done || all ? so_far : "waiting for servers", of);
	fc_say_passing(line);
	return is_interrupted;
}

static void give_up(const char *why)
{
	fc_say("%s: no more debug files are fetched", why);
}

const struct fc_fetching fc_fetching_shown = { begin, look, end, give_up };
