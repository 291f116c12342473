/* SPDX-License-Identifier: Apache-2.0 */
/* What functions did in each interval: open calls, what a budget leaves, what filters hide. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "read/sums/rates.h"
#include "calls/test_feed.h"
#include "trace/test_mark.h"

enum { ALPHA = 1, BETA, GAMMA };

struct play {
	struct fc_rates *rates;
	struct fc_calls *calls;
	struct fc_rates_view view;
};

static int setup(void **state)
{
	static struct play play;

	play = (struct play){ .rates = fc_rates_create() };
	play.calls = fc_calls_create(fc_rates_sink(play.rates));
	assert_false(fc_rates_close(play.rates, play.calls, 1000, &play.view));
	*state = &play;
	return 0;
}

static int teardown(void **state)
{
	struct play *play = *state;

	fc_rates_view_deinit(&play->view);
	fc_calls_destroy(play->calls);
	fc_rates_destroy(play->rates);
	return 0;
}

static void feed_on(struct play *play, uint32_t strand, uint64_t tsc, enum fc_kind kind,
		    uint32_t func)
{
	feed_one(play->calls, strand, 6 + (int)strand, tsc, kind, func);
}

static void feed(struct play *play, uint64_t tsc, enum fc_kind kind, uint32_t func)
{
	feed_on(play, 1, tsc, kind, func);
}

static void close_at(struct play *play, uint64_t tsc)
{
	fc_rates_view_deinit(&play->view);
	assert_true(fc_rates_close(play->rates, play->calls, tsc, &play->view));
}

static struct fc_rate rate_of(const struct play *play, uint32_t func)
{
	fc_vec_each (&play->view.funcs, rate)
		if (rate->func == func)
			return *rate;
	return (struct fc_rate){ 0 };
}

static void assert_times(struct fc_rate rate, double total, double self)
{
	assert_true(rate.has_times);
	assert_true(rate.total_ticks == total);
	assert_true(rate.self_ticks == self);
}

static void a_call_counts_where_it_was_entered(void **state)
{
	struct play *play = *state;

	feed(play, 1100, FC_ENTRY, ALPHA);
	feed(play, 1200, FC_EXIT, ALPHA);
	feed(play, 1900, FC_ENTRY, ALPHA);
	close_at(play, 2000);
	struct fc_rate rate = rate_of(play, ALPHA);
	assert_int_equal(rate.seen_calls, 2);
	assert_int_equal(rate.nr_timed, 1);
	assert_int_equal(rate.nr_open, 1);
	assert_int_equal(rate.avg_ticks, 100);
	assert_times(rate, 200, 200);

	feed(play, 2300, FC_EXIT, ALPHA);
	close_at(play, 3000);
	rate = rate_of(play, ALPHA);
	assert_int_equal(rate.seen_calls, 0);
	assert_int_equal(rate.calls_ever, 2);
	assert_int_equal(rate.nr_timed, 1);
	assert_int_equal(rate.max_ticks, 400);
	assert_false(rate.is_max_open);
	assert_times(rate, 300, 300);
}

static void calls_before_the_begin_are_in_the_first_interval(void **state)
{
	struct play play = { .rates = fc_rates_create() };

	play.calls = fc_calls_create(fc_rates_sink(play.rates));
	feed(&play, 900, FC_ENTRY, ALPHA);
	feed(&play, 950, FC_ENTRY, BETA);
	assert_false(fc_rates_close(play.rates, play.calls, 1000, &play.view));
	close_at(&play, 2000);
	assert_int_equal(play.view.begin_tsc, 900);
	assert_int_equal(rate_of(&play, ALPHA).seen_calls, 1);
	assert_times(rate_of(&play, ALPHA), 1100, 50);
	assert_times(rate_of(&play, BETA), 1050, 1050);
	void *own = &play;
	teardown(&own);
}

static void what_never_returns_has_its_time_in_each_interval(void **state)
{
	struct play *play = *state;

	feed(play, 1000, FC_ENTRY, ALPHA);
	for (uint64_t begin = 1000; begin < 4000; begin += 1000) {
		feed(play, begin + 100, FC_ENTRY, BETA);
		feed(play, begin + 300, FC_EXIT, BETA);
		feed(play, begin + 900, FC_ENTRY, BETA);
		close_at(play, begin + 1000);
		assert_times(rate_of(play, ALPHA), 1000, 700);
		assert_times(rate_of(play, BETA), 300, 300);
		assert_true(rate_of(play, ALPHA).is_max_open);
		assert_int_equal(rate_of(play, ALPHA).max_ticks, begin);
		feed(play, begin + 1000, FC_EXIT, BETA);
	}
}

static void open_recursion_counts_once_in_total(void **state)
{
	struct play *play = *state;

	feed(play, 1000, FC_ENTRY, ALPHA);
	feed(play, 1100, FC_ENTRY, BETA);
	feed(play, 1200, FC_ENTRY, ALPHA);
	close_at(play, 2000);
	assert_times(rate_of(play, ALPHA), 1000, 900);
	assert_times(rate_of(play, BETA), 900, 100);
	assert_int_equal(rate_of(play, ALPHA).nr_open, 2);
	feed(play, 2500, FC_EXIT, ALPHA);
	feed(play, 2500, FC_EXIT, BETA);
	feed(play, 2600, FC_EXIT, ALPHA);
	close_at(play, 3000);
	assert_times(rate_of(play, ALPHA), 600, 600);
	assert_times(rate_of(play, BETA), 500, 0);
}

static void an_entry_only_function_has_no_times(void **state)
{
	struct play *play = *state;

	feed(play, 1500, FC_ENTRY_ONLY, GAMMA);
	close_at(play, 2000);
	assert_true(rate_of(play, GAMMA).is_entry_only);
	assert_false(rate_of(play, GAMMA).has_times);
	assert_int_equal(rate_of(play, GAMMA).seen_calls, 1);
}

static void hook(struct play *play, uint32_t func, enum fc_hook_state is, uint64_t tsc)
{
	struct fc_hook_info info = { func, is, tsc };
	fc_rates_hooks(play->rates, &info, 1);
}

/* Ten recorded calls of 10 ticks in the first half, forty counted ones in the second. */
static void counted_calls_are_as_long_as_recorded_ones(void **state)
{
	struct play *play = *state;
	uint64_t counts[4] = { [ALPHA] = 40 };

	for (uint64_t tsc = 1000; tsc < 1500; tsc += 50) {
		feed(play, tsc, FC_ENTRY, ALPHA);
		feed(play, tsc + 10, FC_EXIT, ALPHA);
	}
	hook(play, ALPHA, FC_HOOK_COUNTED, 1500);
	fc_rates_counts(play->rates, counts, 4);
	close_at(play, 2000);
	struct fc_rate rate = rate_of(play, ALPHA);
	assert_int_equal(rate.state, FC_HOOK_COUNTED);
	assert_int_equal(rate.seen_calls, 50);
	assert_false(rate.is_calls_reckoned);
	assert_true(rate.is_times_reckoned);
	assert_times(rate, 500, 500);

	counts[ALPHA] = 90;
	fc_rates_counts(play->rates, counts, 4);
	close_at(play, 3000);
	rate = rate_of(play, ALPHA);
	assert_int_equal(rate.seen_calls, 50);
	assert_int_equal(rate.nr_timed, 0);
	assert_false(rate.has_times);
}

static void what_is_unhooked_is_reckoned_where_it_was_seen_and_else_unseen(void **state)
{
	struct play *play = *state;

	for (uint64_t tsc = 1000; tsc < 1500; tsc += 50) {
		feed(play, tsc, FC_ENTRY, ALPHA);
		feed(play, tsc + 10, FC_EXIT, ALPHA);
	}
	hook(play, ALPHA, FC_HOOK_OUT, 1500);
	close_at(play, 2000);
	struct fc_rate rate = rate_of(play, ALPHA);
	assert_int_equal(rate.state, FC_HOOK_OUT);
	assert_true(rate.is_calls_reckoned);
	assert_true(rate.calls == 20);
	assert_int_equal(rate.seen_calls, 10);
	assert_times(rate, 200, 200);

	close_at(play, 3000);
	rate = rate_of(play, ALPHA);
	assert_true(rate.is_unseen);
	assert_false(rate.has_times);
	assert_true(rate.calls == 0);
	assert_true(rate.last_calls == 20);
	assert_int_equal(rate.calls_ever, 10);

	hook(play, ALPHA, FC_HOOK_RECORDED, 3000);
	close_at(play, 4000);
	assert_false(rate_of(play, ALPHA).is_unseen);
	assert_false(rate_of(play, ALPHA).is_calls_reckoned);
	assert_true(rate_of(play, ALPHA).calls == 0);
	assert_times(rate_of(play, ALPHA), 0, 0);
}

/* Recorded calls of 80 ticks, and more counted ones than could be so long. */
static void reckoned_times_have_room_in_the_interval(void **state)
{
	struct play *play = *state;
	uint64_t counts[4] = { [ALPHA] = 90 };

	for (uint64_t tsc = 1000; tsc < 1500; tsc += 100) {
		feed(play, tsc, FC_ENTRY, ALPHA);
		feed(play, tsc + 80, FC_EXIT, ALPHA);
	}
	hook(play, ALPHA, FC_HOOK_COUNTED, 1500);
	fc_rates_counts(play->rates, counts, 4);
	close_at(play, 2000);
	assert_times(rate_of(play, ALPHA), 400 + 500, 400 + 500);
}

/* What never returns is seen on; only what it is called besides is reckoned from short calls. */
static void a_long_call_is_no_measure_for_counted_ones(void **state)
{
	struct play *play = *state;
	uint64_t counts[4] = { [ALPHA] = 50 };

	feed(play, 1000, FC_ENTRY, ALPHA);
	feed(play, 1100, FC_ENTRY, BETA);
	feed(play, 1150, FC_EXIT, BETA);
	hook(play, ALPHA, FC_HOOK_COUNTED, 1200);
	fc_rates_counts(play->rates, counts, 4);
	close_at(play, 2000);
	assert_true(rate_of(play, ALPHA).is_times_reckoned);
	assert_times(rate_of(play, ALPHA), 1000, 950);
}

static void lost_records_are_told_and_close_what_they_may_have_ended(void **state)
{
	struct play *play = *state;
	struct fc_event lost = { .tsc = 1500,
				 .strand = 1,
				 .pid = 7,
				 .tid = 7,
				 .kind = FC_MARK,
				 .mark = FC_MARK_LOST,
				 WORDS(12, 1) };

	feed(play, 1000, FC_ENTRY, ALPHA);
	fc_calls_feed(play->calls, &lost);
	close_at(play, 2000);
	assert_int_equal(play->view.lost, 12);
	assert_int_equal(rate_of(play, ALPHA).nr_open, 0);
	assert_times(rate_of(play, ALPHA), 500, 500);
	close_at(play, 3000);
	assert_int_equal(play->view.lost, 0);
	assert_times(rate_of(play, ALPHA), 0, 0);
}

static void threads_are_told_as_long_as_they_live(void **state)
{
	struct play *play = *state;

	feed_on(play, 1, 1000, FC_ENTRY, ALPHA);
	feed_on(play, 2, 1500, FC_ENTRY, BETA);
	feed_on(play, 2, 1600, FC_ENTRY, GAMMA);
	close_at(play, 2000);
	assert_int_equal(play->view.threads.nr, 2);
	assert_int_equal(play->view.threads.at[0].tid, 7);
	assert_int_equal(play->view.threads.at[0].busy_ticks, 1000);
	assert_int_equal(play->view.threads.at[1].tid, 8);
	assert_int_equal(play->view.threads.at[1].busy_ticks, 500);
	assert_int_equal(play->view.threads.at[1].calls, 2);
	assert_int_equal(play->view.threads.at[1].depth, 2);
	assert_int_equal(play->view.threads.at[1].func, GAMMA);

	fc_calls_task_end(play->calls, 7, 8, 2100);
	fc_rates_task_end(play->rates, 7, 8);
	close_at(play, 3000);
	assert_int_equal(play->view.threads.nr, 2);
	assert_int_equal(play->view.threads.at[1].busy_ticks, 100);
	close_at(play, 4000);
	assert_int_equal(play->view.threads.nr, 1);

	/* Another thread takes the place. */
	feed_on(play, 3, 4100, FC_ENTRY, BETA);
	close_at(play, 5000);
	assert_int_equal(play->view.threads.nr, 2);
	assert_int_equal(play->view.threads.at[1].tid, 9);
	assert_int_equal(play->view.threads.at[1].calls, 1);
	assert_int_equal(play->view.threads.at[1].busy_ticks, 900);
}

/* A sink that stands between, and hides BETA: its time is nobody's, as in a report. */
struct hiding {
	struct fc_call_sink sink;
	struct fc_call_sink *next;
};

static void hiding_enter(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct hiding *hiding = (struct hiding *)sink;
	if (call->func != BETA)
		hiding->next->enter(hiding->next, call);
}

static void hiding_leave(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct hiding *hiding = (struct hiding *)sink;
	if (call->func != BETA)
		hiding->next->leave(hiding->next, call);
}

static void open_calls_that_are_hidden_stay_so(void **state)
{
	struct play *play = *state;
	struct hiding hiding = { .sink = { .enter = hiding_enter, .leave = hiding_leave },
				 .next = fc_rates_sink(play->rates) };

	fc_calls_set_sink(play->calls, &hiding.sink);
	feed(play, 1000, FC_ENTRY, ALPHA);
	feed(play, 1200, FC_ENTRY, BETA);
	feed(play, 1600, FC_ENTRY, GAMMA);
	close_at(play, 2000);
	assert_int_equal(play->view.funcs.nr, 3 - 1);
	assert_times(rate_of(play, ALPHA), 1000, 200);
	assert_times(rate_of(play, GAMMA), 400, 400);
	feed(play, 2500, FC_EXIT, GAMMA);
	feed(play, 2700, FC_EXIT, BETA);
	close_at(play, 3000);
	assert_times(rate_of(play, ALPHA), 1000, 300);
	assert_times(rate_of(play, GAMMA), 500, 500);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_call_counts_where_it_was_entered),
		cmocka_unit_test(calls_before_the_begin_are_in_the_first_interval),
		CASE(what_never_returns_has_its_time_in_each_interval),
		CASE(open_recursion_counts_once_in_total),
		CASE(an_entry_only_function_has_no_times),
		CASE(counted_calls_are_as_long_as_recorded_ones),
		CASE(what_is_unhooked_is_reckoned_where_it_was_seen_and_else_unseen),
		CASE(reckoned_times_have_room_in_the_interval),
		CASE(a_long_call_is_no_measure_for_counted_ones),
		CASE(lost_records_are_told_and_close_what_they_may_have_ended),
		CASE(threads_are_told_as_long_as_they_live),
		CASE(open_calls_that_are_hidden_stay_so),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
