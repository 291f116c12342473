/* SPDX-License-Identifier: Apache-2.0 */
/* crunch.c - decodes packets on all CPUs, each with its own sink, and merges the sinks. */
#include "read/sums/crunch.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/crew.h"
#include "base/memory.h"
#include "calls/filter.h"
#include "calls/machine.h"
#include "calls/play.h"

/*
 * A strand is cut into tasks where a packet tells all that is open: threads run these on their
 * machines in any order. What a task leaves of its floor and on top of it is then put together
 * in order, on the strand's spine, where each open call is known from its begin on:
 *
 *     spine    main serve | + task 2: floor main serve      serve left, pushed: stop flush
 *         =>   main stop flush
 */
enum { TASK_PACKETS = 16 };

struct task {
	size_t strand, first, nr;
};

/* How a task changed the stack. */
struct result {
	FC_VEC(struct fc_frame) laid; /* the floor it took for granted */
	FC_VEC(struct fc_floor_leave) leaves;
	uint64_t child_ticks;	      /* of the innermost of the floor that is left */
	struct fc_waited waited;      /* so is this */
	FC_VEC(struct fc_frame) more; /* on top of that */
	bool is_midway;		      /* in the calls that FORK or RESUME tell */
	uint64_t now, next_end;
};

struct spine {
	struct fc_frame *frames; /* one before the first, which is none */
	size_t nr, room;
	size_t next, end; /* tasks */
	uint64_t now;
};

struct crunch {
	struct fc_reader *reader;
	const struct fc_crunch_opts *opts;
	struct fc_ends *ends;
	FC_VEC(struct task) tasks; /* by strand, in order */
	struct result **results;   /* of tasks that wait for those before them */
	struct spine *spines;	   /* by strand */
	struct fc_call_sink **sinks;
	pthread_mutex_t lock; /* of results and spines */
	size_t next_task;
	bool is_over; /* it cannot be done like this */
};

/* ---- tasks ---- */

/* Do the packets follow each other without a gap, in one thread, and time does not run backwards? */
static bool is_row(const struct fc_reader *reader, size_t i)
{
	uint64_t ordinal = 0, lost = 0, at = 0;

	if (fc_reader_strand_has_moved(reader, i))
		return false;
	for (size_t k = 0; k < fc_reader_nr_packets(reader, i); k++) {
		const struct fc_events_head *head = fc_reader_packet(reader, i, k);
		if (head->ordinal != ordinal || head->lost_before != lost || head->begin < at)
			return false;
		ordinal += head->nr_records;
		lost += head->lost;
		at = head->end;
	}
	return true;
}

/* Is what packet k tells as open what is open? Not all of it behind lost records. */
static bool is_cut(const struct crunch *crunch, size_t i, size_t k)
{
	const struct fc_strand_info *strand = fc_reader_strand(crunch->reader, i);
	const struct fc_events_head *first = fc_reader_packet(crunch->reader, i, 0);
	const struct fc_events_head *head = fc_reader_packet(crunch->reader, i, k);
	unsigned shift = fc_reader_time_shift(crunch->reader);

	return !head->lost_before && head->depth <= FC_OPENS_TOLD &&
	       fc_ends_next(crunch->ends, strand, first->begin << shift) >= head->begin
										    << shift;
}

static bool is_wanted(const struct crunch *crunch, size_t i)
{
	return !crunch->opts->tid ||
	       fc_reader_strand_may_be(crunch->reader, i, crunch->opts->tid);
}

static void cut_strand(struct crunch *crunch, size_t i, size_t nr_wanted)
{
	struct task task = { .strand = i };
	size_t nr = fc_reader_nr_packets(crunch->reader, i);

	crunch->spines[i].next = crunch->tasks.nr;
	for (size_t k = 1; k < nr; k++) {
		if (k - task.first < nr_wanted || !is_cut(crunch, i, k))
			continue;
		task.nr = k - task.first;
		fc_vec_push(&crunch->tasks, task);
		task.first = k;
	}
	task.nr = nr - task.first;
	fc_vec_push(&crunch->tasks, task);
	crunch->spines[i].end = crunch->tasks.nr;
}

static bool cut_all(struct crunch *crunch, size_t nr_threads)
{
	size_t nr_strands = fc_reader_nr_strands(crunch->reader), nr_packets = 0;

	for (size_t i = 0; i < nr_strands; i++) {
		if (!is_wanted(crunch, i))
			continue;
		nr_packets += fc_reader_nr_packets(crunch->reader, i);
		if (!is_row(crunch->reader, i))
			return false;
	}
	size_t wanted = nr_packets / (4 * nr_threads);
	wanted = wanted > TASK_PACKETS ? TASK_PACKETS : wanted ? wanted : 1;
	for (size_t i = 0; i < nr_strands; i++) {
		if (is_wanted(crunch, i))
			cut_strand(crunch, i, wanted);
	}
	crunch->results = fc_alloc(crunch->tasks.nr * sizeof(struct result *));
	return true;
}

/* ---- results ---- */

static struct result *take_result(const struct fc_machine *m)
{
	struct result *result = fc_alloc(sizeof(*result));

	for (size_t i = 0; i < m->laid.nr; i++)
		fc_vec_push(&result->laid, m->laid.at[i]);
	for (size_t i = 0; i < m->floor_leaves.nr; i++)
		fc_vec_push(&result->leaves, m->floor_leaves.at[i]);
	for (size_t i = m->nr_floor; i < m->nr; i++)
		fc_vec_push(&result->more, m->frames[i]);
	if (m->nr_floor) {
		result->child_ticks = m->frames[m->nr_floor - 1].child_ticks;
		result->waited = m->frames[m->nr_floor - 1].waited;
	}
	result->is_midway = m->announced.nr > 0;
	result->now = m->now;
	result->next_end = m->next_end;
	return result;
}

static void free_result(struct result *result)
{
	if (!result)
		return;
	fc_vec_free(&result->laid);
	fc_vec_free(&result->leaves);
	fc_vec_free(&result->more);
	free(result);
}

/* ---- spines ---- */

static void spine_push(struct spine *spine, const struct fc_frame *frame)
{
	spine->frames = fc_frames_grow(spine->frames, &spine->room, spine->nr + 1);
	spine->frames[spine->nr++] = *frame;
}

static void spine_leave(struct crunch *crunch, size_t i, struct fc_call_sink *sink,
			uint64_t tsc, enum fc_left left)
{
	const struct fc_strand_info *strand = fc_reader_strand(crunch->reader, i);
	struct spine *spine = &crunch->spines[i];
	struct fc_call call = {
		.strand = strand->id,
		.pid = strand->pid,
		.tid = strand->tid,
		.depth = (uint32_t)--spine->nr,
	};
	fc_frame_leave(&spine->frames[spine->nr], sink, &call, tsc, left);
}

static bool is_floor(const struct spine *spine, const struct result *result)
{
	if (spine->nr != result->laid.nr)
		return false;
	for (size_t i = 0; i < spine->nr; i++) {
		const struct fc_frame *a = &spine->frames[i], *b = &result->laid.at[i];
		if (a->func != b->func || a->begin_tsc != b->begin_tsc)
			return false;
	}
	return true;
}

/* What is open when no more comes: does it end with something that is known? */
static uint64_t end_of_strand(const struct crunch *crunch, size_t i,
			      const struct result *result)
{
	size_t nr = fc_reader_nr_packets(crunch->reader, i);
	const struct fc_events_head *last = fc_reader_packet(crunch->reader, i, nr - 1);
	uint64_t end = UINT64_MAX;

	if (last->has_ended)
		end = last->end << fc_reader_time_shift(crunch->reader);
	return result->next_end < end ? result->next_end : end;
}

static void strand_done(struct crunch *crunch, size_t i, const struct result *result,
			struct fc_call_sink *sink)
{
	struct spine *spine = &crunch->spines[i];
	uint64_t end = end_of_strand(crunch, i, result);

	while (end != UINT64_MAX && spine->nr)
		spine_leave(crunch, i, sink, end, FC_LEFT_END);
	if (!spine->nr && spine->frames) {
		fc_frames_free(spine->frames);
		spine->frames = NULL;
		spine->room = 0;
	}
}

static void add_beneath(struct fc_frame *frame, uint64_t child_ticks, struct fc_waited waited)
{
	frame->child_ticks += child_ticks;
	frame->waited.ticks += waited.ticks;
	frame->waited.self_ticks += waited.self_ticks;
}

/* False: the task began with something else than what is there. */
static bool add_result(struct crunch *crunch, size_t i, const struct result *result,
		       struct fc_call_sink *sink)
{
	struct spine *spine = &crunch->spines[i];

	if (!is_floor(spine, result))
		return false;
	for (size_t k = 0; k < result->leaves.nr; k++) {
		const struct fc_floor_leave *leave = &result->leaves.at[k];
		add_beneath(&spine->frames[spine->nr - 1], leave->child_ticks, leave->waited);
		spine_leave(crunch, i, sink, leave->end_tsc, leave->left);
	}
	if (spine->nr)
		add_beneath(&spine->frames[spine->nr - 1], result->child_ticks, result->waited);
	for (size_t k = 0; k < result->more.nr; k++)
		spine_push(spine, &result->more.at[k]);
	spine->now = result->now;
	bool is_last = ++spine->next == spine->end;
	if (is_last)
		strand_done(crunch, i, result, sink);
	return is_last || !result->is_midway;
}

/* Add this result and those that waited for it, when nothing before them is missing. */
static bool add_results(struct crunch *crunch, size_t task, struct result *result,
			struct fc_call_sink *sink)
{
	size_t i = crunch->tasks.at[task].strand;
	struct spine *spine = &crunch->spines[i];

	crunch->results[task] = result;
	while (spine->next < spine->end && crunch->results[spine->next]) {
		size_t next = spine->next;
		if (!add_result(crunch, i, crunch->results[next], sink))
			return false;
		free_result(crunch->results[next]);
		crunch->results[next] = NULL;
	}
	return true;
}

/* ---- threads ---- */

static bool run_task(struct crunch *crunch, struct fc_machine *machine, size_t nr)
{
	const struct task *task = &crunch->tasks.at[nr];
	if (fc_machine_run(machine, task->strand, task->first, task->nr))
		return false;

	struct result *result = take_result(machine);
	fc_machine_clear(machine);
	pthread_mutex_lock(&crunch->lock);
	bool is_added = add_results(crunch, nr, result, machine->sink);
	pthread_mutex_unlock(&crunch->lock);
	return is_added;
}

static bool is_cancelled(const struct fc_crunch_opts *opts)
{
	return opts->watch && __atomic_load_n(&opts->watch->is_cancelled, __ATOMIC_RELAXED);
}

static void tell_watch(const struct crunch *crunch)
{
	struct fc_crunch_watch *watch = crunch->opts->watch;

	if (watch)
		__atomic_fetch_add(&watch->done, 1, __ATOMIC_RELAXED);
}

static void work(void *ctx, size_t thread)
{
	struct crunch *crunch = ctx;
	struct fc_machine machine;

	fc_machine_init(&machine, crunch->reader, crunch->ends, crunch->opts->group,
			crunch->sinks[thread]);
	while (!__atomic_load_n(&crunch->is_over, __ATOMIC_RELAXED)) {
		size_t nr = __atomic_fetch_add(&crunch->next_task, 1, __ATOMIC_RELAXED);
		if (nr >= crunch->tasks.nr)
			break;
		bool is_run = !is_cancelled(crunch->opts) && run_task(crunch, &machine, nr);
		tell_watch(crunch);
		if (!is_run)
			__atomic_store_n(&crunch->is_over, true, __ATOMIC_RELAXED);
	}
	fc_machine_deinit(&machine);
}

/* ---- the whole ---- */

static void finish(struct crunch *crunch, struct fc_call_sink *sink)
{
	size_t nr = fc_reader_nr_strands(crunch->reader);
	uint64_t last = fc_ends_last(crunch->ends);

	for (size_t i = 0; i < nr; i++) {
		size_t nr_packets = fc_reader_nr_packets(crunch->reader, i);
		const struct fc_events_head *head =
			fc_reader_packet(crunch->reader, i, nr_packets - 1);
		uint64_t end = head->end << fc_reader_time_shift(crunch->reader);
		bool is_known = head->has_ended || !is_wanted(crunch, i);
		uint64_t now = is_known ? end : crunch->spines[i].now;
		last = now > last ? now : last;
	}
	for (size_t i = 0; i < nr; i++) {
		while (crunch->spines[i].nr)
			spine_leave(crunch, i, sink, last, FC_LEFT_END);
	}
	sink->finish(sink);
}

static void crunch_init(struct crunch *crunch, struct fc_reader *reader,
			const struct fc_crunch_opts *opts)
{
	*crunch = (struct crunch){
		.reader = reader,
		.opts = opts,
		.ends = fc_ends_create(reader),
		.spines = fc_alloc(fc_reader_nr_strands(reader) * sizeof(struct spine)),
		.lock = PTHREAD_MUTEX_INITIALIZER,
	};
}

static void crunch_deinit(struct crunch *crunch)
{
	for (size_t i = 0; crunch->results && i < crunch->tasks.nr; i++)
		free_result(crunch->results[i]);
	for (size_t i = 0; i < fc_reader_nr_strands(crunch->reader); i++)
		fc_frames_free(crunch->spines[i].frames);
	fc_ends_destroy(crunch->ends);
	fc_vec_free(&crunch->tasks);
	free(crunch->results);
	free(crunch->spines);
	free(crunch->sinks);
}

static struct fc_call_sink *merge(struct crunch *crunch, size_t nr_threads)
{
	struct fc_call_sink *all = crunch->sinks[0];
	const struct fc_crunch_opts *opts = crunch->opts;

	for (size_t i = 1; i < nr_threads; i++) {
		if (!crunch->is_over)
			opts->merge(all, crunch->sinks[i]);
		opts->destroy(crunch->sinks[i]);
	}
	if (!crunch->is_over) {
		finish(crunch, all);
		return all;
	}
	opts->destroy(all);
	return NULL;
}

int fc_crunch_unordered(struct fc_reader *reader, const struct fc_crunch_opts *opts,
			struct fc_call_sink **ret)
{
	struct crunch crunch;
	size_t nr = fc_crew_size();

	*ret = NULL;
	fc_reader_begin_pass(reader, &(struct fc_choice){ .tid = opts->tid }, 0);
	crunch_init(&crunch, reader, opts);
	if (cut_all(&crunch, nr)) {
		if (nr > crunch.tasks.nr)
			nr = crunch.tasks.nr ? crunch.tasks.nr : 1;
		if (opts->watch)
			__atomic_store_n(&opts->watch->whole, crunch.tasks.nr,
					 __ATOMIC_RELAXED);
		crunch.sinks = fc_alloc(nr * sizeof(struct fc_call_sink *));
		for (size_t i = 0; i < nr; i++)
			crunch.sinks[i] = opts->create(opts->ctx);
		fc_crew_each(nr, work, &crunch);
		*ret = merge(&crunch, nr);
	}
	crunch_deinit(&crunch);
	return *ret ? 0 : -EAGAIN;
}

static bool is_enough(void *ctx)
{
	return is_cancelled(ctx);
}

int fc_crunch(struct fc_reader *reader, const struct fc_crunch_opts *opts,
	      struct fc_call_sink **ret)
{
	if (!fc_crunch_unordered(reader, opts, ret))
		return 0;
	if (opts->watch)
		__atomic_store_n(&opts->watch->whole, 0, __ATOMIC_RELAXED);

	const struct fc_play_opts play = { .group = opts->group,
					   .is_enough = is_enough,
					   .ctx = (void *)opts };
	const struct fc_filter_opts one_thread = { .tid = opts->tid, .group = opts->group };
	struct fc_call_sink *sink = opts->create(opts->ctx);
	struct fc_filter *filter = opts->tid ? fc_filter_create(&one_thread, sink) : NULL;
	fc_play(reader, &play, filter ? fc_filter_sink(filter) : sink);
	fc_filter_destroy(filter);
	if (is_cancelled(opts)) {
		opts->destroy(sink);
		return -ECANCELED;
	}
	*ret = sink;
	return 0;
}
