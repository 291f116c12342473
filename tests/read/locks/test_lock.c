/* SPDX-License-Identifier: Apache-2.0 */
/* Who waited for a lock, for whom, and for how long. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "read/locks/lock.h"

static struct fc_lock lock;

#define BY(tid, func) ((struct fc_lock_by){ tid, 10 * (tid), func })

static int begin(void **state)
{
	lock = (struct fc_lock){ .kind = FC_LOCK_MUTEX, .has_ops = true };
	return 0;
}

static int end(void **state)
{
	fc_lock_deinit(&lock);
	return 0;
}

static const struct fc_lock_who *who(enum fc_lock_role role, int tid)
{
	for (size_t i = 0; i < lock.who[role].nr; i++)
		if (lock.who[role].at[i].tid == tid)
			return &lock.who[role].at[i];
	fail_msg("thread %d did nothing as %d", tid, role);
	return NULL;
}

static void assert_times(const struct fc_lock_times *times, uint64_t waits, uint64_t total,
			 uint64_t longest)
{
	assert_int_equal(times->waits, waits);
	assert_int_equal(times->total, total);
	assert_int_equal(times->longest, longest);
}

static void who_gets_it_at_once_does_not_wait(void **state)
{
	struct fc_lock_ask *ask = fc_lock_ask(&lock, BY(1, 5), false, 10);

	fc_lock_ask_end(&lock, ask, 12, FC_LOCK_ENDED);
	fc_lock_hold(&lock, BY(1, 5), false, 12);
	assert_true(fc_lock_release(&lock, BY(1, 0), 20));
	assert_false(fc_lock_release(&lock, BY(1, 0), 21));
	assert_times(&lock.times, 0, 0, 0);
	assert_int_equal(lock.taken, 1);
}

/* 2 has it when 1 asks; 3 gets it before 1, and before 2 again: 1 waits once, for both. */
static void a_wait_is_shared_by_those_who_had_the_lock(void **state)
{
	fc_lock_hold(&lock, BY(2, 6), false, 5);
	struct fc_lock_ask *ask = fc_lock_ask(&lock, BY(1, 5), false, 10);
	fc_lock_release(&lock, BY(2, 0), 15);
	fc_lock_hold(&lock, BY(3, 7), false, 16);
	fc_lock_release(&lock, BY(3, 0), 18);
	fc_lock_hold(&lock, BY(2, 6), false, 20);
	fc_lock_release(&lock, BY(2, 0), 27);
	fc_lock_ask_end(&lock, ask, 30, FC_LOCK_ENDED);
	assert_times(&lock.times, 1, 20, 20);
	assert_int_equal(lock.longest_tsc, 10);
	assert_times(&who(FC_LOCK_WAITED, 1)->times, 1, 20, 20);
	assert_times(&who(FC_LOCK_HELD, 2)->times, 1, 12, 12);
	assert_times(&who(FC_LOCK_HELD, 3)->times, 1, 2, 2);
	assert_int_equal(who(FC_LOCK_HELD, 3)->func, 7);
	assert_int_equal(lock.who[FC_LOCK_WOKE].nr, 0);
}

static void readers_do_not_wait_for_readers(void **state)
{
	lock.kind = FC_LOCK_RWLOCK;
	fc_lock_hold(&lock, BY(2, 6), true, 5);
	struct fc_lock_ask *reader = fc_lock_ask(&lock, BY(1, 5), true, 10);
	struct fc_lock_ask *writer = fc_lock_ask(&lock, BY(3, 5), false, 11);
	fc_lock_ask_end(&lock, reader, 12, FC_LOCK_ENDED);
	fc_lock_hold(&lock, BY(1, 5), true, 12);
	fc_lock_release(&lock, BY(2, 0), 20);
	fc_lock_release(&lock, BY(1, 0), 25);
	fc_lock_ask_end(&lock, writer, 26, FC_LOCK_ENDED);
	assert_times(&lock.times, 1, 15, 15);
	assert_times(&who(FC_LOCK_HELD, 2)->times, 1, 9, 9);
	assert_times(&who(FC_LOCK_HELD, 1)->times, 1, 13, 13);
}

static void a_lock_that_was_taken_twice_is_released_twice(void **state)
{
	fc_lock_hold(&lock, BY(2, 6), false, 5);
	fc_lock_hold(&lock, BY(2, 6), false, 6);
	struct fc_lock_ask *ask = fc_lock_ask(&lock, BY(1, 5), false, 10);
	fc_lock_release(&lock, BY(2, 0), 12);
	fc_lock_release(&lock, BY(2, 0), 20);
	fc_lock_ask_end(&lock, ask, 20, FC_LOCK_ENDED);
	assert_times(&who(FC_LOCK_HELD, 2)->times, 1, 10, 10);
	assert_int_equal(lock.taken, 2);
}

/* It slept, and nobody is known to have had the lock. */
static void a_holder_that_is_not_known_is_told_so(void **state)
{
	struct fc_lock_ask *ask = fc_lock_ask(&lock, BY(1, 5), false, 10);
	ask->has_waited = true;
	ask->sleep = FC_LOCK_SLEEP_WOKEN;
	ask->sleep_begin = 11;
	ask->sleep_end = 19;
	fc_lock_ask_end(&lock, ask, 20, FC_LOCK_ENDED);
	assert_int_equal(who(FC_LOCK_HELD, 0)->nobody, FC_LOCK_NOT_TRACED);
	assert_int_equal(who(FC_LOCK_WOKE, 0)->nobody, FC_LOCK_NOT_TRACED);
}

static void waits_that_nobody_ended_are_told_as_such(void **state)
{
	static const struct {
		enum fc_lock_ending ending;
		int nobody;
	} all[] = { { FC_LOCK_ENDED_TIMEOUT, FC_LOCK_TIMEOUT },
		    { FC_LOCK_ENDED_INTERRUPTED, FC_LOCK_INTERRUPTED },
		    { FC_LOCK_ENDED_FAILED, FC_LOCK_FAILED },
		    { FC_LOCK_ENDED_LEFT, FC_LOCK_LEFT },
		    { FC_LOCK_ENDED_NEVER, FC_LOCK_NOT_OVER } };
	const size_t nr = sizeof(all) / sizeof(all[0]);

	fc_lock_hold(&lock, BY(2, 6), false, 5);
	for (size_t i = 0; i < nr; i++)
		fc_lock_ask_end(&lock, fc_lock_ask(&lock, BY(1, 5), false, 10), 20,
				all[i].ending);
	fc_lock_ask_end(&lock, fc_lock_ask(&lock, BY(1, 5), false, 10), 20,
			FC_LOCK_ENDED_AT_ONCE);
	assert_int_equal(lock.who[FC_LOCK_WOKE].nr, nr);
	for (size_t i = 0; i < nr; i++)
		assert_int_equal(lock.who[FC_LOCK_WOKE].at[i].nobody, all[i].nobody);
	assert_times(&lock.times, nr, 10 * nr, 10);
	assert_times(&who(FC_LOCK_HELD, 2)->times, nr, 10 * nr, 10);
}

static void of_the_longest_wait_it_is_told_what_the_holder_did(void **state)
{
	for (uint32_t i = 1; i <= 3; i++) {
		uint64_t ticks = i == 2 ? 90 : 10;
		fc_lock_hold(&lock, BY(2, 6), false, 1000 * i);
		struct fc_lock_ask *ask = fc_lock_ask(&lock, BY(1, 5), false, 1000 * i + 1);
		fc_lock_ask_sees(ask, &lock.holds.at[0], 100 + i);
		fc_lock_release(&lock, BY(2, 0), 1000 * i + 1 + ticks);
		fc_lock_ask_end(&lock, ask, 1000 * i + 100, FC_LOCK_ENDED);
	}
	assert_int_equal(who(FC_LOCK_HELD, 2)->doing, 102);
	assert_times(&who(FC_LOCK_HELD, 2)->times, 3, 110, 90);
}

/* Records of thread 2 were lost: it may have released the lock. */
static void what_was_lost_is_not_guessed(void **state)
{
	fc_lock_hold(&lock, BY(2, 6), false, 5);
	struct fc_lock_ask *ask = fc_lock_ask(&lock, BY(1, 5), false, 10);
	fc_lock_doubt(&lock, 2, 15);
	ask->sleep = FC_LOCK_SLEEP_WOKEN;
	ask->sleep_begin = 11;
	ask->sleep_end = 29;
	fc_lock_wake_end(&lock, fc_lock_wake(&lock, BY(3, 6), 28), 29, 1);
	fc_lock_ask_end(&lock, ask, 30, FC_LOCK_ENDED);
	assert_times(&who(FC_LOCK_HELD, 2)->times, 1, 5, 5);
	assert_int_equal(who(FC_LOCK_WOKE, 0)->nobody, FC_LOCK_ONE_OF_MANY);
	assert_false(fc_lock_release(&lock, BY(2, 6), 40));
	/* Another one's are as they were. */
	fc_lock_hold(&lock, BY(2, 6), false, 50);
	fc_lock_doubt(&lock, 3, 55);
	assert_true(fc_lock_release(&lock, BY(2, 6), 60));
}

/* Who died with a robust mutex, or released it unseen, does not have it for ever. */
static void who_gets_it_alone_is_the_only_one(void **state)
{
	fc_lock_hold(&lock, BY(2, 6), false, 5);
	fc_lock_hold(&lock, BY(3, 7), false, 100);
	struct fc_lock_ask *ask = fc_lock_ask(&lock, BY(1, 5), false, 110);
	assert_true(fc_lock_release(&lock, BY(3, 7), 120));
	assert_false(fc_lock_release(&lock, BY(2, 6), 130));
	fc_lock_ask_end(&lock, ask, 140, FC_LOCK_ENDED);
	assert_int_equal(lock.who[FC_LOCK_HELD].nr, 1);
	assert_times(&who(FC_LOCK_HELD, 3)->times, 1, 10, 10);
}

static char told[256];

/* "2 to 1 at 15; ": strands are ten times threads. */
static void take_down(void *ctx, const struct fc_lock_wake *wake)
{
	size_t at = strlen(told);

	assert_int_equal(wake->from_strand, 10 * wake->from_tid);
	assert_int_equal(wake->to_strand, 10 * wake->to_tid);
	assert_true(wake->from_tsc <= wake->to_tsc);
	snprintf(told + at, sizeof(told) - at, "%d to %d at %d; ", wake->from_tid, wake->to_tid,
		 (int)wake->from_tsc);
}

static const struct fc_lock_teller teller = { take_down, NULL };

static void who_lets_another_one_go_on_is_told(void **state)
{
	told[0] = 0;
	lock.teller = &teller;
	/* Without futex(): the last who released it. */
	fc_lock_hold(&lock, BY(2, 6), false, 5);
	struct fc_lock_ask *ask = fc_lock_ask(&lock, BY(1, 5), false, 10);
	fc_lock_release(&lock, BY(2, 6), 15);
	fc_lock_hold(&lock, BY(3, 6), false, 16);
	fc_lock_release(&lock, BY(3, 6), 17);
	fc_lock_ask_end(&lock, ask, 20, FC_LOCK_ENDED);
	assert_string_equal(told, "3 to 1 at 17; ");
	/* With it: who woke. */
	fc_lock_hold(&lock, BY(2, 6), false, 25);
	ask = fc_lock_ask(&lock, BY(1, 5), false, 30);
	fc_lock_release(&lock, BY(2, 6), 35);
	fc_lock_wake_end(&lock, fc_lock_wake(&lock, BY(2, 6), 36), 38, 1);
	fc_lock_hold(&lock, BY(3, 6), false, 37);
	fc_lock_release(&lock, BY(3, 6), 38);
	ask->sleep = FC_LOCK_SLEEP_WOKEN;
	ask->sleep_begin = 31;
	ask->sleep_end = 37;
	fc_lock_ask_end(&lock, ask, 40, FC_LOCK_ENDED);
	assert_string_equal(told, "3 to 1 at 17; 2 to 1 at 36; ");
	/* A time-out is nobody's. */
	fc_lock_hold(&lock, BY(2, 6), false, 45);
	fc_lock_ask_end(&lock, fc_lock_ask(&lock, BY(1, 5), false, 50), 60,
			FC_LOCK_ENDED_TIMEOUT);
	assert_string_equal(told, "3 to 1 at 17; 2 to 1 at 36; ");
}

/* The clock of another CPU may be behind: no time is negative. */
static void an_end_before_the_begin_is_no_time(void **state)
{
	fc_lock_hold(&lock, BY(2, 6), false, 50);
	fc_lock_ask_end(&lock, fc_lock_ask(&lock, BY(1, 5), false, 60), 40, FC_LOCK_ENDED);
	fc_lock_release(&lock, BY(2, 0), 10);
	assert_times(&lock.times, 1, 0, 0);
	assert_times(&who(FC_LOCK_HELD, 2)->times, 1, 0, 0);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(who_gets_it_at_once_does_not_wait),
		CASE(a_wait_is_shared_by_those_who_had_the_lock),
		CASE(readers_do_not_wait_for_readers),
		CASE(a_lock_that_was_taken_twice_is_released_twice),
		CASE(a_holder_that_is_not_known_is_told_so),
		CASE(waits_that_nobody_ended_are_told_as_such),
		CASE(of_the_longest_wait_it_is_told_what_the_holder_did),
		CASE(what_was_lost_is_not_guessed),
		CASE(who_gets_it_alone_is_the_only_one),
		CASE(who_lets_another_one_go_on_is_told),
		CASE(an_end_before_the_begin_is_no_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
