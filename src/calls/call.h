/* SPDX-License-Identifier: Apache-2.0 */
/*
 * call.h - the stack machine: events in, calls out.
 *
 * Every report, graph, exporter and printer is a sink of calls: a new one is one file, with a
 * struct that begins with its struct fc_call_sink. Who plays a trace into it: fc_play()
 * (play.h) in order of time, through a filter (filter.h) where not all calls are wanted; and
 * fc_crunch() (crunch.h) with all CPUs, if the sink only sums, so that order means nothing to
 * it and two of them can be merged. report.c is a sink for both.
 *
 * fc_calls_feed() pairs the events of each strand (see trace/record.h) and tells the sink:
 *
 *   enter(call)   a function was entered. call->depth is 0 for the outermost open call.
 *   leave(call)   it ended: end_tsc, self_ticks, what it waited and how it ended are now known.
 *                 Called innermost first; every enter gets exactly one leave, at the latest
 *                 when its strand or the trace ends.
 *   event(event)  marks that fc_mark_word() has a word for, in order with the calls of their
 *                 strand; their words are gone when it returns.
 *   finish()      no more comes.
 *
 * A call of a function that is hooked at entry only is told by enter and at once by leave
 * with FC_LEFT_UNSEEN; enter already says so in call->left.
 *
 * Calls that were entered within a gap of lost records have no name: they count in the
 * depth of what they call, but the sink is not told of them.
 */
#ifndef FC_CALLS_CALL_H
#define FC_CALLS_CALL_H

#include <stdbool.h>

#include "trace/effect.h"
#include "values/words.h"

/*
 * The words of FC_MARK_VALUES for a call: what it was given, and, as it is left, what came out. They
 * are there from enter() until leave() has returned: who keeps them longer copies them.
 */
struct fc_call_values {
	const uint64_t *args, *result;
	uint32_t nr_args, nr_result; /* words; 0: nothing was fetched */
	/* The result is that of another call of a chain of tail calls: what that one was given. */
	uint32_t nr_other;
	const uint64_t *other;
	uint32_t func; /* then: the call's own; else 0 */
};

/* A recursion of a million calls has as many of these open: small ones. */
struct fc_call {
	uint32_t func;
	uint32_t strand;
	int pid, tid;
	uint32_t depth;
	uint32_t caller : 23;  /* function id of the next outer open call, 0 if none */
	uint32_t left : 3;     /* enum fc_left */
	bool is_recursive : 1; /* the same function is open further out in this strand */
	bool is_inherited : 1; /* open since before the fork that began this strand... */
	bool is_resumed : 1;   /* ...or since before what was kept: its begin is not known */
	bool is_reopened : 1; /* open where reading began: what it called before is not known */
	bool is_off_cpu : 1;  /* it stands for time off the CPU */
	uint64_t begin_tsc, end_tsc;
	uint64_t self_ticks; /* duration less that of the calls it made */
	/* Of its duration, off the CPU (waited.h); and directly in it, in none of the calls it made. */
	uint64_t wait_ticks, self_wait_ticks;
	const struct fc_call_values *values; /* NULL: none */
};

/* What a call was given, and what came out of it; no words where values are NULL. */
static inline struct fc_value_words fc_call_args(const struct fc_call_values *values)
{
	if (!values)
		return (struct fc_value_words){ 0 };
	return (struct fc_value_words){ values->args, values->nr_args };
}
static inline struct fc_value_words fc_call_result(const struct fc_call_values *values)
{
	if (!values)
		return (struct fc_value_words){ 0 };
	return (struct fc_value_words){ values->result, values->nr_result, values->other,
					values->nr_other, values->func };
}

/* A copy that outlives the call, in one piece of memory that the caller frees; NULL: of nothing. */
struct fc_call_values *fc_call_values_copy(const struct fc_call_values *values);
/* Free values whose words are allocated one by one, as the stack machine does for open calls. */
void fc_call_values_free_own(struct fc_call_values *values);

/* Ticks from begin to end. */
static inline uint64_t fc_call_ticks(const struct fc_call *call)
{
	return call->end_tsc > call->begin_tsc ? call->end_tsc - call->begin_tsc : 0;
}

/*
 * Did its thread end it? Else the end was noticed later, when the thread may have been on
 * another stack for long.
 */
static inline bool fc_call_is_own_end(const struct fc_call *call)
{
	return call->left == FC_LEFT_RETURN || call->left == FC_LEFT_TAIL ||
	       call->left == FC_LEFT_UNSEEN;
}

struct fc_call_sink {
	void (*enter)(struct fc_call_sink *sink, const struct fc_call *call);
	void (*leave)(struct fc_call_sink *sink, const struct fc_call *call);
	void (*event)(struct fc_call_sink *sink, const struct fc_event *event);
	void (*finish)(struct fc_call_sink *sink);
};

/* For a sink that has no use for some of what it is told. */
void fc_sink_skip_call(struct fc_call_sink *sink, const struct fc_call *call);
void fc_sink_skip_event(struct fc_call_sink *sink, const struct fc_event *event);
void fc_sink_skip_finish(struct fc_call_sink *sink);

struct fc_calls;
struct fc_off_funcs;
struct fc_values;

/* The sink stays the caller's. */
struct fc_calls *fc_calls_create(struct fc_call_sink *sink);
/*
 * Calls that leave by a tail jump are told with what the last of their chain returns (tails/chains.h): what
 * comes meanwhile waits. Before the first event.
 */
void fc_calls_hold_chains(struct fc_calls *calls, bool is_ordered);
/* Pass on calls that have waited for longer than so many ticks, as they are. */
void fc_calls_pass_time(struct fc_calls *calls, uint64_t now_tsc, uint64_t ticks);
void fc_calls_destroy(struct fc_calls *calls);
/*
 * What values mean: a call that leaves by a tail jump has values, though it was given none, if its result is
 * asked for. They outlive calls. Before the first event.
 */
void fc_calls_set_values(struct fc_calls *calls, const struct fc_values *values);

/*
 * What call->is_recursive means from here on: that a call of the same group is open further
 * out. By function id, of FC_FUNC_MAX + 1; stays the caller's. Before the first event.
 */
void fc_calls_set_group(struct fc_calls *calls, const uint32_t *group);
/*
 * These functions stand for time off the CPU: calls are told how long they waited. It may grow, and outlives
 * calls. NULL: none does.
 */
void fc_calls_set_off_funcs(struct fc_calls *calls, const struct fc_off_funcs *off_funcs);

/* Another sink from here on, which is to know of the open calls. */
void fc_calls_set_sink(struct fc_calls *calls, struct fc_call_sink *sink);
/*
 * fn sees the open calls that the sink was told of, of each strand from the outermost on, with
 * their times as if they ended at tsc.
 */
void fc_calls_each_open(const struct fc_calls *calls, uint64_t tsc,
			void (*fn)(void *ctx, const struct fc_call *call), void *ctx);

void fc_calls_feed(struct fc_calls *calls, const struct fc_event *event);
/* No more events of this strand: its open calls end (FC_LEFT_END). */
void fc_calls_strand_end(struct fc_calls *calls, uint32_t strand, uint64_t tsc);
/* The same for the strands that end with a thread, or with tid 0 for all of a process. */
void fc_calls_task_end(struct fc_calls *calls, int pid, int tid, uint64_t tsc);
/* The same for all strands, then the sink's finish(). */
void fc_calls_finish(struct fc_calls *calls, uint64_t tsc);

#endif
