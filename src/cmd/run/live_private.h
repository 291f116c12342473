/* SPDX-License-Identifier: Apache-2.0 */
/* live_private.h - what the three that show a program's calls share: a stream of calls. */
#ifndef FC_CMD_RUN_LIVE_PRIVATE_H
#define FC_CMD_RUN_LIVE_PRIVATE_H

#include "base/vec.h"
#include "calls/merge.h"
#include "calls/wanted.h"
#include "cmd/run/live.h"
#include "trace/off_funcs.h"

/*
 * What is made of the calls. NULL where there is nothing to do. Who wants counts or hooks has
 * functions of the tap for them.
 */
struct fc_live_show {
	/* In its place among the calls. */
	void (*life)(struct fc_live *live, const struct fc_life_info *life);
	/* Calls up to tsc are about to come; UINT64_MAX: the last ones. */
	void (*until)(struct fc_live *live, uint64_t tsc);
	/* They have come, and more will. -errno: nobody can be shown any more. */
	int (*tick)(struct fc_live *live, uint64_t tsc);
	/* All have come. As fc_live_finish(). */
	int (*finish)(struct fc_live *live);
	/* What it has beside the stream. */
	void (*deinit)(struct fc_live *live);
};

/* The first member of what shows it. */
struct fc_live {
	struct fc_tap tap;
	const struct fc_live_show *show;
	struct fc_clock clock;
	struct fc_names *names;
	struct fc_values *values;
	struct fc_code *code; /* NULL: no values are asked for */
	struct fc_namer namer;
	struct fc_wanted wanted;
	struct fc_merge *merge;
	struct fc_calls *calls;
	struct fc_off_funcs off_funcs;
	struct fc_filter *filter;   /* NULL: all calls are shown */
	struct fc_call_sink *shown; /* behind the filter */
	uint64_t last_tick_tsc, last_tsc;
};

/* Of size bytes, with the stream's part ready but for the sink: fc_live_connect() is next. */
struct fc_live *fc_live_create(const struct fc_settings *settings,
			       const struct fc_live_show *show, size_t size);
void fc_live_connect(struct fc_live *live, const struct fc_settings *settings,
		     struct fc_call_sink *sink);

#endif
