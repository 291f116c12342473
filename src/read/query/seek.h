/* SPDX-License-Identifier: Apache-2.0 */
/*
 * seek.h - the calls of a trace that somebody wants, one by one, read from the packets that can
 * hold them.
 *
 *   packets of a strand   |  0  |  1  |  2  |  3  |  4  |  5  |  6  |
 *   wanted time                          [-------]
 *   decoded                           |  2  |  3  |     |  5  |
 *
 * A packet is decoded when a wanted call may begin in it, or when one that is open at its begin
 * is not open any more at the begin of the next. Other packets are judged by their heads, and by
 * the open calls and functions that they tell (trace/peek.h).
 *
 * Each call comes as it ends, strand after strand, exactly as fc_play() tells it when it plays
 * the whole trace. Memory is bound by the depth of the calls, not by the trace.
 */
#ifndef FC_READ_QUERY_SEEK_H
#define FC_READ_QUERY_SEEK_H

#include <stddef.h>

#include "calls/call.h"
#include "trace/reader.h"

/* All bounds are inclusive; times are ticks of the TSC. */
struct fc_scan_want {
	uint64_t begin_min, begin_max, end_min, end_max;
	uint32_t depth_min, depth_max;
	bool has_strand, has_pid, has_tid;
	uint32_t strand;
	int pid, tid;
	const uint8_t
		*funcs;	   /* a bit for each id, id 0 in the lowest of the first; NULL: all */
	size_t nr_funcs;   /* ids that it has bits for: beyond, none is wanted */
	bool needs_self;   /* self_ticks and waits must be right */
	bool needs_values; /* so must what was fetched of calls; else there is none */
	const struct fc_values *values; /* what that means; may be NULL */
	/* Asked now and then; true ends the scan early. May be NULL. */
	bool (*is_stopped)(void *ctx);
	void *ctx;
};

/* Everything. */
struct fc_scan_want fc_scan_want_all(void);
/* Is anything of strand i of the reader? */
bool fc_scan_wants(const struct fc_scan_want *want, const struct fc_reader *reader, size_t i);

struct fc_scan_row {
	struct fc_call call; /* its values live until the next row is asked for */
	/*
	 * The same number for the same call in each scan of this trace; in a strand they grow
	 * as calls end.
	 */
	uint64_t id;
};

struct fc_scan;
/* reader and want->funcs outlive the scan. */
struct fc_scan *fc_scan_create(struct fc_reader *reader, const struct fc_scan_want *want);
void fc_scan_destroy(struct fc_scan *scan);

/* 0 at the end, 1 with *ret filled. */
int fc_scan_next(struct fc_scan *scan, struct fc_scan_row *ret);

/* How many packets were decoded up to now, of how many there are. */
size_t fc_scan_nr_decoded(const struct fc_scan *scan);

#endif
