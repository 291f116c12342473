/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ring.h - the reading end of a strand's ring.
 *
 * The reader takes a word once it is non-zero and sets it back to zero. A stub reserves its word, then
 * takes the time, then writes; a signal handler that comes in between writes later words
 * with earlier times. fc_ring_take() gives records in the order of their times.
 *
 *   word    n        n+1      n+2      n+3
 *           f, 50    h, 20    h, 30    f's callee, 60      f was interrupted
 *   taken   h, 20    h, 30    f, 50    f's callee, 60
 */
#ifndef FC_CAPTURE_DRAIN_RING_H
#define FC_CAPTURE_DRAIN_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/agent/abi.h"

#define FC_RING_HELD  8
#define FC_RING_HOLES 32
#define FC_RING_ROOM  600 /* words of room that fc_ring_take() needs */

/*
 * Words that their writers have reserved, and not all written when others behind them were: of
 * one interrupted writer, or of more. What is taken of them becomes filler until all is.
 */
struct fc_hole {
	uint64_t index;
	uint64_t nr;
	int64_t depth; /* calls opened, less those closed, by what was taken since */
};

struct fc_ring {
	struct fca_ring *shared;
	uint64_t *words;
	uint64_t nr_words; /* a power of two */
	uint64_t
		next; /* index of the next word to take; shared->tail stays at the first hole */
	uint64_t last;			    /* the latest record that was given out */
	uint64_t held[FC_RING_HELD];	    /* records whose turn has not come, earliest last */
	struct fc_hole hole[FC_RING_HOLES]; /* words that were skipped unwritten, upwards */
	struct fc_hole kept[FCA_NR_HELD];   /* those that the tail has passed: shared->held */
	uint32_t nr_held, nr_holes;
	uint32_t nr_lost; /* holes given up, not told yet */
	bool had_hole;
};

/* What kind of stack its strand is, as its agent says: enum fc_strand_kind. */
uint8_t fc_ring_kind(const struct fca_ring *shared);

/* From shared->tail on. */
void fc_ring_init(struct fc_ring *ring, struct fca_ring *shared, uint64_t *words,
		  uint64_t nr_words);

/*
 * Take whole records, in order of time, up to room words (at least FC_RING_ROOM). Values follow
 * the head of their mark as they are.
 */
size_t fc_ring_take(struct fc_ring *ring, uint64_t *ret, size_t room);

/* All that was written has been taken, and nothing waits for a word that is not written yet. */
bool fc_ring_is_empty(const struct fc_ring *ring);

/*
 * Nothing can be taken, as the next word is not written: pass over it and those behind it that
 * are neither, if there is a record after them. Their writers were interrupted; what they may
 * still write is taken then. Half a round later the tail passes them: the target is told to step
 * over these words, for they may still be written.
 */
bool fc_ring_skip_hole(struct fc_ring *ring);

/*
 * Its strand has ended and all was taken: make the words as they were before the first. Holes
 * that are left are no records: their calls had not begun, or their returns not ended. Returns
 * how many had been given up, and were not told as lost.
 */
uint32_t fc_ring_clear(struct fc_ring *ring);

#endif
