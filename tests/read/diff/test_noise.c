/* SPDX-License-Identifier: Apache-2.0 */
/* What diff takes for a change and what for noise, with made-up costs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "read/diff/noise.h"

enum { MANY_RUNS = 12, MANY_FUNCS = 12 };

/* Functions and what they cost in each run. */
struct made {
	struct fc_judged functions[MANY_FUNCS];
	struct fc_cost costs[MANY_FUNCS][2][MANY_RUNS];
	size_t nr, nr_runs[2];
	struct fc_noise noise;
	uint64_t seed;
};

static struct made *made_of(size_t nr_runs)
{
	struct made *made = calloc(1, sizeof(*made));

	made->nr_runs[0] = made->nr_runs[1] = nr_runs;
	made->seed = 1;
	return made;
}

static void judge(struct made *made)
{
	for (size_t i = 0; i < made->nr; i++)
		for (int side = 0; side < 2; side++)
			made->functions[i].costs[side] = made->costs[i][side];
	fc_noise_judge(made->functions, made->nr, made->nr_runs, &made->noise);
}

static bool is_listed(const struct made *made, size_t i)
{
	return made->functions[i].has_other_calls || made->functions[i].has_other_time;
}

static size_t nr_listed(const struct made *made)
{
	size_t nr = 0;

	for (size_t i = 0; i < made->nr; i++)
		nr += is_listed(made, i);
	return nr;
}

/* So many calls, each of which takes so long. */
static struct fc_cost cost_of(uint64_t calls, double ns)
{
	struct fc_cost cost = {
		.calls = calls,
		.nr_timed = calls,
		.sum_ns = (double)calls * ns,
		.shortest_ns = ns,
		.longest_ns = ns,
		.usual_ns = ns,
		.nr_parts = calls >= 32 ? FC_COST_PARTS : 0,
	};

	for (unsigned i = 0; i < cost.nr_parts; i++)
		cost.part_ns[i] = ns;
	return cost;
}

/* One more function, the same in all runs of a side. Returns its place. */
static size_t add(struct made *made, struct fc_cost a, struct fc_cost b)
{
	for (size_t i = 0; i < made->nr_runs[0]; i++)
		made->costs[made->nr][0][i] = a;
	for (size_t i = 0; i < made->nr_runs[1]; i++)
		made->costs[made->nr][1][i] = b;
	return made->nr++;
}

static size_t add_same(struct made *made, uint64_t calls, double ns)
{
	return add(made, cost_of(calls, ns), cost_of(calls, ns));
}

static void add_three(struct made *made)
{
	for (int i = 0; i < 3; i++)
		add_same(made, 1000, 1000);
}

/* Each function in this one takes so many times as long on side B. */
static void slow_down(struct made *made, double times)
{
	for (size_t i = 0; i < made->nr; i++)
		for (size_t k = 0; k < made->nr_runs[1]; k++)
			made->costs[i][1][k] = cost_of(made->costs[i][1][k].calls,
						       made->costs[i][1][k].usual_ns * times);
}

/* ---- one run each ---- */

static void the_hot_function_is_no_pace_of_its_own(void **state)
{
	struct made *made = made_of(1);
	size_t hot = add(made, cost_of(2000, 12000), cost_of(2000, 600));

	add_three(made);
	add_same(made, 1, 50000); /* main */
	judge(made);
	assert_true(is_listed(made, hot));
	assert_int_equal(nr_listed(made), 1);
	assert_true(fabs(made->functions[hot].change_ns + 2000 * 11400.0) < 1);
	assert_true(made->noise.pace > 0.999 && made->noise.pace < 1.001);
	free(made);
}

static void the_hot_function_may_be_the_whole_run(void **state)
{
	for (int is_faster = 0; is_faster < 2; is_faster++) {
		struct made *made = made_of(1);
		size_t hot = add(made, cost_of(3000, is_faster ? 3000 : 1000),
				 cost_of(3000, is_faster ? 1000 : 3000));
		add_same(made, 1, 50000);
		judge(made);
		assert_true(is_listed(made, hot));
		assert_int_equal(nr_listed(made), 1);
		free(made);
	}
}

static void one_of_three_equal_functions_is_the_only_one_that_is_listed(void **state)
{
	struct made *made = made_of(1);
	size_t slow = add(made, cost_of(1, 2.8e6), cost_of(1, 28e6));

	add_same(made, 1, 2.8e6);
	add_same(made, 1, 2.8e6);
	judge(made);
	assert_true(is_listed(made, slow));
	assert_int_equal(nr_listed(made), 1);
	free(made);
}

static void a_slower_machine_changes_nothing(void **state)
{
	struct made *made = made_of(1);

	add_three(made);
	add_same(made, 500, 700);
	size_t slow = add_same(made, 2000, 300);
	slow_down(made, 1.5);
	judge(made);
	assert_int_equal(nr_listed(made), 0);
	assert_true(made->noise.pace > 1.4 && made->noise.pace < 1.6);
	made->costs[slow][1][0] = cost_of(2000, 3000);
	judge(made);
	assert_true(is_listed(made, slow));
	assert_int_equal(nr_listed(made), 1);
	free(made);
}

static void what_becomes_much_slower_everywhere_is_not_the_machine(void **state)
{
	struct made *made = made_of(1);

	add_three(made);
	add_three(made);
	slow_down(made, 4);
	judge(made);
	assert_int_equal(nr_listed(made), 6);
	free(made);
}

static void without_a_pace_little_is_certain_and_said_to_be_so(void **state)
{
	struct made *made = made_of(1);
	size_t hot = add(made, cost_of(3000, 1000), cost_of(3000, 1600));

	add_same(made, 1, 50000);
	judge(made);
	assert_int_equal(nr_listed(made), 0);
	assert_true(made->functions[hot].is_unsure);
	free(made);
}

static void interruptions_are_no_change(void **state)
{
	struct made *made = made_of(1);
	size_t hot = add_same(made, 3000, 1000), once = add_same(made, 1, 100e3);

	add_three(made);
	/* Five calls of others, and the one of main, waited for the CPU. */
	made->costs[hot][1][0].sum_ns += 5 * 4e6;
	made->costs[hot][1][0].longest_ns = 4e6;
	made->costs[once][1][0] = cost_of(1, 9.1e6);
	judge(made);
	assert_int_equal(nr_listed(made), 0);
	assert_false(made->functions[hot].is_unsure);
	/* For longer, as calls of several other functions did. */
	made->costs[once][1][0] = cost_of(1, 24.1e6);
	for (int i = 0; i < 2; i++)
		made->costs[hot + 2 + i][1][0].longest_ns = 15e6;
	judge(made);
	assert_int_equal(nr_listed(made), 0);
	free(made);
}

static void on_a_busy_machine_little_is_certain(void **state)
{
	struct made *made = made_of(1);
	size_t slow = add(made, cost_of(1000, 1000), cost_of(1000, 1800));

	add_three(made);
	judge(made);
	assert_true(is_listed(made, slow));
	made->costs[slow][1][0].sum_ns += 3e6;
	judge(made);
	assert_int_equal(nr_listed(made), 0);
	free(made);
}

static void cold_caches_are_no_change(void **state)
{
	struct made *made = made_of(1);
	size_t cold = add(made, cost_of(200, 1000), cost_of(200, 1900));

	add_three(made);
	judge(made);
	assert_int_equal(nr_listed(made), 0);
	made->costs[cold][1][0] = cost_of(200, 5000);
	judge(made);
	assert_true(is_listed(made, cold));
	free(made);
}

static void a_few_calls_that_are_all_longer_were_not_interrupted(void **state)
{
	struct made *made = made_of(1);
	size_t few = add(made, cost_of(6, 30e3), cost_of(6, 600e3));

	add_three(made);
	judge(made);
	assert_true(is_listed(made, few));
	assert_int_equal(nr_listed(made), 1);
	made->costs[few][1][0].shortest_ns = 31e3; /* but for one */
	judge(made);
	assert_int_equal(nr_listed(made), 0);
	free(made);
}

static void calls_that_vary_within_the_run_are_noise(void **state)
{
	struct made *made = made_of(1);
	size_t varies = add_same(made, 1000, 1000);

	add_three(made);
	struct fc_cost *cost = &made->costs[varies][1][0];
	cost->usual_ns = 1600;
	cost->sum_ns = 1600e3;
	for (unsigned i = 0; i < FC_COST_PARTS; i++)
		cost->part_ns[i] = 700 + 230 * i;
	judge(made);
	assert_int_equal(nr_listed(made), 0);
	for (unsigned i = 0; i < FC_COST_PARTS; i++)
		cost->part_ns[i] = 1600;
	judge(made);
	assert_true(is_listed(made, varies));
	/* Both must say so: the whole, and its parts. */
	cost->usual_ns = 1200;
	judge(made);
	assert_int_equal(nr_listed(made), 0);
	free(made);
}

static void a_changed_number_of_calls_is_a_change(void **state)
{
	struct made *made = made_of(1);
	size_t more = add(made, cost_of(1000, 50), cost_of(1001, 50));
	size_t is_new = add(made, cost_of(0, 0), cost_of(1, 50));
	size_t gone = add(made, cost_of(1, 50), cost_of(0, 0));

	add_three(made);
	judge(made);
	assert_true(is_listed(made, more) && is_listed(made, is_new) && is_listed(made, gone));
	assert_int_equal(nr_listed(made), 3);
	/* It counts for what one call takes, however long the others took. */
	assert_true(fabs(made->functions[more].change_ns - 50) < 0.1);
	made->costs[more][1][0] = cost_of(1001, 60);
	judge(made);
	assert_true(fabs(made->functions[more].change_ns - 55) < 0.1);
	made->functions[more].kind = FC_TIME_LOADER;
	judge(made);
	assert_int_equal(nr_listed(made), 2);
	free(made);
}

static void what_waits_for_a_thread_has_that_threads_time(void **state)
{
	struct made *made = made_of(1);
	size_t work = add(made, cost_of(1, 10e6), cost_of(1, 50e6));
	size_t join = add(made, cost_of(1, 10e6), cost_of(1, 50e6));

	made->functions[join].kind = FC_TIME_JOIN;
	judge(made);
	assert_true(is_listed(made, work));
	assert_int_equal(nr_listed(made), 1);
	free(made);
}

/* ---- several runs ---- */

static double uniform(struct made *made)
{
	made->seed = made->seed * 6364136223846793005ull + 1442695040888963407ull;
	return (double)(made->seed >> 11) / 0x1p53;
}

/* About normal. */
static double normal(struct made *made)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += uniform(made);
	return sum;
}

/* Runs of which each function varies by this share; of one in ten by much more. */
static void vary(struct made *made, double share)
{
	for (size_t i = 0; i < made->nr; i++)
		for (int side = 0; side < 2; side++)
			for (size_t k = 0; k < made->nr_runs[side]; k++) {
				struct fc_cost *cost = &made->costs[i][side][k];
				double times = exp(share * normal(made));
				if (uniform(made) < 0.1)
					times *= 1 + uniform(made);
				*cost = cost_of(cost->calls, cost->usual_ns * times);
			}
}

static void five_percent_are_found_with_several_runs(void **state)
{
	int nr_found = 0, nr_others = 0;

	for (uint64_t seed = 1; seed <= 100; seed++) {
		struct made *made = made_of(10);
		made->seed = seed * 7919;
		size_t slow = add(made, cost_of(2000, 5000), cost_of(2000, 5250));
		for (int i = 0; i < 6; i++)
			add_same(made, 500, 2000);
		vary(made, 0.01);
		judge(made);
		nr_found += is_listed(made, slow);
		nr_others += nr_listed(made) > (size_t)is_listed(made, slow);
		free(made);
	}
	assert_true(nr_found >= 97);
	assert_true(nr_others <= 1);
}

static void a_slow_run_is_no_noise_of_each_function(void **state)
{
	static const double paces[5] = { 1, 1.3, 1.1, 1.4, 0.9 };
	struct made *made = made_of(5);
	size_t slow = add(made, cost_of(2000, 5000), cost_of(2000, 5250));

	add_three(made);
	for (size_t i = 0; i < made->nr; i++)
		for (int side = 0; side < 2; side++)
			for (size_t k = 0; k < 5; k++) {
				struct fc_cost *cost = &made->costs[i][side][k];
				*cost = cost_of(cost->calls,
						cost->usual_ns * paces[side ? 4 - k : k]);
			}
	judge(made);
	assert_true(is_listed(made, slow));
	assert_int_equal(nr_listed(made), 1);
	free(made);
}

static void a_change_against_the_pace_is_one(void **state)
{
	struct made *made = made_of(8);
	size_t slow = add_same(made, 4000, 5000), same = add_same(made, 1000, 5000);

	add_three(made);
	add_three(made);
	slow_down(made, 0.977);
	for (size_t k = 0; k < 8; k++) {
		made->costs[slow][1][k] = cost_of(4000, 5000 * 0.977 * 1.05);
		made->costs[same][1][k] =
			cost_of(1000, 5000); /* waits for memory: not faster */
	}
	judge(made);
	assert_true(is_listed(made, slow));
	assert_int_equal(nr_listed(made), 1);
	free(made);
}

static void a_machine_of_two_speeds_hides_nothing(void **state)
{
	struct made *made = made_of(10);
	size_t slow = add(made, cost_of(2000, 5000), cost_of(2000, 5250));

	add_three(made);
	/* Six runs of A are slow, and four of B. */
	for (size_t i = 0; i < made->nr; i++)
		for (int side = 0; side < 2; side++)
			for (size_t k = 0; k < (side ? 4 : 6); k++) {
				struct fc_cost *cost = &made->costs[i][side][k];
				*cost = cost_of(cost->calls, cost->usual_ns * 1.04);
			}
	judge(made);
	assert_true(is_listed(made, slow));
	assert_int_equal(nr_listed(made), 1);
	free(made);
}

static void several_runs_that_only_vary_show_nothing(void **state)
{
	static const size_t runs[] = { 2, 3, 5, 8, 12 };

	for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
		int nr_wrong = 0;
		for (uint64_t seed = 1; seed <= 200; seed++) {
			struct made *made = made_of(runs[i]);
			made->seed = seed * 104729;
			for (int k = 0; k < 8; k++)
				add_same(made, 1000, 300 + 400 * k);
			add_same(made, 1, 3e6);
			add_same(made, 3, 1e6);
			vary(made, seed % 2 ? 0.01 : 0.08);
			judge(made);
			nr_wrong += nr_listed(made) > 0;
			free(made);
		}
		assert_true(nr_wrong <= 2);
	}
}

static void calls_that_vary_between_runs_are_noise(void **state)
{
	struct made *made = made_of(4);
	size_t some = add_same(made, 100, 100);

	add_three(made);
	for (size_t i = 0; i < 4; i++) {
		made->costs[some][0][i].calls = 100 + i;
		made->costs[some][1][i].calls = 105 + i;
	}
	judge(made);
	assert_false(made->functions[some].has_other_calls);
	for (size_t i = 0; i < 4; i++)
		made->costs[some][1][i].calls = 110 + i;
	judge(made);
	assert_true(made->functions[some].has_other_calls);
	/* New in all runs, however often. */
	for (size_t i = 0; i < 4; i++) {
		made->costs[some][0][i].calls = 0;
		made->costs[some][1][i].calls = 1 + 10 * i;
	}
	judge(made);
	assert_true(made->functions[some].has_other_calls);
	made->costs[some][1][2].calls = 0;
	judge(made);
	assert_false(made->functions[some].has_other_calls);
	free(made);
}

static void a_rare_slow_call_in_every_run_is_found(void **state)
{
	struct made *made = made_of(5);
	size_t rare = add_same(made, 10000, 1000);

	add_three(made);
	for (size_t i = 0; i < 5; i++)
		made->costs[rare][1][i].sum_ns += 20e6 + 1e5 * (double)i;
	judge(made);
	assert_true(is_listed(made, rare));
	assert_true(made->functions[rare].change_ns > 19e6);
	free(made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_hot_function_is_no_pace_of_its_own),
		cmocka_unit_test(the_hot_function_may_be_the_whole_run),
		cmocka_unit_test(one_of_three_equal_functions_is_the_only_one_that_is_listed),
		cmocka_unit_test(a_slower_machine_changes_nothing),
		cmocka_unit_test(what_becomes_much_slower_everywhere_is_not_the_machine),
		cmocka_unit_test(without_a_pace_little_is_certain_and_said_to_be_so),
		cmocka_unit_test(interruptions_are_no_change),
		cmocka_unit_test(on_a_busy_machine_little_is_certain),
		cmocka_unit_test(cold_caches_are_no_change),
		cmocka_unit_test(a_few_calls_that_are_all_longer_were_not_interrupted),
		cmocka_unit_test(calls_that_vary_within_the_run_are_noise),
		cmocka_unit_test(a_changed_number_of_calls_is_a_change),
		cmocka_unit_test(what_waits_for_a_thread_has_that_threads_time),
		cmocka_unit_test(five_percent_are_found_with_several_runs),
		cmocka_unit_test(a_slow_run_is_no_noise_of_each_function),
		cmocka_unit_test(a_change_against_the_pace_is_one),
		cmocka_unit_test(a_machine_of_two_speeds_hides_nothing),
		cmocka_unit_test(several_runs_that_only_vary_show_nothing),
		cmocka_unit_test(calls_that_vary_between_runs_are_noise),
		cmocka_unit_test(a_rare_slow_call_in_every_run_is_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
