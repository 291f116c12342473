/* SPDX-License-Identifier: Apache-2.0 */
/*
 * moves.h - words of a strand that goes from thread to thread: a tap is told those of each thread
 * by themselves, in place of the marks that stand between them (FC_MARK_MOVED).
 */
#ifndef FC_CAPTURE_DRAIN_MOVES_H
#define FC_CAPTURE_DRAIN_MOVES_H

#include "capture/drain/ids.h"
#include "trace/source.h"

/* Whose ids the marks have (ids.h). */
struct fc_moves {
	struct fc_ids *ids;
	uint32_t number; /* 0: they are the same here */
};

/* The thread that the words begin in, as their first mark says; without one *tid stays. */
void fc_moves_begin(const struct fc_moves *moves, const uint64_t *words, size_t nr, int pid,
		    int *tid);

/*
 * Whole records, as fc_tap's records() has them, and with its result. strand->tid is the thread
 * that the words begin in, then the one that they end in.
 */
int fc_moves_tell(const struct fc_moves *moves, struct fc_tap *tap,
		  struct fc_strand_info *strand, const uint64_t *words, size_t nr,
		  uint64_t now_tsc);

#endif
