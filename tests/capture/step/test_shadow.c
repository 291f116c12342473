/* SPDX-License-Identifier: Apache-2.0 */
/* The open calls of a stepped thread: what it comes to, and the records that tell of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "capture/step/shadow.h"
#include "trace/record.h"

enum { F = 1, G = 2, H = 3 };

/* Where f's return address is on the main stack; its callees' are below. */
#define SLOT  0x7ffdf000ul
#define OTHER 0x20000000ul /* on another stack */

static struct {
	struct fc_tap tap;
	struct fc_numbers numbers;
	struct fc_shadows shadows;
	struct fc_shadow *shadow;
	char told[512]; /* strand:record, in order */
} test;

static int take_records(struct fc_tap *tap, const struct fc_strand_info *strand,
			const uint64_t *words, size_t nr_words, uint64_t now_tsc)
{
	static const char *const kinds[] = { "",     "entry", "exit", "tail",
					     "only", "pop",   "mark", "pad" };
	(void)tap;
	(void)now_tsc;
	for (size_t i = 0; i < nr_words; i += 1 + fc_record_words(words[i])) {
		char text[64];
		uint32_t func = fc_record_func(words[i]);
		if (fc_record_kind(words[i]) == FC_MARK)
			snprintf(text, sizeof(text), " %u:fork %lu %lu", strand->id,
				 words[i + 1], words[i + 2]);
		else
			snprintf(text, sizeof(text), " %u:%s %u", strand->id,
				 kinds[fc_record_kind(words[i])], func);
		strcat(test.told, text);
	}
	return 0;
}

static int take_end(struct fc_tap *tap, const struct fc_strand_info *strand, uint64_t tsc)
{
	(void)tap;
	(void)tsc;
	char text[32];
	snprintf(text, sizeof(text), " %u:end", strand->id);
	strcat(test.told, text);
	return 0;
}

static int take_tick(struct fc_tap *tap, uint64_t now_tsc)
{
	(void)tap;
	(void)now_tsc;
	return 0;
}

static int begin(void **state)
{
	(void)state;
	memset(&test, 0, sizeof(test));
	test.tap = (struct fc_tap){
		.records = take_records,
		.strand_end = take_end,
		.tick = take_tick,
	};
	test.shadows.tap = &test.tap;
	test.shadows.numbers = &test.numbers;
	struct fc_main_stack stack = { SLOT - (1 << 20), SLOT + (1 << 20) };
	test.shadow = fc_shadow_create(&test.shadows, 10, 11, &stack);
	return 0;
}

static int end(void **state)
{
	(void)state;
	fc_shadow_put(test.shadow, 2);
	assert_null(test.shadows.first);
	return 0;
}

static const char *told(void)
{
	fc_shadows_flush(&test.shadows, 1);
	return test.told;
}

/* Code of a function and where its calls return to are made up from its number. */
static void come(uint64_t rip, uint64_t rsp, bool is_return)
{
	struct fc_shadow_arrival arrival = { rip, rsp, is_return, 1 };
	fc_shadow_arrive(test.shadow, &arrival);
}

static void enter(uint32_t func, uint64_t slot)
{
	struct fc_shadow_entry entry = {
		.func = func, .slot = slot, .ret = func * 16, .tsc = 1
	};
	come(func * 256, slot, false);
	fc_shadow_enter(test.shadow, &entry);
}

static void enter_only(uint32_t func, uint64_t slot)
{
	struct fc_shadow_entry entry = { .func = func, .slot = slot, .tsc = 1 };
	come(func * 256, slot, false);
	fc_shadow_enter_only(test.shadow, &entry);
}

static void begin_by_signal(uint32_t func, uint64_t slot)
{
	struct fc_shadow_entry entry = {
		.func = func, .slot = slot, .ret = func * 16, .is_no_jump = true, .tsc = 1
	};
	come(func * 256, slot, false);
	fc_shadow_enter(test.shadow, &entry);
}

static void leave(uint32_t func, uint64_t slot)
{
	come(func * 16, slot + 8, true);
}

static void calls_nest(void **state)
{
	(void)state;
	enter(F, SLOT);
	enter(G, SLOT - 64);
	leave(G, SLOT - 64);
	leave(F, SLOT);
	assert_string_equal(told(), " 1:entry 1 1:entry 2 1:exit 2 1:exit 1");
}

static void call_in_the_slot_of_the_innermost_is_a_tail_call(void **state)
{
	(void)state;
	enter(F, SLOT);
	enter(G, SLOT);
	assert_int_equal(fc_shadow_func_at(test.shadow, SLOT), G);
	leave(F, SLOT); /* to where f was called from, by the first function's site */
	assert_string_equal(told(), " 1:entry 1 1:tail 2 1:exit 1");
}

static void longjmp_is_told_with_the_next_call(void **state)
{
	(void)state;
	enter(F, SLOT);
	enter(G, SLOT - 64);
	enter(H, SLOT - 128);
	come(0x1234, SLOT - 32, false);
	assert_string_equal(told(), " 1:entry 1 1:entry 2 1:entry 3");
	enter(H, SLOT - 40);
	assert_string_equal(told(), " 1:entry 1 1:entry 2 1:entry 3 1:pop 1 1:entry 3");
}

static void calls_that_were_left_are_so_below_a_larger_frame(void **state)
{
	(void)state;
	enter(F, SLOT);
	enter(G, SLOT - 64);
	come(0x1234, SLOT - 32, false);
	enter(H, SLOT - 4096);
	assert_string_equal(told(), " 1:entry 1 1:entry 2 1:pop 1 1:entry 3");
}

static void return_over_calls_that_were_left_tells_of_them_first(void **state)
{
	(void)state;
	enter(F, SLOT);
	enter(G, SLOT - 64);
	leave(F, SLOT);
	assert_string_equal(told(), " 1:entry 1 1:entry 2 1:pop 1 1:exit 1");
}

static void landing_at_the_return_address_is_no_return(void **state)
{
	(void)state;
	enter(F, SLOT);
	enter(G, SLOT - 64);
	come(G * 16, SLOT - 64 + 8, false);
	enter(H, SLOT - 64);
	assert_string_equal(told(), " 1:entry 1 1:entry 2 1:pop 1 1:entry 3");
}

static void jump_to_an_entry_only_function_ends_the_call(void **state)
{
	(void)state;
	enter(F, SLOT);
	enter_only(G, SLOT);
	assert_string_equal(told(), " 1:entry 1 1:only 2 1:exit 1");
}

static void handler_in_the_slot_of_one_that_was_left_is_no_tail_call(void **state)
{
	(void)state;
	begin_by_signal(F, OTHER);
	begin_by_signal(G, OTHER);
	assert_string_equal(told(), " 1:entry 1 1:pop 0 1:entry 2");
}

static void other_stack_is_another_strand(void **state)
{
	(void)state;
	enter(F, SLOT);
	enter(G, OTHER);
	enter(H, SLOT - 64); /* a switch back, with g open */
	leave(H, SLOT - 64);
	leave(G, OTHER);
	leave(F, SLOT);
	assert_string_equal(told(),
			    " 1:entry 1 1:entry 3 1:exit 3 1:exit 1 2:entry 2 2:exit 2");
}

static void vfork_child_begins_with_what_is_open_on_its_stack(void **state)
{
	(void)state;
	struct fc_shadow *parent = test.shadow;
	enter(F, SLOT);
	enter(G, OTHER);
	enter(H, SLOT - 64);
	assert_null(fc_shadow_vfork(parent, 20, OTHER + (1 << 20)));
	test.shadow = fc_shadow_vfork(parent, 20, SLOT - 128);
	assert_non_null(test.shadow);
	enter(G, SLOT - 128);
	fc_shadow_put(test.shadow, 2);
	test.shadow = parent;
	leave(H, SLOT - 64);
	assert_string_equal(told(), " 3:fork 10 3 3:entry 1 3:entry 3 3:entry 2 3:end"
				    " 1:entry 1 1:entry 3 1:exit 3 2:entry 2");
}

static void forked_child_begins_with_what_is_open(void **state)
{
	(void)state;
	enter(F, SLOT);
	enter(G, SLOT - 64);
	leave(G, SLOT - 64);
	struct fc_shadow *parent = test.shadow;
	test.shadow = fc_shadow_fork(parent, 20, 10);
	assert_string_equal(told(), " 1:entry 1 1:entry 2 1:exit 2");
	leave(F, SLOT);
	fc_shadow_put(test.shadow, 2);
	test.shadow = parent;
	assert_string_equal(told(), " 1:entry 1 1:entry 2 1:exit 2"
				    " 2:fork 10 2 2:entry 1 2:exit 1 2:end");
}

static void child_that_called_nothing_is_not_told_of(void **state)
{
	(void)state;
	enter(F, SLOT);
	fc_shadow_put(fc_shadow_fork(test.shadow, 20, 10), 2);
	assert_string_equal(told(), " 1:entry 1");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(calls_nest),
		TEST(call_in_the_slot_of_the_innermost_is_a_tail_call),
		TEST(longjmp_is_told_with_the_next_call),
		TEST(calls_that_were_left_are_so_below_a_larger_frame),
		TEST(return_over_calls_that_were_left_tells_of_them_first),
		TEST(landing_at_the_return_address_is_no_return),
		TEST(jump_to_an_entry_only_function_ends_the_call),
		TEST(handler_in_the_slot_of_one_that_was_left_is_no_tail_call),
		TEST(other_stack_is_another_strand),
		TEST(vfork_child_begins_with_what_is_open_on_its_stack),
		TEST(forked_child_begins_with_what_is_open),
		TEST(child_that_called_nothing_is_not_told_of),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
