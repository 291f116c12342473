/* SPDX-License-Identifier: Apache-2.0 */
/*
 * live.c - turns records into calls while the program runs, and passes them through the filter.
 */
#include "cmd/run/live_private.h"

#include <stdlib.h>

#include "base/memory.h"
#include "calls/code/code_names.h"
#include "cmd/options/demangling.h"
#include "cmd/run/program.h"
#include "values/recorded.h"

static struct fc_live *live_of(struct fc_tap *tap)
{
	return (struct fc_live *)((char *)tap - offsetof(struct fc_live, tap));
}

/* ---- the tap ---- */

static int live_module(struct fc_tap *tap, const struct fc_module_info *info)
{
	struct fc_live *live = live_of(tap);
	fc_names_add(live->names, info);
	fc_off_funcs_add(&live->off_funcs, info);
	if (live->code)
		fc_code_add_module(live->code, info);
	return info->values ? fc_values_add(live->values, info->values, info->values_size) : 0;
}

static int live_map(struct fc_tap *tap, const struct fc_map_info *info)
{
	struct fc_live *live = live_of(tap);

	if (live->code)
		fc_code_add_map(live->code, info);
	return 0;
}

static bool is_shown(const struct fc_life_info *life)
{
	return fc_life_ends_calls(life) || life->life == FC_LIFE_NOTE ||
	       life->life == FC_LIFE_NAME || life->life == FC_LIFE_SIGNAL;
}

static int live_life(struct fc_tap *tap, const struct fc_life_info *life)
{
	if (is_shown(life))
		fc_merge_life(live_of(tap)->merge, life);
	return 0;
}

static int live_strand_end(struct fc_tap *tap, const struct fc_strand_info *strand,
			   uint64_t tsc)
{
	fc_merge_strand_end(live_of(tap)->merge, strand, tsc);
	return 0;
}

static int live_filter(struct fc_tap *tap, const struct fc_filter_info *info)
{
	fc_wanted_put(&live_of(tap)->wanted, info);
	return 0;
}

#define CHAIN_FOR_NS                                                                           \
	(100 * 1000 * 1000) /* a call waits so long for the end of its tail calls */

static bool live_is_filtering(struct fc_tap *tap)
{
	return fc_wanted_is_done(&live_of(tap)->wanted);
}

/* ---- from the merge, in order of time ---- */

static void on_event(void *ctx, const struct fc_event *event)
{
	struct fc_live *live = ctx;
	if (event->tsc > live->last_tsc)
		live->last_tsc = event->tsc;
	fc_calls_feed(live->calls, event);
}

static void on_life(void *ctx, const struct fc_life_info *life)
{
	struct fc_live *live = ctx;

	if (life->tsc > live->last_tsc)
		live->last_tsc = life->tsc;
	if (fc_life_ends_calls(life))
		fc_calls_task_end(live->calls, life->pid, fc_life_ended_tid(life), life->tsc);
	if (live->show->life)
		live->show->life(live, life);
}

/* tsc is when it was found to have ended: mostly its thread or process has ended before. */
static void on_strand_end(void *ctx, const struct fc_strand_info *strand, uint64_t tsc)
{
	struct fc_live *live = ctx;

	fc_calls_strand_end(live->calls, strand->id, tsc);
}

static int live_records(struct fc_tap *tap, const struct fc_strand_info *strand,
			const uint64_t *words, size_t nr_words, uint64_t now_tsc)
{
	fc_merge_records(live_of(tap)->merge, strand, words, nr_words, now_tsc);
	return 0;
}

static void add_open(void *ctx, const struct fc_call *call)
{
	fc_filter_add_told(ctx, call);
}

/* A filter that was asked for: for what is not shown yet. */
static void take_filter(struct fc_live *live)
{
	struct fc_filter_info info;

	if (!fc_wanted_take(&live->wanted, &info))
		return;
	if (!live->filter) {
		live->filter =
			fc_filter_create(&(struct fc_filter_opts){ .is_ordered = true,
								   .values = live->values,
								   .match = fc_namer_match,
								   .ctx = &live->namer,
								   .namer = &live->namer },
					 live->shown);
		fc_calls_each_open(live->calls, live->last_tsc, add_open, live->filter);
		fc_calls_set_sink(live->calls, fc_filter_sink(live->filter));
	}
	fc_filter_change(live->filter, &info,
			 info.min_ns ? fc_clock_ticks_of(&live->clock, info.min_ns) : 0);
	fc_filter_info_deinit(&info);
}

static int live_tick(struct fc_tap *tap, uint64_t now_tsc)
{
	struct fc_live *live = live_of(tap);

	fc_clock_calibrate(&live->clock);
	/* Since the last tick all strands were drained: up to it nothing is missing. */
	if (live->show->until)
		live->show->until(live, live->last_tick_tsc);
	fc_merge_until(live->merge, live->last_tick_tsc);
	fc_calls_pass_time(live->calls, live->last_tick_tsc,
			   fc_clock_ticks_of(&live->clock, CHAIN_FOR_NS));
	take_filter(live);
	int err = live->show->tick ? live->show->tick(live, live->last_tick_tsc) : 0;
	live->last_tick_tsc = now_tsc;
	return err;
}

struct fc_live *fc_live_create(const struct fc_settings *settings,
			       const struct fc_live_show *show, size_t size)
{
	struct fc_live *live = fc_alloc(size);

	live->tap = (struct fc_tap){
		.module = live_module,
		.map = live_map,
		.life = live_life,
		.records = live_records,
		.strand_end = live_strand_end,
		.tick = live_tick,
		.filter = live_filter,
		.is_filtering = live_is_filtering,
	};
	live->show = show;
	live->names = fc_names_create(fc_demangle_asked());
	live->values = fc_values_create();
	live->namer = fc_names_namer(live->names);
	if (fc_settings_has_values(settings)) {
		live->code = fc_code_create(live->namer, fc_demangle_asked());
		fc_values_set_code(live->values, fc_code_for_values(live->code));
	}
	live->merge = fc_merge_create(
		&(struct fc_merge_out){ on_event, on_strand_end, on_life, live });
	fc_program_start_clock(settings, &live->clock);
	return live;
}

void fc_live_connect(struct fc_live *live, const struct fc_settings *settings,
		     struct fc_call_sink *sink)
{
	live->shown = sink;
	if (fc_settings_filter_anything(settings)) {
		struct fc_filter_opts opts =
			fc_settings_filter(settings, &live->clock, &live->namer);
		opts.values = live->values;
		live->filter = fc_filter_create(&opts, sink);
		sink = fc_filter_sink(live->filter);
	}
	live->calls = fc_calls_create(sink);
	fc_calls_hold_chains(live->calls, true);
	fc_calls_set_off_funcs(live->calls, &live->off_funcs);
	fc_calls_set_values(live->calls, live->values);
}

void fc_live_destroy(struct fc_live *live)
{
	if (!live)
		return;
	fc_merge_destroy(live->merge);
	fc_calls_destroy(live->calls);
	fc_off_funcs_deinit(&live->off_funcs);
	fc_filter_destroy(live->filter);
	live->show->deinit(live);
	fc_names_destroy(live->names);
	fc_values_destroy(live->values);
	fc_code_destroy(live->code);
	fc_wanted_deinit(&live->wanted);
	free(live);
}

struct fc_tap *fc_live_tap(struct fc_live *live)
{
	return &live->tap;
}

int fc_live_finish(struct fc_live *live)
{
	fc_clock_calibrate(&live->clock);
	if (live->show->until)
		live->show->until(live, UINT64_MAX);
	fc_merge_until(live->merge, UINT64_MAX);
	fc_calls_finish(live->calls, live->last_tsc);
	return live->show->finish ? live->show->finish(live) : 0;
}

const struct fc_filter *fc_live_filter(const struct fc_live *live)
{
	return live->filter;
}

struct fc_namer fc_live_namer(const struct fc_live *live)
{
	return live->namer;
}

const struct fc_clock *fc_live_clock(const struct fc_live *live)
{
	return &live->clock;
}
