/* SPDX-License-Identifier: Apache-2.0 */
/* errand.c - runs a sum in a thread of its own, and hands over the result. */
#include "show/tui/errand.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/guard.h"
#include "base/memory.h"
#include "base/vec.h"
#include "calls/play.h"
#include "calls/tee.h"
#include "calls/wanted.h"
#include "read/sums/crunch.h"

#define NODES (256u << 10) /* of the graph: 16 MB */
#define PAIRS (256u << 10)

struct fc_errand {
	struct fc_errand_opts opts;
	uint64_t nr;
	pthread_t thread;
	bool has_thread, is_done;
	struct fc_crunch_watch watch;
	char *trouble, *missing;

	struct fc_report_row *rows;
	size_t nr_rows;
	FC_VEC(struct fc_longest) longest; /* by function */

	struct fc_graph *graph;
	struct fc_callers *callers;
};

/* ---- functions ---- */

/* A report, and the longest call of each function. */
struct double_sink {
	struct fc_call_sink sink;
	struct fc_report *report;
	uint32_t max_func; /* a damaged id may be any */
	FC_VEC(struct fc_longest) longest;
};

static struct double_sink *double_of(struct fc_call_sink *sink)
{
	return (struct double_sink *)((char *)sink - offsetof(struct double_sink, sink));
}

static bool is_longer(const struct fc_longest *a, const struct fc_longest *b)
{
	if (a->ticks != b->ticks)
		return a->ticks > b->ticks;
	return a->ticks && (a->begin_tsc != b->begin_tsc ? a->begin_tsc < b->begin_tsc
							 : a->strand < b->strand);
}

static void take_longest(struct double_sink *both, uint32_t func, const struct fc_longest *it)
{
	struct fc_longest *longest = fc_vec_make(&both->longest, func);

	if (is_longer(it, longest))
		*longest = *it;
}

static void on_leave(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct double_sink *both = double_of(sink);
	struct fc_call_sink *report = fc_report_sink(both->report);
	struct fc_longest it = { fc_call_ticks(call) + 1, call->begin_tsc, call->strand,
				 call->depth };

	report->leave(report, call);
	if (call->left == FC_LEFT_UNSEEN || call->left == FC_LEFT_LOST || call->is_inherited ||
	    call->is_resumed || call->func > both->max_func)
		return;
	if (call->func >= both->longest.nr || it.ticks >= both->longest.at[call->func].ticks)
		take_longest(both, call->func, &it);
}

static void on_event(struct fc_call_sink *sink, const struct fc_event *event)
{
	struct fc_call_sink *report = fc_report_sink(double_of(sink)->report);
	report->event(report, event);
}

static struct fc_call_sink *create_both(void *ctx)
{
	struct double_sink *both = fc_alloc(sizeof(*both));
	both->sink = (struct fc_call_sink){ fc_sink_skip_call, on_leave, on_event,
					    fc_sink_skip_finish };
	both->report = fc_report_create_as(
		&(struct fc_report_opts){ .off_funcs = fc_reader_off_funcs(ctx) });
	both->max_func = fc_reader_max_func(ctx);
	return &both->sink;
}

static void merge_both(struct fc_call_sink *into, struct fc_call_sink *from)
{
	struct double_sink *both = double_of(into), *other = double_of(from);

	fc_report_merge(both->report, other->report);
	for (size_t i = 0; i < other->longest.nr; i++)
		take_longest(both, (uint32_t)i, &other->longest.at[i]);
}

static void destroy_both(struct fc_call_sink *sink)
{
	struct double_sink *both = double_of(sink);

	fc_report_destroy(both->report);
	fc_vec_free(&both->longest);
	free(both);
}

/* ---- in order of time ---- */

static bool is_stopped(void *ctx)
{
	const struct fc_errand *errand = ctx;
	return __atomic_load_n(&errand->watch.is_cancelled, __ATOMIC_RELAXED);
}

static uint64_t first_tsc(const struct fc_errand *errand)
{
	uint64_t from = errand->opts.range.from_tsc;
	uint64_t tsc0 = fc_reader_clock(errand->opts.reader)->tsc0;

	return from > tsc0 ? from : tsc0;
}

static bool is_past(void *ctx, uint64_t now_tsc)
{
	struct fc_errand *errand = ctx;
	uint64_t first = first_tsc(errand);

	__atomic_store_n(&errand->watch.done, now_tsc > first ? now_tsc - first : 0,
			 __ATOMIC_RELAXED);
	return false;
}

static void play(struct fc_errand *errand, struct fc_reader *reader, struct fc_call_sink *sink)
{
	const struct fc_clock *clock = fc_reader_clock(reader);
	const struct fc_play_opts opts = {
		.is_enough = is_stopped,
		.is_past = is_past,
		.ctx = errand,
		.choice = { .tid = errand->opts.tid },
		.range = errand->opts.range,
	};
	uint64_t first = first_tsc(errand), last = errand->opts.range.to_tsc;
	struct fc_totals totals;

	fc_reader_totals(reader, &totals);
	if (!last)
		last = clock->tsc0 + fc_clock_ticks_of(clock, totals.duration_ns);
	__atomic_store_n(&errand->watch.whole, last > first ? last - first : 0,
			 __ATOMIC_RELAXED);
	fc_play(reader, &opts, sink);
}

/*
 * Of calls that were only counted it is not known which thread made them, nor when. 0: none are
 * to be told of.
 */
static uint32_t max_counted(const struct fc_errand *errand, const struct fc_reader *reader)
{
	bool is_all = !errand->opts.tid && !fc_errand_is_of_part(&errand->opts);
	return is_all ? fc_reader_max_func(reader) : 0;
}

/* ---- functions: all ---- */

static int crunch_both(struct fc_errand *errand, struct fc_reader *reader,
		       struct fc_call_sink **ret)
{
	const struct fc_crunch_opts opts = {
		.create = create_both,
		.merge = merge_both,
		.destroy = destroy_both,
		.ctx = reader,
		.tid = errand->opts.tid,
		.watch = &errand->watch,
	};
	return fc_crunch(reader, &opts, ret);
}

static int sum_functions(struct fc_errand *errand, struct fc_reader *reader)
{
	bool is_part = fc_errand_is_of_part(&errand->opts);
	struct fc_call_sink *sink = is_part ? create_both(reader) : NULL;
	int err = is_part ? 0 : crunch_both(errand, reader, &sink);

	if (err)
		return err;
	if (is_part)
		play(errand, reader, sink);
	struct double_sink *both = double_of(sink);
	for (uint32_t func = 1; func <= max_counted(errand, reader); func++)
		fc_report_add_counted(both->report, func, fc_reader_counted(reader, func));
	err = fc_report_rows(both->report, "total", fc_reader_clock(reader),
			     &errand->opts.namer, &errand->rows, &errand->nr_rows);
	for (size_t i = 0; i < both->longest.nr; i++)
		fc_vec_push(&errand->longest, both->longest.at[i]);
	destroy_both(sink);
	return err;
}

/* ---- paths ---- */

static void sum_paths(struct fc_errand *errand, struct fc_reader *reader)
{
	struct fc_tee tee;

	errand->graph = fc_graph_create(NODES);
	errand->callers = fc_callers_create(PAIRS);
	fc_tee_init(&tee, fc_graph_sink(errand->graph), fc_callers_sink(errand->callers));
	play(errand, reader, &tee.sink);
	for (uint32_t func = 1; func <= max_counted(errand, reader); func++) {
		fc_graph_add_counted(errand->graph, func, fc_reader_counted(reader, func));
		fc_callers_add_counted(errand->callers, func, fc_reader_counted(reader, func));
	}
}

/* ---- the thread ---- */

/* Is it still the same trace, and not another file in its place? */
static bool is_same(struct fc_errand *errand, struct fc_reader *reader)
{
	struct fc_totals a, b;

	fc_reader_totals(errand->opts.reader, &a);
	fc_reader_totals(reader, &b);
	return a.bytes == b.bytes &&
	       fc_reader_clock(reader)->tsc0 == fc_reader_clock(errand->opts.reader)->tsc0;
}

static int sum(struct fc_errand *errand)
{
	struct fc_reader *reader = NULL;
	int err = fc_reader_open(errand->opts.path, &reader);

	if (err)
		return err;
	if (!is_same(errand, reader))
		err = fc_fail(ESTALE, "%s is another trace by now", errand->opts.path);
	else if (errand->opts.kind == FC_ERRAND_FUNCTIONS)
		err = sum_functions(errand, reader);
	else
		sum_paths(errand, reader);
	if (fc_reader_trouble(reader))
		errand->missing = fc_strdup(fc_reader_trouble(reader));
	fc_reader_close(reader);
	return err;
}

static void *run(void *ctx)
{
	struct fc_errand *errand = ctx;
	fc_guard_unblock();

	/* Keys come first. */
	setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), 10);
	int err = sum(errand);
	if (err)
		errand->trouble =
			fc_strdup(fc_fail_text()[0] ? fc_fail_text() : strerror(-err));
	__atomic_store_n(&errand->is_done, true, __ATOMIC_RELEASE);
	return NULL;
}

struct fc_errand *fc_errand_start(const struct fc_errand_opts *opts)
{
	static uint64_t last_nr;
	struct fc_errand *errand = fc_alloc(sizeof(*errand));
	sigset_t all, was;

	errand->opts = *opts;
	errand->nr = ++last_nr;
	/* Signals are for the thread that has the terminal. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &was);
	errand->has_thread = !pthread_create(&errand->thread, NULL, run, errand);
	pthread_sigmask(SIG_SETMASK, &was, NULL);
	if (!errand->has_thread)
		run(errand);
	return errand;
}

void fc_errand_cancel(struct fc_errand *errand)
{
	__atomic_store_n(&errand->watch.is_cancelled, true, __ATOMIC_RELAXED);
}

void fc_errand_destroy(struct fc_errand *errand)
{
	if (!errand)
		return;
	fc_errand_cancel(errand);
	if (errand->has_thread)
		pthread_join(errand->thread, NULL);
	fc_graph_destroy(errand->graph);
	fc_callers_destroy(errand->callers);
	fc_vec_free(&errand->longest);
	free(errand->rows);
	free(errand->trouble);
	free(errand->missing);
	free(errand);
}

bool fc_errand_is_for(const struct fc_errand *errand, const struct fc_errand_opts *opts)
{
	const struct fc_range *range = &errand->opts.range;

	return errand->opts.kind == opts->kind && errand->opts.tid == opts->tid &&
	       range->from_tsc == opts->range.from_tsc && range->to_tsc == opts->range.to_tsc;
}

uint64_t fc_errand_nr(const struct fc_errand *errand)
{
	return errand->nr;
}

const struct fc_range *fc_errand_range(const struct fc_errand *errand)
{
	return &errand->opts.range;
}

bool fc_errand_is_done(const struct fc_errand *errand)
{
	return __atomic_load_n(&errand->is_done, __ATOMIC_ACQUIRE);
}

double fc_errand_progress(const struct fc_errand *errand)
{
	uint64_t whole = __atomic_load_n(&errand->watch.whole, __ATOMIC_RELAXED);
	uint64_t done = __atomic_load_n(&errand->watch.done, __ATOMIC_RELAXED);
	return !whole ? 0 : done > whole ? 1 : (double)done / (double)whole;
}

const char *fc_errand_trouble(const struct fc_errand *errand)
{
	return errand->trouble;
}

const char *fc_errand_missing(const struct fc_errand *errand)
{
	return errand->missing;
}

struct fc_report_row *fc_errand_rows(const struct fc_errand *errand, size_t *nr)
{
	*nr = errand->nr_rows;
	return errand->rows;
}

const struct fc_longest *fc_errand_longest(const struct fc_errand *errand, uint32_t func)
{
	bool is_there = func < errand->longest.nr && errand->longest.at[func].ticks;
	return is_there ? &errand->longest.at[func] : NULL;
}

const struct fc_graph *fc_errand_graph(const struct fc_errand *errand)
{
	return errand->graph;
}

const struct fc_callers *fc_errand_callers(const struct fc_errand *errand)
{
	return errand->callers;
}
