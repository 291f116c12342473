/* SPDX-License-Identifier: Apache-2.0 */
/* What open calls were given of secrets is known again: whole, in pieces, by its address; no longer than they are open. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "values/secrets/given.h"

enum { LOG_IN = 7, OTHER = 8 };

static bool enter(struct fc_given *given, uint64_t depth, uint32_t func, bool by_tail)
{
	struct fc_given_entry entry = { depth, 10 * depth, func, by_tail, true };
	return fc_given_enter(given, &entry);
}

/* A call of LOG_IN at this depth, with a text at an address. */
static void log_in(struct fc_given *given, uint64_t depth, uint64_t at, const char *text)
{
	fc_given_begin(given, depth, LOG_IN);
	fc_given_add(given, at, strlen(text), text, (uint32_t)strlen(text), true);
	assert_true(enter(given, depth, LOG_IN, false));
}

static void expect(const struct fc_given *given, const char *text, size_t keep)
{
	assert_int_equal(fc_given_find(given, text, strlen(text)), keep);
}

static void a_text_is_known_whole_and_in_pieces(void **state)
{
	struct fc_given given = { 0 };
	log_in(&given, 1, 0, "hunter2x");
	expect(&given, "hunter2x", 0);
	expect(&given, "a=hunter2x&b", 2);
	expect(&given, "nter", 0);
	expect(&given, "a=hunt", 2);
	expect(&given, "er2x&b", 0);
	expect(&given, "hun", 3);
	expect(&given, "a hunt for 2x", 13);
	expect(&given, "", 0);
	expect(&given, "another", 7);
	fc_given_deinit(&given);
	(void)state;
}

static void a_short_text_is_known_where_it_is_all(void **state)
{
	struct fc_given given = { 0 };
	log_in(&given, 1, 0, "42");
	expect(&given, "42", 0);
	expect(&given, "420", 3);
	fc_given_deinit(&given);
	(void)state;
}

static void bytes_between_zeroes_are_secrets(void **state)
{
	struct fc_given given = { 0 };
	fc_given_begin(&given, 1, LOG_IN);
	fc_given_add(&given, 0, 0, "user\0\0\1\0pass", 12, false);
	expect(&given, "a user", 2);
	expect(&given, "pass", 0);
	expect(&given, "\1", 1);
	fc_given_leave(&given, 0);
	fc_given_begin(&given, 1, LOG_IN);
	fc_given_add(&given, 0, 0, "\x10\x20\x30\x55\x55\x55\0\0hunter\0", 16, false);
	expect(&given, "\x10\x20\x30\x55\x55\x55", 6); /* a pointer */
	expect(&given, "hunter", 0);
	fc_given_deinit(&given);
	(void)state;
}

static void pointers_into_it_are_known(void **state)
{
	struct fc_given given = { 0 };
	log_in(&given, 1, 1000, "hunter2x");
	assert_true(fc_given_has_address(&given, 1000));
	assert_true(fc_given_has_address(&given, 1007));
	assert_false(fc_given_has_address(&given, 1008));
	assert_false(fc_given_has_address(&given, 999));
	assert_false(fc_given_has_address(&given, 0));
	fc_given_begin(&given, 2, OTHER);
	fc_given_add_param(&given, 3);
	assert_false(fc_given_has_param(&given, 2, OTHER, 3));
	assert_true(enter(&given, 2, OTHER, false));
	assert_true(fc_given_has_param(&given, 2, OTHER, 3));
	assert_false(fc_given_has_param(&given, 2, OTHER, 2));
	fc_given_leave(&given, 1);
	assert_false(fc_given_has_param(&given, 2, OTHER, 3));
	fc_given_deinit(&given);
	(void)state;
}

static void a_secret_lasts_as_long_as_its_call(void **state)
{
	struct fc_given given = { 0 };
	log_in(&given, 2, 0, "hunter2x");
	log_in(&given, 5, 0, "hunter2x");
	log_in(&given, 6, 0, "deeper");
	fc_given_leave(&given, 5);
	expect(&given, "deeper", 6);
	expect(&given, "hunter2x", 0);
	fc_given_leave(&given, 2);
	expect(&given, "hunter2x", 0);
	fc_given_leave(&given, 1);
	expect(&given, "hunter2x", 8);
	assert_true(fc_given_is_empty(&given));
	fc_given_deinit(&given);
	(void)state;
}

/* A signal's handler runs between what is told of a call and the call. */
static void a_call_may_come_late(void **state)
{
	struct fc_given given = { 0 };
	fc_given_begin(&given, 2, LOG_IN);
	fc_given_add(&given, 0, 0, "hunter2x", 8, true);
	struct fc_given_entry handler = { .depth = 2, .func = OTHER };
	assert_true(fc_given_enter(&given, &handler));
	fc_given_leave(&given, 1);
	assert_true(enter(&given, 2, LOG_IN, false));
	expect(&given, "hunter2x", 0);
	fc_given_leave(&given, 1);
	assert_true(fc_given_is_empty(&given));
	fc_given_deinit(&given);
	(void)state;
}

static void what_a_tail_call_leads_to_keeps_both(void **state)
{
	struct fc_given given = { 0 };
	log_in(&given, 2, 0, "hunter2x");
	fc_given_begin(&given, 3, OTHER);
	fc_given_add(&given, 0, 0, "second", 6, true);
	assert_true(enter(&given, 2, OTHER, true));
	expect(&given, "hunter2x", 0);
	fc_given_leave(&given, 2);
	expect(&given, "second", 0);
	fc_given_leave(&given, 1);
	assert_true(fc_given_is_empty(&given));
	fc_given_deinit(&given);
	(void)state;
}

static void what_is_not_told_is_not_known(void **state)
{
	struct fc_given given = { 0 };
	assert_false(enter(&given, 1, LOG_IN, false));
	fc_given_begin(&given, 2, LOG_IN);
	fc_given_add_unknown(&given);
	assert_false(enter(&given, 2, LOG_IN, false));
	fc_given_begin(&given, 3, LOG_IN);
	for (int i = 0; i < 300; i++) {
		char text[16];
		snprintf(text, sizeof(text), "secret %d", 100 + i);
		fc_given_add(&given, 0, 0, text, (uint32_t)strlen(text), true);
	}
	assert_false(enter(&given, 3, LOG_IN, false));
	fc_given_deinit(&given);
	(void)state;
}

static void a_child_has_what_was_open_when_it_was_forked(void **state)
{
	struct fc_given parent = { 0 }, child = { 0 };
	log_in(&parent, 2, 0, "hunter2x");
	log_in(&parent, 4, 0, "later-1");
	fc_given_inherit(&child, &parent, 25);
	fc_given_deinit(&parent);
	assert_true(enter(&child, 2, LOG_IN, false));
	assert_false(enter(&child, 4, LOG_IN, false));
	expect(&child, "hunter2x", 0);
	expect(&child, "later-1", 7);
	fc_given_deinit(&child);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_is_known_whole_and_in_pieces),
		cmocka_unit_test(a_short_text_is_known_where_it_is_all),
		cmocka_unit_test(bytes_between_zeroes_are_secrets),
		cmocka_unit_test(pointers_into_it_are_known),
		cmocka_unit_test(a_secret_lasts_as_long_as_its_call),
		cmocka_unit_test(a_call_may_come_late),
		cmocka_unit_test(what_a_tail_call_leads_to_keeps_both),
		cmocka_unit_test(what_is_not_told_is_not_known),
		cmocka_unit_test(a_child_has_what_was_open_when_it_was_forked),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
