/* SPDX-License-Identifier: Apache-2.0 */
/* progress.h - work that may take long: how far it is, and whether it is to be given up. */
#ifndef FC_BASE_PROGRESS_H
#define FC_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* The first three are set by who waits for the work. */
struct fc_progress {
	/*
	 * Called now and then (FC_PROGRESS_LOOK_NS), by whichever thread works, one at a time.
	 * True: it is to be given up.
	 */
	bool (*look)(void *ctx, const struct fc_progress *progress);
	void *ctx;
	uint64_t begin_ns; /* CLOCK_MONOTONIC */

	const char *what; /* the file that most is to be done for; as long as the work lasts */
	uint64_t largest; /* how much that is */
	uint64_t done, all;
	unsigned nr_times; /* that it was begun for what; 0: never by fc_progress_restart() */
	uint64_t look_ns;  /* when it is looked next */
	bool is_over;	   /* given up */
	bool is_looking;
};

enum { FC_PROGRESS_LOOK_NS = 20 * 1000 * 1000 };

/*
 * By any thread, of several pieces of work at once. progress may be NULL: nobody waits, and
 * nothing is given up.
 */

/* So much more is to be done, for what. Units are the work's own. */
void fc_progress_add(struct fc_progress *progress, const char *what, uint64_t amount);
/* All that was to be done is, or it is to be done anew: so much, for what. For one thread. */
void fc_progress_restart(struct fc_progress *progress, const char *what, uint64_t amount);
/* So much was done. True: give up. To be called after each few milliseconds of work. */
bool fc_progress_did(struct fc_progress *progress, uint64_t amount);
bool fc_progress_is_over(const struct fc_progress *progress);

/* A guess at how long it will take yet, of what was done so far. */
uint64_t fc_progress_left_ns(const struct fc_progress *progress, uint64_t now_ns);

#endif
