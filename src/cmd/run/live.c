/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/run/live.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "calls/merge.h"
#include "calls/wanted.h"
#include "cmd/options/demangling.h"
#include "cmd/out/output.h"
#include "cmd/run/program.h"
#include "read/sums/rates.h"
#include "read/sums/report.h"
#include "show/lines/tree.h"

/* What the tracer's thread told and the draining thread has not seen yet. */
struct told {
	enum { TOLD_LIFE, TOLD_STRAND_END, TOLD_COUNTS, TOLD_HOOKS } what;
	struct fc_life_info life;
	char *text;
	struct fc_strand_info strand;
	uint64_t tsc;
	uint64_t *calls; /* by function id */
	struct fc_hook_info *hooks;
	size_t nr;
};

struct fc_live {
	struct fc_tap tap;
	struct fc_clock clock;
	struct fc_names *names;
	struct fc_namer namer;
	struct fc_wanted wanted; /* by the tracer's thread */

	pthread_mutex_t lock; /* of told; never held while lines are written */
	FC_VEC(struct told) told;

	/* The draining thread's own: */
	struct fc_merge *merge;
	struct fc_calls *calls;
	struct fc_filter *filter;    /* NULL: all calls are shown */
	struct fc_call_sink *shown;  /* behind the filter */
	struct fc_tree *tree;	     /* or */
	struct fc_report *report;    /* what is shown */
	struct fc_edge_table *edges; /* with the report */
	struct fc_rates *rates;	     /* or what goes to taken, each time that counts are told */
	fc_live_taken taken;
	void *taken_ctx;
	FC_VEC(struct told) later; /* counts and hooks, for when the calls have come so far */
	FC_VEC(uint64_t) counted;  /* calls that were told to have been counted, by function */
	uint64_t last_tick_tsc, last_tsc;
	uint64_t counts_tsc; /* of the last counts; 0: none came */
	bool has_taken;	     /* an interval has ended */
	int fd;
	int err; /* the output ended early */
};

static struct fc_live *live_of(struct fc_tap *tap)
{
	return (struct fc_live *)((char *)tap - offsetof(struct fc_live, tap));
}

/* The tracer's thread. */

static int live_module(struct fc_tap *tap, const struct fc_module_info *info)
{
	fc_names_add(live_of(tap)->names, info);
	return 0;
}

static int live_map(struct fc_tap *tap, const struct fc_map_info *info)
{
	return 0;
}

static void tell(struct fc_live *live, struct told told)
{
	pthread_mutex_lock(&live->lock);
	fc_vec_push(&live->told, told);
	pthread_mutex_unlock(&live->lock);
}

static bool ends_calls(const struct fc_life_info *life)
{
	return life->life == FC_LIFE_EXEC || life->life == FC_LIFE_EXIT ||
	       life->life == FC_LIFE_THREAD_EXIT;
}

static bool is_shown(const struct fc_life_info *life)
{
	return ends_calls(life) || life->life == FC_LIFE_NOTE;
}

static int live_life(struct fc_tap *tap, const struct fc_life_info *life)
{
	struct told told = { .what = TOLD_LIFE, .life = *life };

	if (!is_shown(life))
		return 0;
	told.text = fc_strdup(life->text ? life->text : "");
	tell(live_of(tap), told);
	return 0;
}

static int live_strand_end(struct fc_tap *tap, const struct fc_strand_info *strand,
			   uint64_t tsc)
{
	tell(live_of(tap),
	     (struct told){ .what = TOLD_STRAND_END, .strand = *strand, .tsc = tsc });
	return 0;
}

static int live_filter(struct fc_tap *tap, const struct fc_filter_info *info)
{
	fc_wanted_put(&live_of(tap)->wanted, info);
	return 0;
}

static void *copy_of(const void *from, size_t size)
{
	return memcpy(fc_alloc(size ? size : 1), from, size);
}

static int live_counts(struct fc_tap *tap, uint64_t tsc, const uint64_t *calls, uint32_t nr)
{
	tell(live_of(tap), (struct told){ .what = TOLD_COUNTS,
					  .tsc = tsc,
					  .calls = copy_of(calls, nr * sizeof(*calls)),
					  .nr = nr });
	return 0;
}

static int live_hooks(struct fc_tap *tap, const struct fc_hook_info *info, size_t nr)
{
	tell(live_of(tap), (struct told){ .what = TOLD_HOOKS,
					  .tsc = nr ? info->tsc : 0,
					  .hooks = copy_of(info, nr * sizeof(*info)),
					  .nr = nr });
	return 0;
}

static bool live_is_filtering(struct fc_tap *tap)
{
	return fc_wanted_is_done(&live_of(tap)->wanted);
}

/* The draining thread. */

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
	bool is_thread = life->life == FC_LIFE_THREAD_EXIT;

	if (life->tsc > live->last_tsc)
		live->last_tsc = life->tsc;
	if (ends_calls(life))
		fc_calls_task_end(live->calls, life->pid, is_thread ? life->tid : 0, life->tsc);
	if (live->tree)
		fc_tree_life(live->tree, life);
	if (live->rates && ends_calls(life))
		fc_rates_task_end(live->rates, life->pid, is_thread ? life->tid : 0);
}

/* tsc is when it was found to have ended: mostly its thread or process has ended before. */
static void on_strand_end(void *ctx, const struct fc_strand_info *strand, uint64_t tsc)
{
	struct fc_live *live = ctx;

	fc_calls_strand_end(live->calls, strand->id, tsc);
}

static void free_told(struct told *told)
{
	free(told->text);
	free(told->calls);
	free(told->hooks);
}

static void add_counts(struct fc_live *live, const uint64_t *calls, uint32_t nr)
{
	while (live->counted.nr < nr)
		fc_vec_push(&live->counted, 0);
	for (uint32_t func = 1; func < nr; func++) {
		if (calls[func] <= live->counted.at[func])
			continue;
		fc_report_add_counted(live->report, func, calls[func] - live->counted.at[func]);
		live->counted.at[func] = calls[func];
	}
}

static void take_told(struct fc_live *live, struct told *told)
{
	told->life.text = told->text;
	if (live->rates && (told->what == TOLD_COUNTS || told->what == TOLD_HOOKS)) {
		fc_vec_push(&live->later, *told);
		return;
	}
	if (told->what == TOLD_LIFE)
		fc_merge_life(live->merge, &told->life);
	else if (told->what == TOLD_STRAND_END)
		fc_merge_strand_end(live->merge, &told->strand, told->tsc);
	else if (told->what == TOLD_COUNTS && live->report)
		add_counts(live, told->calls, (uint32_t)told->nr);
	free_told(told);
}

static void settle(struct fc_live *live)
{
	fc_names_settle(live->names);
	pthread_mutex_lock(&live->lock);
	__typeof__(live->told) told = live->told;
	memset(&live->told, 0, sizeof(live->told));
	pthread_mutex_unlock(&live->lock);

	fc_vec_each (&told, one)
		take_told(live, one);
	fc_vec_free(&told);
}

static int live_records(struct fc_tap *tap, const struct fc_strand_info *strand,
			const uint64_t *words, size_t nr_words, uint64_t now_tsc)
{
	fc_merge_records(live_of(tap)->merge, strand, words, nr_words, now_tsc);
	return 0;
}

static void end_interval(struct fc_live *live)
{
	struct fc_rates_view view;

	if (!fc_rates_close(live->rates, live->calls, live->counts_tsc, &view))
		return;
	live->has_taken = true;
	live->taken(live->taken_ctx, &view);
}

/* An interval ends where the counts were taken. */
static void take_counts(struct fc_live *live, const struct told *told)
{
	fc_rates_counts(live->rates, told->calls, (uint32_t)told->nr);
	live->counts_tsc = told->tsc;
	end_interval(live);
}

/* Counts and hooks that were told of up to then, each in its place among the calls. */
static void take_later(struct fc_live *live, uint64_t tsc)
{
	size_t nr = 0;

	for (; nr < live->later.nr && live->later.at[nr].tsc <= tsc; nr++) {
		struct told *told = &live->later.at[nr];
		fc_merge_until(live->merge, told->tsc);
		if (told->what == TOLD_HOOKS)
			fc_rates_hooks(live->rates, told->hooks, told->nr);
		else
			take_counts(live, told);
		free_told(told);
	}
	live->later.nr -= nr;
	if (live->later.nr)
		memmove(live->later.at, live->later.at + nr,
			live->later.nr * sizeof(*live->later.at));
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
								   .match = fc_namer_match,
								   .ctx = &live->namer },
					 live->shown);
		fc_calls_each_open(live->calls, live->last_tsc, add_open, live->filter);
		fc_calls_set_sink(live->calls, fc_filter_sink(live->filter));
	}
	fc_filter_change(live->filter, &info,
			 info.min_ns ? fc_clock_ticks_of(&live->clock, info.min_ns) : 0);
	fc_filter_info_deinit(&info);
}

static int live_edges(struct fc_tap *tap, const struct fc_edge *edges, size_t nr,
		      uint64_t nr_lost)
{
	struct fc_live *live = live_of(tap);

	if (live->edges)
		fc_edge_table_add(live->edges, edges, nr, nr_lost);
	return 0;
}

static int live_tick(struct fc_tap *tap, uint64_t now_tsc)
{
	struct fc_live *live = live_of(tap);

	fc_clock_calibrate(&live->clock);
	settle(live);
	/* Since the last tick all strands were drained: up to it nothing is missing. */
	take_later(live, live->last_tick_tsc);
	fc_merge_until(live->merge, live->last_tick_tsc);
	take_filter(live);
	if (live->tree) {
		fc_tree_pass_time(live->tree, live->last_tick_tsc);
		fc_tree_flush(live->tree);
	}
	live->last_tick_tsc = now_tsc;
	return 0;
}

static void write_lines(void *ctx, const char *lines, size_t len)
{
	struct fc_live *live = ctx;
	if (!live->err)
		live->err = fc_write_all(live->fd, lines, len);
}

static struct fc_live *create(const struct fc_settings *settings)
{
	struct fc_live *live = fc_alloc(sizeof(*live));

	live->tap = (struct fc_tap){
		.module = live_module,
		.map = live_map,
		.life = live_life,
		.records = live_records,
		.strand_end = live_strand_end,
		.tick = live_tick,
		.hooks = live_hooks,
		.counts = live_counts,
		.filter = live_filter,
		.is_filtering = live_is_filtering,
		.edges = live_edges,
	};
	fc_wanted_init(&live->wanted);
	live->names = fc_names_create(fc_demangle_asked());
	live->namer = fc_names_namer(live->names);
	live->merge = fc_merge_create(
		&(struct fc_merge_out){ on_event, on_strand_end, on_life, live });
	pthread_mutex_init(&live->lock, NULL);
	fc_program_start_clock(settings, &live->clock);
	return live;
}

static void connect(struct fc_live *live, const struct fc_settings *settings,
		    struct fc_call_sink *sink)
{
	live->shown = sink;
	if (fc_settings_filter_anything(settings)) {
		struct fc_filter_opts opts =
			fc_settings_filter(settings, &live->clock, &live->namer);
		live->filter = fc_filter_create(&opts, sink);
		sink = fc_filter_sink(live->filter);
	}
	live->calls = fc_calls_create(sink);
}

struct fc_live *fc_live_tree(const struct fc_settings *settings, int fd)
{
	struct fc_live *live = create(settings);
	struct fc_tree_opts opts = {
		.lines = { .clock = &live->clock, .namer = live->namer },
		.write = write_lines,
		.ctx = live,
	};

	live->fd = fd;
	live->tree = fc_tree_create(&opts);
	connect(live, settings, fc_tree_sink(live->tree));
	fc_tree_head(live->tree);
	return live;
}

struct fc_live *fc_live_table(const struct fc_settings *settings)
{
	struct fc_live *live = create(settings);

	live->report = fc_report_create();
	live->edges = fc_edge_table_create();
	connect(live, settings, fc_report_sink(live->report));
	return live;
}

struct fc_live *fc_live_rates(const struct fc_settings *settings, fc_live_taken taken,
			      void *ctx)
{
	struct fc_live *live = create(settings);

	live->taken = taken;
	live->taken_ctx = ctx;
	live->rates = fc_rates_create();
	connect(live, settings, fc_rates_sink(live->rates));
	return live;
}

void fc_live_destroy(struct fc_live *live)
{
	if (!live)
		return;
	fc_merge_destroy(live->merge);
	fc_calls_destroy(live->calls);
	fc_filter_destroy(live->filter);
	fc_tree_destroy(live->tree);
	fc_report_destroy(live->report);
	fc_rates_destroy(live->rates);
	fc_edge_table_destroy(live->edges);
	fc_names_destroy(live->names);
	fc_vec_each (&live->told, told)
		free_told(told);
	fc_vec_free(&live->told);
	fc_vec_each (&live->later, later)
		free_told(later);
	fc_vec_free(&live->later);
	fc_vec_free(&live->counted);
	fc_wanted_deinit(&live->wanted);
	pthread_mutex_destroy(&live->lock);
	free(live);
}

struct fc_tap *fc_live_tap(struct fc_live *live)
{
	return &live->tap;
}

int fc_live_finish(struct fc_live *live)
{
	fc_clock_calibrate(&live->clock);
	settle(live);
	if (live->rates)
		take_later(live, UINT64_MAX);
	/* What is over so soon has an interval nevertheless, from its first call on. */
	if (live->counts_tsc && !live->has_taken)
		end_interval(live);
	fc_merge_until(live->merge, UINT64_MAX);
	fc_calls_finish(live->calls, live->last_tsc);
	if (live->tree)
		fc_tree_flush(live->tree);
	return live->err;
}

const struct fc_filter *fc_live_filter(const struct fc_live *live)
{
	return live->filter;
}

const struct fc_report *fc_live_report(const struct fc_live *live)
{
	return live->report;
}

struct fc_edge_table *fc_live_edges(const struct fc_live *live)
{
	return live->edges;
}

struct fc_namer fc_live_namer(const struct fc_live *live)
{
	return live->namer;
}

const struct fc_clock *fc_live_clock(const struct fc_live *live)
{
	return &live->clock;
}
