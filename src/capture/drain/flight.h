/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flight.h - the flight recorder's memory in the controller (--loss=ring).
 *
 *   thread ends:  ring --recall--> kept; the oldest are forgotten, so that memory is bounded
 *   dump:         kept, and each live ring --recall--> tap
 *
 * The drain's thread only; what is held another thread may pour.
 */
#ifndef FC_CAPTURE_DRAIN_FLIGHT_H
#define FC_CAPTURE_DRAIN_FLIGHT_H

#include "capture/drain/moves.h"
#include "capture/drain/segments.h"
#include "trace/source.h"

struct fc_flight;

struct fc_flight *fc_flight_create(void);
void fc_flight_destroy(struct fc_flight *flight);

/* A strand's ring: its words as they are now, and its records lost that it does not tell of. */
struct fc_flight_ring {
	struct fc_strand_info strand; /* with the thread that its last words are of */
	struct fc_moves moves;	      /* the words' */
	uint64_t ring_words;
	fc_ring_read *read;
	void *ctx;
	uint64_t lost;
};

/* Its thread was seen to have ended at end_tsc: keep what it holds. */
void fc_flight_keep(struct fc_flight *flight, const struct fc_flight_ring *ring,
		    uint64_t end_tsc);
/* It lives: look at what it holds, until fc_flight_release(). */
void fc_flight_look(struct fc_flight *flight, const struct fc_flight_ring *ring);

/*
 * Between these two what fc_flight_pour() tells of does not change. What ends meanwhile is kept
 * beside it, within the same bounds; nothing is looked at. With the second one live strands are
 * forgotten.
 */
void fc_flight_hold(struct fc_flight *flight);
void fc_flight_release(struct fc_flight *flight);

/* Records that no ring was free for; told with each dump. */
void fc_flight_lost(struct fc_flight *flight, uint64_t nr);

/* When the last record was written that is kept or was looked at; 0: there is none. */
uint64_t fc_flight_last_tsc(const struct fc_flight *flight);

/* When the first one was; 0: there is none. */
uint64_t fc_flight_first_tsc(const struct fc_flight *flight);

/* Tell a tap of all that is kept, and of the live strands looked at. */
void fc_flight_pour(struct fc_flight *flight, struct fc_tap *to);

#endif
