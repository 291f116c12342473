/* SPDX-License-Identifier: Apache-2.0 */
/*
 * segments.h - reading a ring that nobody drains (--loss=ring), from a copy.
 *
 *   ring     | 17 | 18 | 19 | 4 ...  | 15 | 16 |      19 is being filled, 4 is begun anew
 *   recall     RESUME, ENTRY of what was open | 5: records | 6: records | ... | 19: records
 *
 * Knows nothing of the target: any words at all are read without harm.
 */
#ifndef FC_CAPTURE_DRAIN_SEGMENTS_H
#define FC_CAPTURE_DRAIN_SEGMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

/* Words for a tap; each batch is within the reach of a record's tick before now_tsc. */
struct fc_recall_batch {
	size_t nr_words;
	uint64_t now_tsc;
};

/* What a ring held. */
struct fc_recall {
	FC_VEC(uint64_t) words;
	FC_VEC(struct fc_recall_batch) batches;
	uint64_t nr_records; /* of the strand so far, those that were overwritten too */
	uint64_t last_tsc;   /* of the last one; 0: there is none */
	uint32_t nr_gaps;    /* places within it where records are missing */
};

/* Copies nr words from word `at` of a ring. False: they cannot be read. */
typedef bool fc_ring_read(void *ctx, uint64_t at, uint64_t *ret, size_t nr);

/*
 * Copy a ring while its strand may go on writing: what was begun anew meanwhile is left out.
 * False: it cannot be read.
 */
bool fc_segments_copy(uint64_t ring_words, fc_ring_read *read, void *ctx, uint64_t *copy);

/* The records of a copy, in the order of their times, all written before now_tsc. */
void fc_segments_recall(const uint64_t *copy, uint64_t ring_words, uint64_t now_tsc,
			struct fc_recall *ret);
void fc_recall_deinit(struct fc_recall *recall);

#endif
