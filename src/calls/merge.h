/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge.h - what a live source tells of many strands, put in order of time.
 *
 * A source hands over a strand at a time, so what is younger than the last round of all
 * strands must wait for the next round:
 *
 *	round 1   strand 1 ----------|  strand 2 ------------|
 *	round 2                      ^ known of all strands, told by fc_merge_until()
 *
 * Not locked: one thread only.
 */
#ifndef FC_CALLS_MERGE_H
#define FC_CALLS_MERGE_H

#include <stddef.h>

#include "trace/event.h"
#include "trace/source.h"

struct fc_merge_out {
	void (*event)(void *ctx, const struct fc_event *event);
	void (*strand_end)(void *ctx, const struct fc_strand_info *strand, uint64_t tsc);
	void (*life)(void *ctx, const struct fc_life_info *life);
	void *ctx;
};

struct fc_merge;
struct fc_merge *fc_merge_create(const struct fc_merge_out *out);
void fc_merge_destroy(struct fc_merge *merge);

/* As a tap's functions of the same names. Lives come in order of time. */
void fc_merge_records(struct fc_merge *merge, const struct fc_strand_info *strand,
		      const uint64_t *words, size_t nr_words, uint64_t now_tsc);
void fc_merge_strand_end(struct fc_merge *merge, const struct fc_strand_info *strand,
			 uint64_t tsc);
void fc_merge_life(struct fc_merge *merge, const struct fc_life_info *life);

/* Tell all that happened before tsc, in order of time. UINT64_MAX: all there is. */
void fc_merge_until(struct fc_merge *merge, uint64_t tsc);

#endif
