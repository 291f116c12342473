/* SPDX-License-Identifier: Apache-2.0 */
/* Work that several threads share: each part is done, and done once. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* after those it needs */
#include <cmocka.h>

#include "base/crew.h"

enum { NR_PARTS = 1000 };

static void count(void *ctx, size_t i)
{
	int *done = ctx;
	__atomic_fetch_add(&done[i], 1, __ATOMIC_RELAXED);
}

static void expect_each_once(size_t nr)
{
	int done[NR_PARTS] = { 0 };
	fc_crew_each(nr, count, done);
	for (size_t i = 0; i < NR_PARTS; i++)
		assert_int_equal(done[i], i < nr);
}

static void each_part_is_done_once(void **state)
{
	static const size_t some[] = { 0, 1, 2, 3, 17, NR_PARTS };
	for (size_t i = 0; i < sizeof(some) / sizeof(some[0]); i++)
		expect_each_once(some[i]);
}

static void count_by_another_crew(void *ctx, size_t i)
{
	int(*done)[10] = ctx;
	fc_crew_each(10, count, done[i]);
}

static void a_part_may_have_a_crew_of_its_own(void **state)
{
	int done[10][10] = { 0 };
	fc_crew_each(10, count_by_another_crew, done);
	for (size_t i = 0; i < 100; i++)
		assert_int_equal(done[i / 10][i % 10], 1);
}

static void with_one_cpu_there_is_no_other_thread(void **state)
{
	cpu_set_t before, one;
	int cpu = 0;
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	while (!CPU_ISSET(cpu, &before))
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	assert_int_equal(fc_crew_size(), 1);
	expect_each_once(17);
	assert_int_equal(sched_setaffinity(0, sizeof(before), &before), 0);
}

struct part {
	pthread_t by;
	bool is_open; /* to SIGTERM */
};

static bool is_open(void)
{
	sigset_t mask;
	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	return !sigismember(&mask, SIGTERM);
}

static void note_mask(void *ctx, size_t i)
{
	((struct part *)ctx)[i] = (struct part){ pthread_self(), is_open() };
}

static void signals_stay_with_the_thread_that_asked(void **state)
{
	struct part parts[NR_PARTS];
	assert_true(is_open());
	fc_crew_each(NR_PARTS, note_mask, parts);
	assert_true(is_open());
	for (size_t i = 0; i < NR_PARTS; i++)
		assert_int_equal(parts[i].is_open,
				 pthread_equal(parts[i].by, pthread_self()) != 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_part_is_done_once),
		cmocka_unit_test(a_part_may_have_a_crew_of_its_own),
		cmocka_unit_test(with_one_cpu_there_is_no_other_thread),
		cmocka_unit_test(signals_stay_with_the_thread_that_asked),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
