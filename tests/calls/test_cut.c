/* SPDX-License-Identifier: Apache-2.0 */
/* Calls cut to a span of time: the same as each call of the whole, cut by itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"
#include "calls/cut.h"

enum { MAIN = 1, WORK, STEP, LEAF, NR_FUNCS = 9 };

/* A sink that keeps what it is told, and demands that calls nest in each strand. */
struct told {
	struct fc_call_sink sink;
	FC_VEC(struct fc_call) open, calls; /* calls: in the order of their ends */
	size_t nr_events;
	bool is_finished;
};

static void told_enter(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct told *told = (struct told *)sink;

	fc_vec_each (&told->open, outer)
		if (outer->strand == call->strand)
			assert_true(outer->begin_tsc <= call->begin_tsc);
	fc_vec_push(&told->open, *call);
}

static void told_leave(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct told *told = (struct told *)sink;
	size_t i = told->open.nr;

	while (i-- > 0 && told->open.at[i].strand != call->strand)
		;
	assert_true(i < told->open.nr);
	const struct fc_call *open = &told->open.at[i];
	assert_int_equal(open->func, call->func);
	assert_int_equal(open->depth, call->depth);
	assert_int_equal(open->begin_tsc, call->begin_tsc);
	assert_int_equal(open->is_inherited, call->is_inherited);
	assert_true(call->end_tsc >= call->begin_tsc);
	memmove(&told->open.at[i], &told->open.at[i + 1],
		(told->open.nr - i - 1) * sizeof(*told->open.at));
	told->open.nr--;
	fc_vec_push(&told->calls, *call);
}

static void told_event(struct fc_call_sink *sink, const struct fc_event *event)
{
	((struct told *)sink)->nr_events++;
}

static void told_finish(struct fc_call_sink *sink)
{
	struct told *told = (struct told *)sink;
	assert_int_equal(told->open.nr, 0);
	told->is_finished = true;
}

static void told_init(struct told *told)
{
	*told = (struct told){ .sink = { told_enter, told_leave, told_event, told_finish } };
}

static void told_deinit(struct told *told)
{
	fc_vec_free(&told->open);
	fc_vec_free(&told->calls);
}

static void play(const struct fc_event *events, size_t nr, struct fc_call_sink *sink)
{
	struct fc_calls *calls = fc_calls_create(sink);

	for (size_t i = 0; i < nr; i++)
		fc_calls_feed(calls, &events[i]);
	fc_calls_finish(calls, nr ? events[nr - 1].tsc : 0);
	fc_calls_destroy(calls);
}

static void play_cut(const struct fc_event *events, size_t nr, uint64_t from, uint64_t to,
		     struct told *told)
{
	struct fc_range range = { from, to };

	told_init(told);
	struct fc_cut *cut = fc_cut_create(&range, &told->sink);
	play(events, nr, fc_cut_sink(cut));
	fc_cut_destroy(cut);
	assert_true(told->is_finished);
}

static struct fc_event at(uint64_t tsc, uint8_t kind, uint32_t func)
{
	return (struct fc_event){
		.tsc = tsc, .strand = 1, .pid = 1, .tid = 1, .kind = kind, .func = func
	};
}

static void assert_call(const struct fc_call *call, uint32_t func, uint64_t begin, uint64_t end,
			uint64_t self)
{
	assert_int_equal(call->func, func);
	assert_int_equal(call->begin_tsc, begin);
	assert_int_equal(call->end_tsc, end);
	assert_int_equal(call->self_ticks, self);
}

/*
 *	main 10                                             100
 *	    work 20        60    leaf 65   step 70      95
 *	        leaf 30 35
 *	                 [50          to             80)
 */
static void calls_are_cut_at_both_ends(void **state)
{
	const struct fc_event events[] = {
		at(10, FC_ENTRY, MAIN), at(20, FC_ENTRY, WORK),
		at(30, FC_ENTRY, LEAF), at(35, FC_EXIT, LEAF),
		at(60, FC_EXIT, WORK),	at(65, FC_ENTRY_ONLY, LEAF),
		at(70, FC_ENTRY, STEP), at(85, FC_ENTRY_ONLY, LEAF),
		at(95, FC_EXIT, STEP),	at(100, FC_EXIT, MAIN),
	};
	struct told told;

	play_cut(events, 10, 50, 80, &told);
	assert_int_equal(told.calls.nr, 4);
	assert_call(&told.calls.at[0], WORK, 50, 60, 10);
	assert_true(told.calls.at[0].is_inherited);
	assert_int_equal(told.calls.at[0].left, FC_LEFT_RETURN);
	assert_call(&told.calls.at[1], LEAF, 65, 65, 0);
	assert_false(told.calls.at[1].is_inherited);
	assert_call(&told.calls.at[2], STEP, 70, 80, 10);
	assert_int_equal(told.calls.at[2].left, FC_LEFT_END);
	assert_call(&told.calls.at[3], MAIN, 50, 80, 10);
	told_deinit(&told);
}

/* Nothing happens within the span: its thread sat in main and work. */
static void a_quiet_thread_is_told(void **state)
{
	const struct fc_event events[] = {
		at(10, FC_ENTRY, MAIN),
		at(20, FC_ENTRY, WORK),
		at(90, FC_EXIT, WORK),
		at(100, FC_EXIT, MAIN),
	};
	struct told told;

	play_cut(events, 4, 40, 60, &told);
	assert_int_equal(told.calls.nr, 2);
	assert_call(&told.calls.at[0], WORK, 40, 60, 20);
	assert_call(&told.calls.at[1], MAIN, 40, 60, 0);
	told_deinit(&told);
}

/* Two calls and two ends in the very tick in which the span begins. */
static void what_ends_as_the_span_begins_stays_paired(void **state)
{
	const struct fc_event events[] = {
		at(10, FC_ENTRY, MAIN), at(50, FC_ENTRY, WORK), at(50, FC_EXIT, WORK),
		at(50, FC_EXIT, MAIN),	at(70, FC_ENTRY, STEP), at(75, FC_EXIT, STEP),
	};
	struct told told;

	play_cut(events, 6, 50, 0, &told);
	assert_int_equal(told.calls.nr, 3);
	assert_call(&told.calls.at[1], MAIN, 50, 50, 0);
	told_deinit(&told);
}

static void marks_outside_are_left_out(void **state)
{
	struct fc_event events[] = {
		at(10, FC_ENTRY, MAIN), at(20, FC_MARK, 0),    at(50, FC_MARK, 0),
		at(80, FC_MARK, 0),	at(90, FC_EXIT, MAIN),
	};
	struct told told;

	for (int i = 1; i < 4; i++)
		events[i].mark = FC_MARK_WAITED;
	play_cut(events, 5, 50, 80, &told);
	assert_int_equal(told.nr_events, 1);
	told_deinit(&told);
}

/* ---- at random ---- */

#define NR_EVENTS  400
#define NR_STRANDS 3

static size_t make_events(struct fc_event *events, unsigned seed)
{
	size_t depth[NR_STRANDS] = { 0 };
	uint64_t tsc = 1000;

	srand(seed);
	for (size_t i = 0; i < NR_EVENTS; i++) {
		uint32_t strand = (uint32_t)rand() % NR_STRANDS;
		uint8_t kind = FC_ENTRY;
		uint32_t func = 1 + (uint32_t)rand() % NR_FUNCS;
		int dice = rand() % 16;

		tsc += (uint64_t)rand() % 3; /* many ties */
		if (dice < 6 && depth[strand]) {
			kind = FC_EXIT;
			depth[strand]--;
		} else if (dice == 6 && depth[strand]) {
			kind = FC_TAIL;
		} else if (dice == 7) {
			kind = FC_ENTRY_ONLY;
		} else if (dice == 8 && depth[strand] > 2) {
			kind = FC_POP;
			depth[strand] -= 2;
			func = (uint32_t)depth[strand];
		} else {
			depth[strand]++;
		}
		events[i] = (struct fc_event){ .tsc = tsc,
					       .strand = strand + 1,
					       .pid = 1,
					       .tid = (int)strand + 1,
					       .kind = kind,
					       .func = func };
	}
	return NR_EVENTS;
}

static uint64_t clip(uint64_t tsc, uint64_t from, uint64_t to)
{
	return tsc < from ? from : tsc > to ? to : tsc;
}

/* The time of the calls right below calls->at[i], within the span: they ended before it. */
static uint64_t below(const struct told *whole, size_t i, uint64_t from, uint64_t to)
{
	const struct fc_call *call = &whole->calls.at[i];
	uint64_t sum = 0;

	while (i-- > 0) {
		const struct fc_call *inner = &whole->calls.at[i];
		if (inner->strand != call->strand)
			continue;
		if (inner->depth <= call->depth)
			break;
		if (inner->depth == call->depth + 1)
			sum += clip(inner->end_tsc, from, to) -
			       clip(inner->begin_tsc, from, to);
	}
	return sum;
}

static bool is_same(const struct fc_call *a, const struct fc_call *b)
{
	return a->func == b->func && a->strand == b->strand && a->depth == b->depth &&
	       a->begin_tsc == b->begin_tsc && a->end_tsc == b->end_tsc &&
	       a->self_ticks == b->self_ticks && a->left == b->left &&
	       a->is_inherited == b->is_inherited;
}

static bool has(const struct told *told, const struct fc_call *call)
{
	for (size_t i = 0; i < told->calls.nr; i++)
		if (is_same(&told->calls.at[i], call))
			return true;
	return false;
}

static void compare(const struct told *whole, const struct told *told, uint64_t from,
		    uint64_t to)
{
	size_t nr = 0, nr_at_begin = 0;

	for (size_t i = 0; i < whole->calls.nr; i++) {
		struct fc_call call = whole->calls.at[i];
		bool was_before = call.begin_tsc < from;
		if (call.begin_tsc >= to || (was_before && call.end_tsc < from))
			continue;
		bool may_be_told = was_before && call.end_tsc == from;
		call.self_ticks = clip(call.end_tsc, from, to) -
				  clip(call.begin_tsc, from, to) - below(whole, i, from, to);
		if (call.end_tsc >= to)
			call.left = FC_LEFT_END;
		call.begin_tsc = clip(call.begin_tsc, from, to);
		call.end_tsc = clip(call.end_tsc, from, to);
		call.is_inherited = was_before;
		assert_true(may_be_told || has(told, &call));
		nr_at_begin += may_be_told;
		nr += !may_be_told;
	}
	assert_true(told->calls.nr >= nr && told->calls.nr <= nr + nr_at_begin);
}

static void it_is_as_each_call_cut_by_itself(void **state)
{
	static struct fc_event events[NR_EVENTS];

	for (unsigned seed = 0; seed < 200; seed++) {
		size_t nr = make_events(events, seed);
		uint64_t from = 1000 + (uint64_t)rand() % 300,
			 to = from + (uint64_t)rand() % 150;
		struct told whole, told;

		told_init(&whole);
		play(events, nr, &whole.sink);
		play_cut(events, nr, from, to, &told);
		compare(&whole, &told, from, to);
		told_deinit(&whole);
		told_deinit(&told);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_are_cut_at_both_ends),
		cmocka_unit_test(a_quiet_thread_is_told),
		cmocka_unit_test(what_ends_as_the_span_begins_stays_paired),
		cmocka_unit_test(marks_outside_are_left_out),
		cmocka_unit_test(it_is_as_each_call_cut_by_itself),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
