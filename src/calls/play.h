/* SPDX-License-Identifier: Apache-2.0 */
/* play.h - a trace that is read, played into a sink of calls in order of time. */
#ifndef FC_CALLS_PLAY_H
#define FC_CALLS_PLAY_H

#include "calls/call.h"
#include "calls/cut.h"
#include "trace/reader.h"

struct fc_play_opts {
	/* Told of processes and threads between the calls; may be NULL. */
	void (*life)(void *ctx, const struct fc_life_info *life);
	/* Asked now and then; true ends the play early. May be NULL. */
	bool (*is_enough)(void *ctx);
	void *ctx;
	bool no_values; /* calls need not have what they were given: that is faster */
	const struct fc_values *values; /* as in fc_calls_set_values(); may be NULL */
	const uint32_t *group;		/* as in fc_calls_set_group(); may be NULL */
	/* The same, when all that happened before now_tsc was told. May be NULL. */
	bool (*is_past)(void *ctx, uint64_t now_tsc);
	/* What is to be told. From a time on: calls that were open then are told as well, and
	 * a little of what lies before it. */
	struct fc_choice choice;
	/* Only what lies in this range is told, cut to it (cut.h), and lives within it; what
	 * lies before or behind it is not read. Zeroed: all. */
	struct fc_range range;
	/* The begins of calls that are open where the range begins count: read from the start. */
	bool needs_begins;
};

/*
 * Play the trace, ending the calls of threads and processes where these end; the
 * sink's finish() comes last. What is damaged is left out, and told by the reader.
 */
void fc_play(struct fc_reader *reader, const struct fc_play_opts *opts,
	     struct fc_call_sink *sink);

#endif
