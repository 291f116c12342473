/* SPDX-License-Identifier: Apache-2.0 */
/* A budget against programs that are made up: functions, each called so often a second. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
/* after those it needs */
#include <cmocka.h>

#include "capture/drain/budget.h"

enum { NR = 2000 };

static const struct fc_budget_costs costs = { .recorded = 22, .counted = 2 };

struct program {
	double rate[NR]; /* calls a ns of its own time */
	uint64_t recorded[NR], counted[NR];
	double own_ns, ran_ns, shown, all;
	uint64_t now_ns, nr_changes;
	struct fc_budget budget;
};

static void start(struct program *p, double share)
{
	fc_budget_deinit(&p->budget);
	memset(p, 0, sizeof(*p));
	fc_budget_init(&p->budget, share, costs, 0);
	for (uint32_t i = 1; i < NR; i++)
		fc_budget_add(&p->budget, i, FC_CAN_COUNT | FC_CAN_GO);
}

/* As in real programs: a few functions make most of the calls. */
static void give_rates(struct program *p, double calls_a_ns)
{
	double sum = 0;
	for (int i = 1; i < NR; i++)
		sum += 1.0 / i / i;
	for (int i = 1; i < NR; i++)
		p->rate[i] = calls_a_ns / sum / i / i;
}

/* So long of its own time, and what tracing costs then, in steps of about 10 ms. */
static void run(struct program *p, double ns)
{
	for (double end = p->own_ns + ns; p->own_ns < end;) {
		double cost = 0, step = 1e7, a_ns = 1;
		for (uint32_t i = 1; i < NR; i++) {
			enum fc_hook_state state = fc_budget_state(&p->budget, i);
			a_ns += p->rate[i] * (state == FC_HOOK_RECORDED	 ? costs.recorded
					      : state == FC_HOOK_COUNTED ? costs.counted
									 : 0);
		}
		step /= a_ns;
		for (uint32_t i = 1; i < NR; i++) {
			enum fc_hook_state state = fc_budget_state(&p->budget, i);
			uint64_t calls = (uint64_t)(p->rate[i] * step + drand48());
			p->all += calls;
			if (state == FC_HOOK_RECORDED) {
				p->recorded[i] += calls;
				p->shown += calls;
				cost += calls * costs.recorded;
			} else if (state == FC_HOOK_COUNTED) {
				p->counted[i] += calls;
				cost += calls * costs.counted;
			}
		}
		p->own_ns += step;
		p->ran_ns += step + cost;
		p->now_ns += (uint64_t)(step + cost);
		fc_budget_look(&p->budget, p->now_ns, (uint64_t)p->ran_ns, p->recorded,
			       p->counted, NR);
		p->nr_changes += p->budget.changes.nr;
	}
}

static void begin_to_measure(struct program *p)
{
	p->own_ns = p->ran_ns - (p->ran_ns - p->own_ns);
	p->shown = p->all = 0;
}

static double slowdown_of(struct program *p, double ns)
{
	double own = p->own_ns, ran = p->ran_ns;
	begin_to_measure(p);
	run(p, ns);
	return (p->ran_ns - ran) / (p->own_ns - own) - 1;
}

static void expect_between(double value, double low, double high)
{
	if (value < low || value > high)
		fail_msg("%g is not between %g and %g", value, low, high);
}

static void a_busy_program_is_slowed_down_by_its_share(void **state)
{
	static struct program p;
	for (double share = 0.01; share < 0.6; share *= 3) {
		start(&p, share);
		give_rates(&p, 0.25); /* 250 calls a microsecond */
		run(&p, 1e9);
		expect_between(slowdown_of(&p, 5e9), share * 0.5, share * 1.2);
	}
}

static void a_program_that_fits_is_recorded_whole(void **state)
{
	static struct program p;
	start(&p, 0.05);
	give_rates(&p, 0.0015); /* costs 3.3 % */
	run(&p, 3e9);
	assert_int_equal(p.nr_changes, 0);
	assert_true(p.shown == p.all);
}

/* Fills the share: of calls that fit into it few are given up. */
static void what_is_kept_is_worth_the_share(void **state)
{
	static struct program p;
	start(&p, 0.05);
	for (int i = 1; i < NR; i++)
		p.rate[i] = 0.02 / NR; /* all alike: a tenth of them fits */
	run(&p, 2e9);
	slowdown_of(&p, 3e9);
	expect_between(p.shown / p.all, 0.05, 0.115);
}

static void the_one_that_is_called_far_too_often_goes_first(void **state)
{
	static struct program p;
	start(&p, 0.05);
	give_rates(&p, 0.0005);
	p.rate[77] = 0.5;
	run(&p, 2e9);
	assert_int_equal(fc_budget_state(&p.budget, 77), FC_HOOK_OUT);
	slowdown_of(&p, 2e9);
	expect_between(p.shown / (0.0005 * 2e9), 0.95, 1.05); /* all of the others */
}

static void what_is_called_less_later_comes_back(void **state)
{
	static struct program p;
	start(&p, 0.05);
	give_rates(&p, 0.25);
	run(&p, 3e9);
	give_rates(&p, 0.0005);
	run(&p, 30e9);
	for (uint32_t i = 1; i < NR; i++)
		assert_int_equal(fc_budget_state(&p.budget, i), FC_HOOK_RECORDED);
}

/* Two loads in turn, each with its own busy functions. */
static void a_load_that_changes_costs_no_more(void **state)
{
	static struct program p;
	start(&p, 0.05);
	double ran = 0, own = 0;
	for (int turn = 0; turn < 40; turn++) {
		give_rates(&p, 0.1);
		if (turn % 2)
			for (int i = 1; i < 40; i++) {
				double rate = p.rate[i];
				p.rate[i] = p.rate[i + 500];
				p.rate[i + 500] = rate;
			}
		if (turn == 10) {
			ran = p.ran_ns;
			own = p.own_ns;
		}
		run(&p, 3e8);
	}
	expect_between((p.ran_ns - ran) / (p.own_ns - own) - 1, 0, 0.07);
}

static void what_cannot_go_is_counted_at_least(void **state)
{
	static struct program p;
	start(&p, 0.05);
	p.rate[1] = 0.1;
	fc_budget_add(&p.budget, 1, FC_CAN_COUNT);
	p.rate[2] = 0.1;
	fc_budget_add(&p.budget, 2, FC_CAN_GO);
	p.rate[3] = 0.1;
	fc_budget_add(&p.budget, 3, 0);
	run(&p, 2e9);
	assert_int_equal(fc_budget_state(&p.budget, 1), FC_HOOK_COUNTED);
	assert_int_equal(fc_budget_state(&p.budget, 2), FC_HOOK_OUT);
	assert_int_equal(fc_budget_state(&p.budget, 3), FC_HOOK_RECORDED);
}

static void what_hooking_costs_is_paid_for_by_calls(void **state)
{
	static struct program p;
	start(&p, 0.05);
	give_rates(&p, 0.05);
	run(&p, 2e9);
	assert_false(fc_budget_affords(&p.budget, 1e9));
	fc_budget_charge(&p.budget, 50e6);
	assert_false(fc_budget_affords(&p.budget, 1));
	/* 50 ms are a twentieth of a second, and that is what comes back in two. */
	expect_between(slowdown_of(&p, 2e9), 0.005, 0.035);
}

/* As when a process is let go of: a debugger is to have it. */
static void a_process_that_is_let_go_takes_its_time_with_it(void **state)
{
	static struct program p;
	start(&p, 0.05);
	give_rates(&p, 0.0015);
	run(&p, 3e9);
	p.ran_ns /= 100;
	p.own_ns = 0;
	give_rates(&p, 0.25);
	run(&p, 2e8);
	assert_true(p.nr_changes > 0);
}

static void what_the_user_has_unhooked_does_not_come_back(void **state)
{
	static struct program p;
	start(&p, 0.05);
	p.rate[1] = p.rate[2] = 0.1;
	run(&p, 2e9);
	for (uint32_t i = 1; i <= 2; i++) {
		fc_budget_set(&p.budget, i, FC_HOOK_OUT);
		p.rate[i] = 0;
	}
	fc_budget_leave(&p.budget, 1, true);
	run(&p, 300e9);
	assert_int_equal(fc_budget_state(&p.budget, 1), FC_HOOK_OUT);
	assert_int_equal(fc_budget_state(&p.budget, 2), FC_HOOK_RECORDED);
	fc_budget_leave(&p.budget, 1, false);
	run(&p, 300e9);
	assert_int_equal(fc_budget_state(&p.budget, 1), FC_HOOK_RECORDED);
}

/* Counters lie where the program can write. */
static void counters_that_jump_are_survived(void **state)
{
	static uint64_t recorded[NR], counted[NR];
	static struct program p;
	start(&p, 1e-9);
	for (uint64_t i = 1; i < 200; i++) {
		for (size_t k = 0; k < NR; k++) {
			recorded[k] = k % 3 ? i << 56 : UINT64_MAX / i;
			counted[k] = k % 2 ? UINT64_MAX - i : i * i << 40;
		}
		fc_budget_charge_stop(&p.budget, i % 2, 1e300);
		fc_budget_look(&p.budget, i * 1000000000, i, recorded, counted, NR);
		for (size_t k = 0; k < p.budget.changes.nr; k++)
			assert_true(p.budget.changes.at[k].func < NR);
	}
	fc_budget_deinit(&p.budget);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_busy_program_is_slowed_down_by_its_share),
		cmocka_unit_test(a_program_that_fits_is_recorded_whole),
		cmocka_unit_test(what_is_kept_is_worth_the_share),
		cmocka_unit_test(the_one_that_is_called_far_too_often_goes_first),
		cmocka_unit_test(what_is_called_less_later_comes_back),
		cmocka_unit_test(a_load_that_changes_costs_no_more),
		cmocka_unit_test(what_cannot_go_is_counted_at_least),
		cmocka_unit_test(what_hooking_costs_is_paid_for_by_calls),
		cmocka_unit_test(a_process_that_is_let_go_takes_its_time_with_it),
		cmocka_unit_test(what_the_user_has_unhooked_does_not_come_back),
		cmocka_unit_test(counters_that_jump_are_survived),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
