/* SPDX-License-Identifier: Apache-2.0 */
/* filter.c - decides which calls pass, by function, thread, depth, duration and result. */
#include "calls/filter.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/vec.h"
#include "calls/deferred.h"
#include "calls/recursion.h"
#include "calls/strands.h"
#include "calls/threads.h"
#include "calls/wanted.h"
#include "trace/mark.h"

/* Which globs of -N and -m a function matches, as bits, asked once for each. */
enum { ASKED = 1, EXCEPT = 2, ELSEWHERE = 4 };

/*
 * The open calls of a strand, outermost first. Calls that are told to the next sink are a
 * prefix of the visible ones: who tells a call tells its callers first.
 *
 *	main  work  step  leaf
 *	told  told  held  held         nr_settled = 2
 *
 * What a function reached by a tail jump, it has called: leaf stands beneath step, though step
 * is over. So as long as leaf is open and may yet be told, step is kept, which is over then.
 */
struct open_call {
	/* depth and is_recursive as the next sink sees them; if is_over it has ended, with a copy of values */
	struct fc_call call;
	uint32_t level;	   /* as -D counts */
	bool is_told;	   /* so its end will be, whatever the filter is by then */
	bool is_counted;   /* in the strand's recursion */
	bool is_only;	   /* a -F match */
	bool is_under;	   /* at or beneath one */
	bool is_out;	   /* at or beneath a -N match */
	bool is_elsewhere; /* of no file that -m asks for: as if it were not hooked */
	bool is_visible;   /* of those: within -D too; to be told, unless shorter than -t */
	bool is_jumped_to; /* by one that counts in -D: so level counts that jump */
	bool is_over;	   /* left by a jump; what it has jumped to is next */
	size_t nr_jumped;  /* of the strand's: before those who jumped to this one */
};

struct jumped {
	uint32_t func;
	bool is_only;
};

struct strand {
	FC_VEC(struct open_call) stack;
	size_t nr_settled; /* outermost calls that are told, or never will be */
	uint32_t nr_told;  /* of those that are open */
	uint32_t below;	   /* the strand that its thread was on when this one began anew */
	struct fc_recursion recursion;
	struct fc_kept_event wait; /* the wait in calls that are held */
	/* Functions that ended by tail jumps, each once for an open call; behind those: for the
	 * call that comes next. */
	FC_VEC(struct jumped) jumped;
	/* The last call ended by a jump: when, at which depth, and where its own of jumped begin. */
	bool is_jump;
	uint64_t jump_tsc;
	uint32_t jump_depth;
	size_t jump_from;
};

struct fc_filter {
	struct fc_call_sink sink;
	struct fc_call_sink *next;
	struct fc_filter_opts opts;
	struct fc_strands strands;
	struct fc_threads threads;
	FC_VEC(uint8_t) answers; /* by function id */
	struct fc_only *only;
	struct fc_only *leading;      /* of -C */
	struct fc_failures *failures; /* NULL: each is shown */
	struct fc_deferred *deferred;
	struct fc_filter_info own; /* what opts point to since a change */
	bool is_changed;
};

static struct fc_filter *filter_of(struct fc_call_sink *sink)
{
	return (struct fc_filter *)((char *)sink - offsetof(struct fc_filter, sink));
}

static bool matches(const struct fc_filter *filter, uint32_t func, const char *glob)
{
	return filter->opts.match(filter->opts.ctx, func, glob);
}

static bool is_except(const struct fc_filter *filter, uint32_t func)
{
	for (char **glob = filter->opts.except; glob && *glob; glob++) {
		if (matches(filter, func, *glob))
			return true;
	}
	return false;
}

/* -m: of a file that none of the globs matches. */
static bool is_elsewhere(const struct fc_filter *filter, uint32_t func)
{
	char **glob = filter->opts.modules;

	for (; glob && *glob; glob++) {
		fc_auto_free char *all = fc_asprintf("%s:*", *glob);
		if (matches(filter, func, all))
			return false;
	}
	return filter->opts.modules;
}

static uint8_t answer(struct fc_filter *filter, uint32_t func)
{
	uint8_t *known = fc_vec_make(&filter->answers, func);

	if (!*known)
		*known = ASKED | (is_except(filter, func) ? EXCEPT : 0) |
			 (is_elsewhere(filter, func) ? ELSEWHERE : 0);
	return *known;
}

static bool is_other_thread(const struct fc_filter *filter, int pid, int tid)
{
	return (filter->opts.tid && filter->opts.tid != tid) ||
	       (filter->opts.pid && filter->opts.pid != pid);
}

static bool counts(const struct open_call *outer)
{
	return outer && outer->is_under && !outer->is_out && !outer->is_elsewhere;
}

/* Where the call stands beneath the one that is open around it (NULL: none is). */
static struct open_call judge_one(struct fc_filter *filter, const struct fc_call *call,
				  bool is_only, const struct open_call *outer)
{
	const struct fc_filter_opts *opts = &filter->opts;
	uint8_t said = opts->except || opts->modules ? answer(filter, call->func) : 0;
	struct open_call ret = { .call = *call, .is_only = is_only };

	ret.is_under = !opts->only || (outer && outer->is_under) || is_only;
	ret.is_out = (outer && outer->is_out) || (said & EXCEPT);
	ret.is_elsewhere = said & ELSEWHERE;
	ret.level = counts(outer) ? outer->level + 1 : outer ? outer->level : 0;
	ret.is_visible = ret.is_under && !ret.is_out && !ret.is_elsewhere &&
			 (!opts->depth || ret.level < opts->depth) &&
			 !is_other_thread(filter, call->pid,
					  call->tid); /* it may go on in one asked for */
	return ret;
}

/* The same beneath one that jumped to it. For -D a row of jumps is one level, however long. */
static struct open_call judge_jump(struct fc_filter *filter, const struct fc_call *call,
				   bool is_only, const struct open_call *from)
{
	struct open_call before = *from;

	if (from->is_jumped_to && from->level)
		before.level--;
	struct open_call ret = judge_one(filter, call, is_only, &before);
	ret.is_jumped_to = counts(from);
	return ret;
}

/* As it stands with those who jumped, from + nr of the strand's. */
static struct open_call judge(struct fc_filter *filter, const struct strand *strand,
			      const struct fc_call *call, bool is_only,
			      const struct open_call *outer, size_t from, size_t nr)
{
	struct open_call ret;

	/* Mostly nobody has jumped to it. */
	if (!nr) {
		ret = judge_one(filter, call, is_only, outer);
		ret.nr_jumped = from;
		return ret;
	}
	struct fc_call jumped = *call;
	ret = (struct open_call){ 0 };
	for (size_t i = 0; i <= nr; i++) {
		if (i < nr)
			jumped.func = strand->jumped.at[from + i].func;
		const struct fc_call *now = i < nr ? &jumped : call;
		bool is_now = i < nr ? strand->jumped.at[from + i].is_only : is_only;
		struct open_call last = ret;
		ret = i ? judge_jump(filter, now, is_now, &last)
			: judge_one(filter, now, is_now, outer);
	}
	ret.nr_jumped = from;
	return ret;
}

/* The innermost open call, or NULL. */
static struct open_call *top_of(struct strand *strand)
{
	size_t i = strand->stack.nr;

	while (i && strand->stack.at[i - 1].is_over)
		i--;
	return i ? &strand->stack.at[i - 1] : NULL;
}

static void free_over(const struct open_call *open)
{
	if (open->is_over)
		free((void *)open->call.values);
}

/* What the innermost ones that are over have jumped to is over, too, or not seen. */
static void drop_over(struct strand *strand)
{
	while (strand->stack.nr && strand->stack.at[strand->stack.nr - 1].is_over)
		free_over(&strand->stack.at[--strand->stack.nr]);
}

/* The call that ends jumps on: to the one that begins next. */
static void keep_jump(struct strand *strand, const struct fc_call *call, bool is_only,
		      size_t from)
{
	const struct jumped jumped = { call->func, is_only };
	strand->is_jump = true;
	strand->jump_tsc = call->end_tsc;
	strand->jump_depth = call->depth;
	strand->jump_from = from;
	for (size_t i = from; i < strand->jumped.nr; i++)
		if (strand->jumped.at[i].func == jumped.func &&
		    strand->jumped.at[i].is_only == is_only)
			return;
	fc_vec_push(&strand->jumped, jumped);
}

static void forget_jump(struct strand *strand)
{
	if (!strand->is_jump)
		return;
	strand->jumped.nr = strand->jump_from;
	strand->is_jump = false;
	drop_over(strand);
}

static void drop_all_over(struct strand *strand)
{
	size_t nr = 0;

	for (size_t i = 0; i < strand->stack.nr; i++)
		if (strand->stack.at[i].is_over)
			free_over(&strand->stack.at[i]);
		else
			strand->stack.at[nr++] = strand->stack.at[i];
	strand->stack.nr = nr;
}

/* It is not told yet: only if what it jumped to will be. Of a long row of jumps the last. */
static void keep_over(struct strand *strand, struct open_call *open, const struct fc_call *call)
{
	enum { MOST = 64 };
	size_t i = strand->stack.nr, first;

	while (i && strand->stack.at[i - 1].is_over)
		i--;
	first = i;
	if (strand->stack.nr - first == MOST) {
		free_over(&strand->stack.at[first]);
		memmove(&strand->stack.at[first], &strand->stack.at[first + 1],
			(MOST - 1) * sizeof(*strand->stack.at));
		strand->stack.nr--;
	}
	open->is_over = true;
	open->is_counted = false;
	open->call.end_tsc = call->end_tsc;
	open->call.self_ticks = call->self_ticks;
	open->call.wait_ticks = call->wait_ticks;
	open->call.self_wait_ticks = call->self_wait_ticks;
	open->call.values = fc_call_values_copy(call->values);
	fc_vec_push(&strand->stack, *open);
}

/* The innermost call from now on. */
static struct open_call begin(struct fc_filter *filter, struct strand *strand,
			      const struct fc_call *call, bool is_only)
{
	bool is_reached = strand->is_jump && strand->jump_tsc >= call->begin_tsc &&
			  strand->jump_depth == call->depth;

	if (!is_reached)
		forget_jump(strand);
	strand->is_jump = false;
	size_t from = is_reached ? strand->jump_from : strand->jumped.nr;
	return judge(filter, strand, call, is_only, top_of(strand), from,
		     strand->jumped.nr - from);
}

static void tell_over(struct fc_filter *filter, struct strand *strand,
		      const struct open_call *over)
{
	struct fc_call call = over->call;

	call.depth = strand->nr_told;
	call.end_tsc = call.self_ticks = call.wait_ticks = call.self_wait_ticks = 0;
	filter->next->enter(filter->next, &call);
	call.end_tsc = over->call.end_tsc;
	call.self_ticks = over->call.self_ticks;
	call.wait_ticks = over->call.wait_ticks;
	call.self_wait_ticks = over->call.self_wait_ticks;
	call.left = FC_LEFT_TAIL;
	filter->next->leave(filter->next, &call);
}

/* Of those that are not settled. NULL: there is none, but some may have jumped to one that comes. */
static struct open_call *next_open(const struct strand *strand)
{
	size_t i = strand->nr_settled;

	while (i < strand->stack.nr && strand->stack.at[i].is_over)
		i++;
	return i < strand->stack.nr ? &strand->stack.at[i] : NULL;
}

/* A call that is the next open one, and those that jumped to it. */
static void tell_next(struct fc_filter *filter, struct strand *strand, struct open_call *open)
{
	struct open_call *first = &strand->stack.at[strand->nr_settled];
	struct open_call *end = strand->stack.at + strand->stack.nr;

	for (const struct open_call *over = first; over < open; over++) {
		if (open->is_visible)
			tell_over(filter, strand, over);
		free_over(over);
	}
	memmove(first, open, (size_t)(end - open) * sizeof(*open));
	strand->stack.nr -= (size_t)(open - first);
	strand->nr_settled++;
	if (!first->is_visible)
		return;
	first->is_told = true;
	first->call.depth = strand->nr_told++;
	filter->next->enter(filter->next, &first->call);
}

static bool is_long(const struct fc_filter *filter, uint64_t begin_tsc, uint64_t end_tsc)
{
	return end_tsc > begin_tsc && end_tsc - begin_tsc >= filter->opts.min_ticks;
}

/* Is a call, or what it calls, known to be told only when it ends? */
static bool is_holding(const struct fc_filter *filter)
{
	return filter->opts.min_ticks || filter->opts.only_failed || filter->opts.leading;
}

/* It ends: is it one that was asked for? is_told: it is shown already, for what it has called. */
static bool is_wanted(const struct fc_filter *filter, const struct fc_call *call, bool is_told)
{
	if (filter->opts.leading && !fc_only_has(filter->leading, call->func))
		return false;
	if (filter->opts.min_ticks && !is_long(filter, call->begin_tsc, call->end_tsc))
		return false;
	if (!filter->opts.only_failed)
		return true;
	bool has_returned = call->left == FC_LEFT_RETURN || call->left == FC_LEFT_TAIL;
	if (!has_returned || !call->values || !call->values->nr_result)
		return false;
	if (!fc_values_is_failure(filter->opts.values, fc_call_result(call->values)))
		return false;
	return !filter->failures || fc_failures_take(filter->failures, call, is_told);
}

/* It begins: does nothing remain to be known but that it is called? */
static bool is_led_to(const struct fc_filter *filter, const struct open_call *open)
{
	return filter->opts.leading && !filter->opts.min_ticks && !filter->opts.only_failed &&
	       open->is_visible && fc_only_has(filter->leading, open->call.func);
}

/* Open calls of another of the thread's strands that are long by now come first. */
static void tell_aged(struct fc_filter *filter, uint32_t id, uint64_t now_tsc)
{
	struct strand *other = fc_strands_find(&filter->strands, id);
	struct open_call *open;

	if (!filter->opts.is_ordered || !filter->opts.min_ticks || filter->opts.only_failed ||
	    !other)
		return;
	while ((open = next_open(other)) && is_long(filter, open->call.begin_tsc, now_tsc))
		tell_next(filter, other, open);
}

/*
 * A wait that was shorter than -t, in calls that were held: all that are left of them are told
 * now. Waits are told as one, so that none is forgotten.
 */
static void tell_wait(struct fc_filter *filter, struct strand *strand, uint64_t now_tsc)
{
	if (!fc_mark_waited(&strand->wait.event))
		return;
	strand->wait.event.tsc = now_tsc;
	filter->next->event(filter->next, &strand->wait.event);
	strand->wait.words.at[0] = 0;
}

static void tell_held(struct fc_filter *filter, struct strand *strand, uint64_t now_tsc)
{
	struct open_call *open;
	/* A call that a signal interrupted lasts at least as long as the handler. */
	if (next_open(strand))
		tell_aged(filter, strand->below, now_tsc);
	while ((open = next_open(strand)))
		tell_next(filter, strand, open);
	tell_wait(filter, strand, now_tsc);
}

/* The thread goes on in this strand. */
static void go_on(struct fc_filter *filter, struct strand *strand, const struct fc_call *call,
		  uint64_t now_tsc)
{
	struct fc_thread *thread = fc_threads_make(&filter->threads, call->tid);

	if (thread->current == call->strand)
		return;
	tell_aged(filter, thread->current, now_tsc);
	if (!strand->stack.nr)
		strand->below = thread->current;
	if (fc_call_is_own_end(call))
		thread->current = call->strand;
}

static uint32_t group_of(const struct fc_filter *filter, uint32_t func)
{
	return filter->opts.group ? filter->opts.group[func] : func;
}

static void count(const struct fc_filter *filter, struct strand *strand, struct open_call *open)
{
	uint32_t group = group_of(filter, open->call.func);

	open->call.is_recursive = fc_recursion_enter(&strand->recursion, group) > 0;
	open->is_counted = true;
}

/* values: what is known of the call, as it is when it ends if it has waited for that. */
static void take_enter(void *ctx, const struct fc_call *call,
		       const struct fc_call_values *values)
{
	struct fc_filter *filter = ctx;
	struct strand *strand = fc_strands_make(&filter->strands, call->strand);
	go_on(filter, strand, call, call->begin_tsc);
	struct open_call open =
		begin(filter, strand, call, fc_only_holds(filter->only, call->func, values));

	/* Recursion counts among the calls that are shown: totals are made of these. */
	if (open.is_visible)
		count(filter, strand, &open);
	fc_vec_push(&strand->stack, open);
	if (!is_holding(filter) || is_led_to(filter, &open))
		tell_held(filter, strand, call->begin_tsc);
}

/* A call beneath one that was asked for passes without waiting. */
static bool waits(struct fc_filter *filter, const struct fc_call *call)
{
	struct strand *strand = fc_strands_find(&filter->strands, call->strand);
	const struct open_call *outer = strand ? top_of(strand) : NULL;
	return !(outer && outer->is_under) && fc_only_waits(filter->only, call);
}

static void filter_enter(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct fc_filter *filter = filter_of(sink);

	if (!fc_only_has_conditions(filter->only))
		take_enter(filter, call, call->values);
	else if (fc_deferred_enter(filter->deferred, call))
		return;
	else if (waits(filter, call))
		fc_deferred_begin(filter->deferred, call);
	else
		take_enter(filter, call, call->values);
}

static void take_leave(void *ctx, const struct fc_call *call)
{
	struct fc_filter *filter = ctx;
	struct strand *strand = fc_strands_make(&filter->strands, call->strand);
	forget_jump(strand);
	struct open_call open = *top_of(strand);
	go_on(filter, strand, call, call->end_tsc);
	if (open.is_visible && call->left != FC_LEFT_UNSEEN &&
	    is_wanted(filter, call, open.is_told))
		tell_held(filter, strand, call->end_tsc);
	open = strand->stack.at[--strand->stack.nr];
	bool is_settled = strand->nr_settled > strand->stack.nr;
	if (is_settled)
		strand->nr_settled = strand->stack.nr;
	if (open.is_counted)
		fc_recursion_leave(&strand->recursion, group_of(filter, call->func));
	if (call->left == FC_LEFT_TAIL)
		keep_jump(strand, call, open.is_only, open.nr_jumped);
	else
		strand->jumped.nr = open.nr_jumped;
	if (call->left != FC_LEFT_TAIL)
		drop_over(strand);
	else if (!is_settled && open.is_visible)
		keep_over(strand, &open, call);
	if (strand->nr_settled == strand->stack.nr)
		tell_wait(filter, strand, call->end_tsc);
	if (!open.is_told)
		return;

	strand->nr_told--;
	struct fc_call told = *call;
	told.depth = open.call.depth;
	told.is_recursive = open.call.is_recursive;
	filter->next->leave(filter->next, &told);
}

static void filter_leave(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct fc_filter *filter = filter_of(sink);

	if (!fc_deferred_leave(filter->deferred, call))
		take_leave(filter, call);
}

/* The open calls are as long as the wait; beyond that it says nothing of what they did. */
static bool is_held_wait(const struct fc_filter *filter, const struct strand *strand,
			 const struct fc_event *event)
{
	return event->mark == FC_MARK_WAITED &&
	       (filter->opts.only_failed || filter->opts.leading ||
		fc_mark_waited(event) < filter->opts.min_ticks) &&
	       strand->nr_settled < strand->stack.nr;
}

static void hold_wait(struct strand *strand, const struct fc_event *event)
{
	uint64_t before = fc_mark_waited(&strand->wait.event);

	if (!fc_mark_waited(event))
		return;
	fc_event_keep(&strand->wait, event);
	strand->wait.words.at[0] += before;
}

static void take_event(void *ctx, const struct fc_event *event)
{
	struct fc_filter *filter = ctx;

	if (is_other_thread(filter, event->pid, event->tid))
		return;
	/* A call with a gap in it is shown, however short: nobody knows what it did. */
	struct strand *strand = fc_strands_find(&filter->strands, event->strand);
	if (strand)
		forget_jump(strand);
	if (strand && is_held_wait(filter, strand, event)) {
		hold_wait(strand, event);
		return;
	}
	if (strand)
		tell_held(filter, strand, event->tsc);
	filter->next->event(filter->next, event);
}

static void filter_event(struct fc_call_sink *sink, const struct fc_event *event)
{
	struct fc_filter *filter = filter_of(sink);

	if (!fc_deferred_event(filter->deferred, event))
		take_event(filter, event);
}

static void filter_finish(struct fc_call_sink *sink)
{
	struct fc_filter *filter = filter_of(sink);
	filter->next->finish(filter->next);
}

struct fc_filter *fc_filter_create(const struct fc_filter_opts *opts, struct fc_call_sink *next)
{
	struct fc_filter *filter = fc_alloc(sizeof(*filter));

	filter->sink = (struct fc_call_sink){
		.enter = filter_enter,
		.leave = filter_leave,
		.event = filter_event,
		.finish = filter_finish,
	};
	filter->next = next;
	filter->opts = *opts;
	filter->strands.size = sizeof(struct strand);
	filter->only = fc_only_create(opts->only, opts->values, opts->match, opts->ctx);
	filter->leading = fc_only_create(opts->leading, NULL, opts->match, opts->ctx);
	if (opts->folds_failed)
		filter->failures = fc_failures_create(opts->values, opts->namer);
	filter->deferred = fc_deferred_create(
		&(struct fc_deferred_out){ take_enter, take_leave, take_event, filter });
	/* Calls that waited come after younger ones. */
	filter->opts.is_ordered = opts->is_ordered && !fc_only_has_conditions(filter->only);
	return filter;
}

void fc_filter_destroy(struct fc_filter *filter)
{
	if (!filter)
		return;
	struct strand *strand;
	fc_strands_each (&filter->strands, strand) {
		fc_vec_each (&strand->stack, open)
			free_over(open);
		fc_vec_free(&strand->stack);
		fc_vec_free(&strand->jumped);
		fc_event_forget(&strand->wait);
		fc_recursion_deinit(&strand->recursion);
	}
	fc_strands_deinit(&filter->strands);
	fc_threads_deinit(&filter->threads);
	fc_vec_free(&filter->answers);
	fc_only_destroy(filter->only);
	fc_only_destroy(filter->leading);
	fc_failures_destroy(filter->failures);
	fc_deferred_destroy(filter->deferred);
	fc_filter_info_deinit(&filter->own);
	free(filter);
}

struct fc_call_sink *fc_filter_sink(struct fc_filter *filter)
{
	return &filter->sink;
}

bool fc_filter_has_matched(const struct fc_filter *filter, size_t i)
{
	return fc_only_has_matched(filter->only, i);
}

char *fc_filter_nearest(const struct fc_filter *filter, size_t i, const char *rest)
{
	return fc_only_nearest(filter->only, i, filter->opts.namer, rest);
}

bool fc_filter_leading_has_matched(const struct fc_filter *filter, size_t i)
{
	return fc_only_has_matched(filter->leading, i);
}

char *fc_filter_leading_nearest(const struct fc_filter *filter, size_t i, const char *rest)
{
	return fc_only_nearest(filter->leading, i, filter->opts.namer, rest);
}

struct fc_failures_sums fc_filter_failures(const struct fc_filter *filter)
{
	return fc_failures_sums(filter->failures);
}

const char *fc_filter_trouble(const struct fc_filter *filter, size_t i)
{
	return fc_only_trouble(filter->only, i);
}

uint64_t fc_filter_nr_forgotten(const struct fc_filter *filter)
{
	return fc_deferred_nr_forgotten(filter->deferred);
}

void fc_filter_add_told(struct fc_filter *filter, const struct fc_call *call)
{
	struct strand *strand = fc_strands_make(&filter->strands, call->strand);
	struct open_call open = begin(filter, strand, call,
				      fc_only_holds(filter->only, call->func, call->values));

	count(filter, strand, &open);
	open.is_told = true;
	open.call.depth = strand->nr_told++;
	fc_vec_push(&strand->stack, open);
	strand->nr_settled = strand->stack.nr;
}

/* As if the filter had been there from the outermost call on; what is told stays so. */
static void judge_again(struct fc_filter *filter, struct strand *strand)
{
	drop_all_over(strand);
	fc_vec_each (&strand->jumped, jumped)
		jumped->is_only = fc_only_has(filter->only, jumped->func);
	for (size_t i = 0; i < strand->stack.nr; i++) {
		struct open_call *open = &strand->stack.at[i];
		size_t from = open->nr_jumped;
		size_t to = i + 1 < strand->stack.nr ? open[1].nr_jumped
			    : strand->is_jump	     ? strand->jump_from
						     : strand->jumped.nr;
		bool is_only = fc_only_holds(filter->only, open->call.func, open->call.values);
		struct open_call now = judge(filter, strand, &open->call, is_only,
					     i ? open - 1 : NULL, from, to - from);
		open->is_only = is_only;
		open->level = now.level;
		open->is_under = now.is_under;
		open->is_out = now.is_out;
		open->is_elsewhere = now.is_elsewhere;
		open->is_visible = now.is_visible;
		open->is_jumped_to = now.is_jumped_to;
		if (i >= strand->nr_settled && now.is_visible && !open->is_counted)
			count(filter, strand, open);
	}
}

void fc_filter_change(struct fc_filter *filter, const struct fc_filter_info *info,
		      uint64_t min_ticks)
{
	struct fc_filter_info old = filter->own;

	fc_filter_info_copy(&filter->own, info);
	filter->opts.only = filter->own.only;
	filter->opts.except = filter->own.except;
	filter->opts.depth = info->depth;
	filter->opts.min_ticks = min_ticks;
	filter->answers.nr = 0;
	fc_only_destroy(filter->only);
	filter->only = fc_only_create(filter->opts.only, filter->opts.values,
				      filter->opts.match, filter->opts.ctx);
	filter->opts.is_ordered &= !fc_only_has_conditions(filter->only);
	struct strand *strand;
	fc_strands_each (&filter->strands, strand)
		judge_again(filter, strand);
	filter->is_changed = true;
	fc_filter_info_deinit(&old);
}

bool fc_filter_is_changed(const struct fc_filter *filter)
{
	return filter->is_changed;
}
