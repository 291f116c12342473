/* SPDX-License-Identifier: Apache-2.0 */
/*
 * told.h - what of a call is told where each call is a line: times that are known, and whether
 * it is a call of its own. The words are those of fctrace query's table of calls.
 */
#ifndef FC_SHOW_EXPORT_TOLD_H
#define FC_SHOW_EXPORT_TOLD_H

#include "calls/call.h"
#include "trace/reader.h"

struct fc_told {
	bool has_begin; /* it was seen */
	bool has_end;
	uint64_t begin_ns;		       /* since the session's start */
	uint64_t end_ns, duration_ns, self_ns; /* if has_end */
	bool has_waits;			       /* so are these: */
	uint64_t wait_ns, self_wait_ns;
	/* False: it began in the process that forked this one, or before what is told. */
	bool is_entered;
};

static inline struct fc_told fc_told(const struct fc_reader *reader, const struct fc_call *call)
{
	const struct fc_clock *clock = fc_reader_clock(reader);
	struct fc_told ret = {
		.has_begin = !call->is_resumed,
		.has_end = call->left != FC_LEFT_UNSEEN && call->left != FC_LEFT_LOST,
		.begin_ns = fc_clock_ns(clock, call->begin_tsc),
		.is_entered = !call->is_inherited && !call->is_resumed,
	};

	if (ret.has_end) {
		ret.end_ns = fc_clock_ns(clock, call->end_tsc);
		ret.duration_ns = fc_clock_duration_ns(clock, fc_call_ticks(call));
		ret.self_ns = fc_clock_duration_ns(clock, call->self_ticks);
		ret.has_waits = fc_reader_off_funcs(reader);
		ret.wait_ns = fc_clock_duration_ns(clock, call->wait_ticks);
		ret.self_wait_ns = fc_clock_duration_ns(clock, call->self_wait_ticks);
	}
	return ret;
}

#endif
