/* SPDX-License-Identifier: Apache-2.0 */
/* Who ended a wait is told if no other can have, and else that nobody knows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "read/locks/wakings.h"

static char text[256];

/* "1 by 3; 2 by several; " */
static void tell(void *ctx, const struct fc_woken *wait, enum fc_woken_by how,
		 const struct fc_waking *by)
{
	static const char *const words[] = {
		[FC_WOKEN_BY_SEVERAL] = "several", [FC_WOKEN_BY_NOBODY] = "nobody"
	};
	size_t at = strlen(text);

	assert_true((how == FC_WOKEN_BY_ONE) == (by != NULL));
	if (by)
		snprintf(text + at, sizeof(text) - at, "%d by %d; ", wait->tid, by->tid);
	else
		snprintf(text + at, sizeof(text) - at, "%d by %s; ", wait->tid, words[how]);
}

static struct fc_wakings all;

static int begin(void **state)
{
	text[0] = 0;
	return 0;
}

static int end(void **state)
{
	fc_wakings_deinit(&all);
	all = (struct fc_wakings){ 0 };
	return 0;
}

static void waited(int tid, uint64_t from, uint64_t to)
{
	struct fc_woken wait = { .tid = tid, .begin = from, .end = to };
	fc_wakings_wait(&all, &wait);
}

static void woke(int tid, uint64_t from, uint64_t to, uint64_t nr)
{
	struct fc_waking waking = { .tid = tid, .func = 1, .is_open = true, .begin = from };
	fc_wakings_end(&all, fc_wakings_begin(&all, &waking), to, nr);
}

static void signalled(int tid, uint64_t tsc)
{
	struct fc_waking waking = {
		.tid = tid, .is_signal = true, .begin = tsc, .end = tsc, .left = 1
	};
	fc_wakings_begin(&all, &waking);
}

static void only_who_woke_meanwhile_can_have(void **state)
{
	woke(3, 5, 8, 1); /* before it waited */
	woke(4, 20, 22, 1);
	waited(1, 10, 30);
	fc_wakings_tell(&all, 0, tell, NULL);
	assert_string_equal(text, "1 by 4; ");
	woke(5, 31, 32, 1); /* behind it */
	waited(2, 33, 40);
	fc_wakings_tell(&all, 0, tell, NULL);
	assert_string_equal(text, "1 by 4; 2 by nobody; ");
}

static void who_woke_another_one_has_not_woken_this(void **state)
{
	woke(3, 20, 22, 1);
	waited(1, 10, 25);
	fc_wakings_tell(&all, 0, tell, NULL);
	woke(4, 30, 32, 1);
	waited(2, 10, 35);
	fc_wakings_tell(&all, 0, tell, NULL);
	assert_string_equal(text, "1 by 3; 2 by 4; ");
}

static void of_several_nobody_knows(void **state)
{
	woke(3, 20, 22, 1);
	woke(4, 24, 25, 1);
	waited(1, 10, 30);
	waited(2, 10, 31);
	fc_wakings_tell(&all, 0, tell, NULL);
	assert_string_equal(text, "1 by several; 2 by several; ");
}

static void of_several_calls_of_one_thread_it_is_that(void **state)
{
	woke(3, 20, 22, 1);
	woke(3, 24, 25, 1);
	waited(1, 10, 30);
	waited(2, 10, 31);
	fc_wakings_tell(&all, 0, tell, NULL);
	assert_string_equal(text, "1 by 3; 2 by 3; ");
}

static void one_call_wakes_as_many_as_it_says(void **state)
{
	woke(3, 20, 22, 2);
	woke(4, 40, 42, 0);
	waited(1, 10, 25);
	waited(2, 11, 26);
	waited(5, 12, 43);
	fc_wakings_tell(&all, 0, tell, NULL);
	assert_string_equal(text, "1 by 3; 2 by 3; 5 by nobody; ");
}

/* The one that was woken may be told of first. */
static void a_call_that_has_not_returned_is_waited_for(void **state)
{
	struct fc_waking waking = { .tid = 3, .is_open = true, .begin = 20 };
	uint64_t id = fc_wakings_begin(&all, &waking);
	waited(1, 10, 25);
	fc_wakings_tell(&all, 30, tell, NULL);
	assert_string_equal(text, "");
	fc_wakings_end(&all, id, 40, 1);
	fc_wakings_tell(&all, 30, tell, NULL);
	assert_string_equal(text, "1 by 3; ");

	waking.begin = 50;
	fc_wakings_begin(&all, &waking);
	waited(2, 45, 55);
	fc_wakings_finish(&all, tell, NULL);
	assert_string_equal(text, "1 by 3; 2 by 3; ");
}

static void a_thread_does_not_wake_itself(void **state)
{
	woke(1, 20, 22, 1);
	waited(1, 10, 30);
	fc_wakings_tell(&all, 0, tell, NULL);
	assert_string_equal(text, "1 by nobody; ");
}

static void signals_are_for_waits_without_a_system_call(void **state)
{
	struct fc_woken wait = { .tid = 1, .by_signal = true, .begin = 10, .end = 30 };
	signalled(3, 15);
	woke(4, 20, 22, 1);
	fc_wakings_wait(&all, &wait);
	waited(2, 10, 30);
	fc_wakings_tell(&all, 0, tell, NULL);
	assert_string_equal(text, "1 by 3; 2 by 4; ");
}

/* A wait that lasts keeps all that could have ended it: too many are not kept, and then it is not said. */
static void what_was_forgotten_is_not_guessed(void **state)
{
	for (uint64_t i = 0; i < 3000; i++) {
		woke(3, 20 + 2 * i, 21 + 2 * i, 1);
		fc_wakings_tell(&all, 10, tell, NULL);
	}
	assert_true(all.list.nr < 2000);
	waited(1, 10, 10000);
	waited(2, 6010, 10000);
	fc_wakings_tell(&all, 10, tell, NULL);
	assert_string_equal(text, "1 by several; 2 by 3; ");
	fc_wakings_tell(&all, UINT64_MAX, tell, NULL);
	assert_int_equal(all.list.nr, 0);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(only_who_woke_meanwhile_can_have),
		CASE(who_woke_another_one_has_not_woken_this),
		CASE(of_several_nobody_knows),
		CASE(of_several_calls_of_one_thread_it_is_that),
		CASE(one_call_wakes_as_many_as_it_says),
		CASE(a_call_that_has_not_returned_is_waited_for),
		CASE(a_thread_does_not_wake_itself),
		CASE(signals_are_for_waits_without_a_system_call),
		CASE(what_was_forgotten_is_not_guessed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
