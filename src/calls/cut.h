/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cut.h - a sink that passes on what lies within a span of time, cut to it.
 *
 *	            from                      to
 *	main  ------|=========================|-----      told from .. to, inherited, left: end
 *	work     ---|====                     |           told from .. its end, inherited
 *	step        |      ====               |           told as it is
 *	leaf   --   |                         |   --      not told
 *
 * It is as if tracing had begun and ended there: a call that began before is open when the span
 * begins (is_inherited: it counts where it was entered), one that ended behind it is open where
 * it ends (FC_LEFT_END), and self times are those within the span. Calls of which nobody knows the
 * name, within a gap, count as time of the call around them if that is cut.
 *
 * Stands right behind the stack machine, so that a filter sees times within the span. A stack on
 * which nothing happens is told of when it ends, at the latest by finish().
 */
#ifndef FC_CALLS_CUT_H
#define FC_CALLS_CUT_H

#include "calls/call.h"

struct fc_range {
	uint64_t from_tsc;
	uint64_t to_tsc; /* the first time behind it; 0: no end */
};

static inline bool fc_range_has(const struct fc_range *range, uint64_t tsc)
{
	return tsc >= range->from_tsc && (!range->to_tsc || tsc < range->to_tsc);
}

struct fc_cut;
/* The next sink outlives it. */
struct fc_cut *fc_cut_create(const struct fc_range *range, struct fc_call_sink *next);
void fc_cut_destroy(struct fc_cut *cut);
struct fc_call_sink *fc_cut_sink(struct fc_cut *cut);

#endif
