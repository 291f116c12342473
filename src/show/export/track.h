/* SPDX-License-Identifier: Apache-2.0 */
/*
 * track.h - where viewers that know processes and threads are to show a strand.
 *
 * A strand is a stack, and calls nest only within one. So the first strand of a thread stands
 * under the thread's own id, while each further one (a signal's stack, a coroutine's) gets a
 * track with a number that is no thread's.
 */
#ifndef FC_SHOW_EXPORT_TRACK_H
#define FC_SHOW_EXPORT_TRACK_H

#include <stdbool.h>

#include "calls/strands.h"
#include "calls/threads.h"
#include "trace/source.h"

/* Ids of threads are far below (PID_MAX_LIMIT is 2^22). */
#define FC_TRACK_EXTRA 1000000000

struct fc_track {
	int pid, tid;  /* the thread that it belongs to */
	int64_t id;    /* tid, or FC_TRACK_EXTRA and more */
	bool is_extra; /* further stack of that thread */
	/* Its user's: */
	bool is_known; /* it was introduced */
	size_t place;
	uint64_t last_ns;
	char last_phase; /* 0: none yet */
	size_t text_len;
	char text[64];
};

struct fc_tracks {
	struct fc_strands strands;
	struct fc_threads threads;
};

void fc_tracks_init(struct fc_tracks *tracks);
void fc_tracks_deinit(struct fc_tracks *tracks);

struct fc_track *fc_tracks_ask(struct fc_tracks *tracks, uint32_t strand, int pid, int tid);
/* When a thread is gone, its id may be another's from here on. */
void fc_tracks_life(struct fc_tracks *tracks, const struct fc_life_info *life);

/* The track of a strand that has a call or an event. */
static inline struct fc_track *fc_tracks_get(struct fc_tracks *tracks, uint32_t strand, int pid,
					     int tid)
{
	struct fc_track *track = fc_strands_find(&tracks->strands, strand);
	return track && track->is_known ? track : fc_tracks_ask(tracks, strand, pid, tid);
}

#endif
