/* SPDX-License-Identifier: Apache-2.0 */
/* live_private.h - what the three that show a program's calls share: a stream of calls. */
#ifndef FC_CMD_RUN_LIVE_PRIVATE_H
#define FC_CMD_RUN_LIVE_PRIVATE_H

#include <pthread.h>

#include "base/vec.h"
#include "calls/merge.h"
#include "calls/wanted.h"
#include "cmd/run/live.h"

/* What the tracer's thread told and the draining thread has not seen yet. */
struct fc_live_told {
	enum { FC_TOLD_LIFE, FC_TOLD_STRAND_END, FC_TOLD_COUNTS, FC_TOLD_HOOKS } what;
	struct fc_life_info life;
	char *text;
	struct fc_strand_info strand;
	uint64_t tsc;
	uint64_t *calls; /* by function id */
	struct fc_hook_info *hooks;
	size_t nr;
};

/*
 * What is made of the calls, on the draining thread. NULL where there is nothing to do. Who wants
 * counts or hooks has a function of the tap for them, too: fc_live_counts(), fc_live_hooks().
 */
struct fc_live_show {
	/* In its place among the calls. */
	void (*life)(struct fc_live *live, const struct fc_life_info *life);
	/* Counts or hooks, as soon as they are told: they are the show's, to fc_live_told_free(). */
	void (*told)(struct fc_live *live, struct fc_live_told *told);
	/* Calls up to tsc are about to come; UINT64_MAX: the last ones. */
	void (*until)(struct fc_live *live, uint64_t tsc);
	/* They have come, and more will. */
	void (*tick)(struct fc_live *live, uint64_t tsc);
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
	struct fc_namer namer;
	struct fc_wanted wanted; /* by the tracer's thread */

	pthread_mutex_t lock; /* of told; never held while lines are written */
	FC_VEC(struct fc_live_told) told;

	/* The draining thread's own: */
	struct fc_merge *merge;
	struct fc_calls *calls;
	struct fc_filter *filter;   /* NULL: all calls are shown */
	struct fc_call_sink *shown; /* behind the filter */
	uint64_t last_tick_tsc, last_tsc;
};

/* Of size bytes, with the stream's part ready but for the sink: fc_live_connect() is next. */
struct fc_live *fc_live_create(const struct fc_settings *settings,
			       const struct fc_live_show *show, size_t size);
void fc_live_connect(struct fc_live *live, const struct fc_settings *settings,
		     struct fc_call_sink *sink);

/* For the tap: it is told to the show. */
int fc_live_counts(struct fc_tap *tap, uint64_t tsc, const uint64_t *calls, uint32_t nr);
int fc_live_hooks(struct fc_tap *tap, const struct fc_hook_info *info, size_t nr);

/* Does it end calls of its thread, or of its process? */
bool fc_live_ends_calls(const struct fc_life_info *life);

void fc_live_told_free(struct fc_live_told *told);

#endif
