/* SPDX-License-Identifier: Apache-2.0 */
/* sieve.c - encodes the calls that pass a filter as records again. */
#include "calls/sieve.h"

#include <stdlib.h>
#include <string.h>

#include "calls/names.h"
#include "calls/pass.h"
#include "calls/strands.h"
#include "base/memory.h"
#include "base/vec.h"
#include "trace/mark.h"
#include "trace/words.h"
#include "capture/agent/fetch.h"

/* Words of one hand-over must be within the reach of a record's tick; half of it is safe. */
#define REACH_TICKS (1ull << (FC_RECORD_TICK_BITS - 1))

/* The words of a strand that are ready for the next tap. */
struct lane {
	struct fc_strand_info strand;
	FC_VEC(uint64_t) words;
	uint64_t first_tsc, last_tsc; /* of words */
	uint32_t depth;		      /* calls that are open for the next tap */

	/* A call that left by a tail jump: whether the one that follows is let through
	 * decides between FC_TAIL and FC_EXIT. */
	bool has_tail;
	struct fc_call tail;

	/* A fork or a resume: its mark says how many open calls follow, so these are collected. */
	bool has_fork;
	struct fc_kept_event fork;
	uint32_t nr_inherited;
	FC_VEC(uint64_t) inherited; /* their words, and those of marks among them */
};

struct fc_sieve {
	struct fc_pass pass;
	struct fc_call_sink sink;    /* behind the filter: encodes */
	struct fc_call_sink opening; /* of calls that were open when it began */
	struct fc_names *names;
	struct fc_values *values; /* what they mean, for -Z and conditions */
	struct fc_namer namer;
	struct fc_calls *calls;
	struct fc_filter *filter;
	struct fc_strands lanes;
	uint8_t kind; /* of the strand that is told of now */
	int err;      /* the next tap's first error */
};

static struct fc_sieve *sieve_of_tap(struct fc_tap *tap)
{
	return (struct fc_sieve *)((char *)tap - offsetof(struct fc_sieve, pass.tap));
}

static struct fc_sieve *sieve_of(struct fc_call_sink *sink)
{
	return (struct fc_sieve *)((char *)sink - offsetof(struct fc_sieve, sink));
}

static struct fc_sieve *sieve_of_opening(struct fc_call_sink *sink)
{
	return (struct fc_sieve *)((char *)sink - offsetof(struct fc_sieve, opening));
}

/* Encoding. */

static struct lane *lane_of(struct fc_sieve *sieve, uint32_t strand, int pid, int tid)
{
	struct lane *lane = fc_strands_make(&sieve->lanes, strand);
	if (!lane->strand.id)
		lane->strand = (struct fc_strand_info){ strand, pid, tid, sieve->kind };
	return lane;
}

static void hand_on(struct fc_sieve *sieve, struct lane *lane)
{
	if (!lane->words.nr)
		return;
	int err = sieve->pass.next->records(sieve->pass.next, &lane->strand, lane->words.at,
					    lane->words.nr, lane->last_tsc);
	if (err && !sieve->err)
		sieve->err = err;
	lane->words.nr = 0;
}

/* The same, where a record of this thread comes next. */
static struct lane *lane_in(struct fc_sieve *sieve, uint32_t strand, int pid, int tid)
{
	struct lane *lane = lane_of(sieve, strand, pid, tid);
	if (lane->strand.tid != tid) {
		hand_on(sieve, lane);
		lane->strand.tid = tid;
		lane->strand.kind = sieve->kind;
	}
	return lane;
}

/* Make sure that a record of this time can follow; returns the time to give it. */
static uint64_t stamp(struct fc_sieve *sieve, struct lane *lane, uint64_t tsc)
{
	if (tsc < lane->last_tsc)
		tsc = lane->last_tsc;
	if (lane->words.nr && tsc - lane->first_tsc >= REACH_TICKS)
		hand_on(sieve, lane);
	if (!lane->words.nr)
		lane->first_tsc = tsc;
	lane->last_tsc = tsc;
	return tsc;
}

static void put_record(struct fc_sieve *sieve, struct lane *lane, uint64_t tsc, uint32_t func,
		       enum fc_kind kind)
{
	tsc = stamp(sieve, lane, tsc);
	fc_vec_push(&lane->words, fc_record(tsc, func, kind));
}

/* count: what its second word is to be, if it counts calls. */
static void put_mark(struct fc_sieve *sieve, struct lane *lane, const struct fc_event *mark,
		     uint64_t count)
{
	struct fc_event event = *mark;
	bool has_count = fc_mark_has_count(mark->mark);

	if (has_count && event.nr_words < 2)
		event.nr_words = 2;
	uint64_t tsc = stamp(sieve, lane, mark->tsc);
	fc_vec_push(&lane->words, fc_words_head(&event, tsc));
	for (unsigned i = 0; i < event.nr_words; i++)
		fc_vec_push(&lane->words, has_count && i == 1 ? count : fc_event_word(mark, i));
}

/* What a mark has no room for. */
static void put_more(struct fc_sieve *sieve, struct lane *lane, uint64_t tsc,
		     const uint64_t *words, uint32_t nr, uint32_t from)
{
	enum { ROOM = FC_MARK_MAX_VALUES - FCA_MORE_WORDS };
	uint64_t copy[FC_MARK_MAX_VALUES];
	for (uint32_t at = from; at < nr; at += ROOM) {
		uint32_t piece = nr - at < ROOM ? nr - at : ROOM;
		copy[0] = words[0];
		copy[1] = fca_more(0, at);
		copy[2] = piece * sizeof(*words);
		memcpy(copy + FCA_MORE_WORDS, words + at, piece * sizeof(*words));
		const struct fc_event more = { .tsc = tsc,
					       .kind = FC_MARK,
					       .mark = FC_MARK_MORE,
					       .nr_words = (uint8_t)(FCA_MORE_WORDS + piece),
					       .words = copy };
		put_mark(sieve, lane, &more, 0);
	}
}

/* Write the mark of values before the record that it belongs to. */
static void put_values(struct fc_sieve *sieve, struct lane *lane, uint64_t tsc,
		       const uint64_t *words, uint32_t nr)
{
	uint32_t first = nr < FC_MARK_MAX_VALUES ? nr : FC_MARK_MAX_VALUES;
	const struct fc_event values = { .tsc = tsc,
					 .kind = FC_MARK,
					 .mark = FC_MARK_VALUES,
					 .nr_words = (uint8_t)first,
					 .words = words };
	if (!nr)
		return;
	put_mark(sieve, lane, &values, 0);
	put_more(sieve, lane, tsc, words, nr, first);
}

static void put_fork(struct fc_sieve *sieve, struct lane *lane)
{
	lane->has_fork = false;
	put_mark(sieve, lane, &lane->fork.event, lane->nr_inherited + 1ull);
	const uint64_t *words = lane->inherited.at; /* NULL: none */
	for (size_t i = 0; i < lane->inherited.nr;) {
		uint64_t record = words[i++];
		put_record(sieve, lane,
			   fc_record_tsc(record, lane->fork.event.tsc + REACH_TICKS),
			   fc_record_func(record), fc_record_kind(record));
		for (uint32_t nr = fc_record_words(record); nr; nr--)
			fc_vec_push(&lane->words, words[i++]);
	}
	lane->nr_inherited = 0;
	fc_vec_free(&lane->inherited);
}

/* A result is of the function by whose stub the call returned: the first of a chain of tail calls. */
static void put_return(struct fc_sieve *sieve, struct lane *lane, const struct fc_call *call)
{
	const struct fc_call_values *values = call->values;
	bool has_result = values && values->nr_result;

	if (has_result)
		put_values(sieve, lane, call->end_tsc, values->result, values->nr_result);
	put_record(sieve, lane, call->end_tsc,
		   has_result ? fca_format_func(values->result[0]) : call->func, FC_EXIT);
}

/* Write what was waiting to see what follows. */
static void settle(struct fc_sieve *sieve, struct lane *lane)
{
	if (lane->has_fork)
		put_fork(sieve, lane);
	if (lane->has_tail) {
		lane->has_tail = false;
		put_return(sieve, lane, &lane->tail);
		free((void *)lane->tail.values);
	}
}

static bool follows_tail(const struct lane *lane, const struct fc_call *call)
{
	return lane->has_tail && lane->tail.depth == call->depth &&
	       lane->tail.end_tsc == call->begin_tsc;
}

static void encode_enter(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct fc_sieve *sieve = sieve_of(sink);
	struct lane *lane = lane_in(sieve, call->strand, call->pid, call->tid);
	enum fc_kind kind = call->left == FC_LEFT_UNSEEN ? FC_ENTRY_ONLY : FC_ENTRY;

	lane->depth++;
	if (lane->has_fork && (call->is_inherited || call->is_resumed)) {
		fc_vec_push(&lane->inherited, fc_record(call->begin_tsc, call->func, FC_ENTRY));
		lane->nr_inherited++;
		return;
	}
	if (kind == FC_ENTRY && follows_tail(lane, call)) {
		lane->has_tail = false;
		free((void *)lane->tail.values);
		kind = FC_TAIL;
	}
	settle(sieve, lane);
	if (call->values)
		put_values(sieve, lane, call->begin_tsc, call->values->args,
			   call->values->nr_args);
	put_record(sieve, lane, call->begin_tsc, call->func, kind);
}

static void encode_leave(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct fc_sieve *sieve = sieve_of(sink);
	struct lane *lane = lane_of(sieve, call->strand, call->pid, call->tid);

	lane->depth--;
	settle(sieve, lane);
	switch (call->left) {
	case FC_LEFT_RETURN:
		put_return(sieve, lane, call);
		break;
	case FC_LEFT_TAIL:
		lane->has_tail = true;
		lane->tail = *call;
		lane->tail.values = fc_call_values_copy(call->values);
		break;
	case FC_LEFT_POP:
		put_record(sieve, lane, call->end_tsc, lane->depth, FC_POP);
		break;
	default: /* lost: the mark that follows says it; end: strand_end says it */
		break;
	}
}

static void encode_event(struct fc_call_sink *sink, const struct fc_event *event)
{
	struct fc_sieve *sieve = sieve_of(sink);
	struct lane *lane = lane_in(sieve, event->strand, event->pid, event->tid);

	if (fc_mark_is_aside(event->mark) && lane->has_fork) {
		fc_vec_push(&lane->inherited, fc_words_head(event, event->tsc));
		for (unsigned i = 0; i < event->nr_words; i++)
			fc_vec_push(&lane->inherited, event->words[i]);
		return;
	}
	settle(sieve, lane);
	if (fc_mark_announces(event->mark)) {
		lane->has_fork = true;
		fc_event_keep(&lane->fork, event);
	} else {
		put_mark(sieve, lane, event, lane->depth + 1ull);
	}
}

static void encode_finish(struct fc_call_sink *sink)
{
	struct fc_sieve *sieve = sieve_of(sink);
	struct lane *lane;

	fc_strands_each (&sieve->lanes, lane) {
		settle(sieve, lane);
		hand_on(sieve, lane);
	}
}

/* The tap. */

static int sieve_module(struct fc_tap *tap, const struct fc_module_info *info)
{
	struct fc_sieve *sieve = sieve_of_tap(tap);
	int err = fc_sieve_add_module(sieve, info);
	return err ? err : sieve->pass.next->module(sieve->pass.next, info);
}

static int sieve_records(struct fc_tap *tap, const struct fc_strand_info *strand,
			 const uint64_t *words, size_t nr_words, uint64_t now_tsc)
{
	struct fc_sieve *sieve = sieve_of_tap(tap);
	struct fc_event event;

	sieve->kind = strand->kind;
	for (size_t nr; (nr = fc_words_decode(words, nr_words, strand, now_tsc, &event));
	     words += nr, nr_words -= nr)
		fc_calls_feed(sieve->calls, &event);
	struct lane *lane = fc_strands_find(&sieve->lanes, strand->id);
	if (lane)
		hand_on(sieve, lane);
	return sieve->err;
}

static void end_lane(struct fc_sieve *sieve, const struct fc_strand_info *strand)
{
	struct lane *lane = fc_strands_find(&sieve->lanes, strand->id);
	if (!lane)
		return;
	settle(sieve, lane);
	hand_on(sieve, lane);
	fc_vec_free(&lane->words);
	fc_vec_free(&lane->inherited);
	fc_event_forget(&lane->fork);
	fc_strands_drop(&sieve->lanes, strand->id);
}

static int sieve_strand_end(struct fc_tap *tap, const struct fc_strand_info *strand,
			    uint64_t tsc)
{
	struct fc_sieve *sieve = sieve_of_tap(tap);

	fc_calls_strand_end(sieve->calls, strand->id, tsc);
	end_lane(sieve, strand);
	return sieve->pass.next->strand_end(sieve->pass.next, strand, tsc);
}

/* A call that the next tap has. */
static void open_enter(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct fc_sieve *sieve = sieve_of_opening(sink);

	lane_of(sieve, call->strand, call->pid, call->tid)->depth++;
	fc_filter_add_told(sieve->filter, call);
}

struct fc_sieve *fc_sieve_create(const struct fc_filter_opts *opts, struct fc_tap *next)
{
	struct fc_sieve *sieve = fc_alloc(sizeof(*sieve));
	struct fc_filter_opts own = *opts;

	fc_pass_init(&sieve->pass, next);
	sieve->pass.tap.module = sieve_module;
	sieve->pass.tap.records = sieve_records;
	sieve->pass.tap.strand_end = sieve_strand_end;
	sieve->sink = (struct fc_call_sink){
		.enter = encode_enter,
		.leave = encode_leave,
		.event = encode_event,
		.finish = encode_finish,
	};
	sieve->opening = (struct fc_call_sink){ .enter = open_enter };
	sieve->names = fc_names_create(FC_DEMANGLE_NO);
	sieve->namer = fc_names_namer(sieve->names);
	own.match = fc_namer_match;
	own.ctx = &sieve->namer;
	own.namer = &sieve->namer;
	own.folds_failed = false; /* what is not recorded nobody can ask for later */
	own.values = sieve->values = fc_values_create();
	own.is_ordered = false; /* a strand at a time */
	sieve->filter = fc_filter_create(&own, &sieve->sink);
	sieve->calls = fc_calls_create(fc_filter_sink(sieve->filter));
	fc_calls_hold_chains(sieve->calls, false);
	fc_calls_set_values(sieve->calls, sieve->values);
	sieve->lanes.size = sizeof(struct lane);
	return sieve;
}

void fc_sieve_destroy(struct fc_sieve *sieve)
{
	if (!sieve)
		return;
	struct lane *lane;
	fc_strands_each (&sieve->lanes, lane) {
		if (lane->has_tail)
			free((void *)lane->tail.values);
		fc_vec_free(&lane->words);
		fc_vec_free(&lane->inherited);
		fc_event_forget(&lane->fork);
	}
	fc_strands_deinit(&sieve->lanes);
	fc_calls_destroy(sieve->calls);
	fc_filter_destroy(sieve->filter);
	fc_names_destroy(sieve->names);
	fc_values_destroy(sieve->values);
	free(sieve);
}

void fc_sieve_add_open(struct fc_sieve *sieve, const struct fc_strand_info *strand,
		       uint32_t func, uint64_t begin_tsc)
{
	struct fc_event event = { .strand = strand->id,
				  .pid = strand->pid,
				  .tid = strand->tid,
				  .strand_kind = strand->kind,
				  .kind = FC_ENTRY,
				  .func = func,
				  .tsc = begin_tsc };

	sieve->kind = strand->kind;
	fc_calls_set_sink(sieve->calls, &sieve->opening);
	fc_calls_feed(sieve->calls, &event);
	fc_calls_set_sink(sieve->calls, fc_filter_sink(sieve->filter));
}

void fc_sieve_change(struct fc_sieve *sieve, const struct fc_filter_info *info,
		     uint64_t min_ticks)
{
	fc_filter_change(sieve->filter, info, min_ticks);
}

int fc_sieve_add_module(struct fc_sieve *sieve, const struct fc_module_info *info)
{
	fc_names_add(sieve->names, info);
	return info->values ? fc_values_add(sieve->values, info->values, info->values_size) : 0;
}

struct fc_tap *fc_sieve_tap(struct fc_sieve *sieve)
{
	return &sieve->pass.tap;
}

const struct fc_filter *fc_sieve_filter(const struct fc_sieve *sieve)
{
	return sieve->filter;
}

void fc_sieve_finish(struct fc_sieve *sieve, uint64_t tsc)
{
	fc_calls_finish(sieve->calls, tsc);
}
