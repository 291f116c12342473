/* SPDX-License-Identifier: Apache-2.0 */
/* Items in the order of one of their numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* after those it needs */
#include <cmocka.h>

#include "base/sort.h"

struct item {
	char name;
	uint32_t short_key;
	uint64_t long_key;
};

static void items_are_sorted_by_the_field_that_is_named(void **state)
{
	struct item items[] = { { 'a', 3, UINT64_MAX }, { 'b', UINT32_MAX, 1 }, { 'c', 0, 2 } };
	fc_sort_by(items, 3, short_key);
	assert_int_equal(items[0].name, 'c');
	assert_int_equal(items[1].name, 'a');
	fc_sort_by(items, 3, long_key);
	assert_int_equal(items[0].name, 'b');
	assert_int_equal(items[2].name, 'a');
}

static void numbers_are_sorted_whole(void **state)
{
	uint64_t numbers[] = { 1ull << 40, 1ull << 63, 7 };
	uint32_t small[] = { 2, UINT32_MAX, 1 };
	fc_sort(numbers, 3);
	fc_sort(small, 3);
	assert_int_equal(numbers[0], 7);
	assert_int_equal(numbers[2], 1ull << 63);
	assert_int_equal(small[0], 1);
	assert_int_equal(small[2], UINT32_MAX);
}

static void none_are_sorted_as_well(void **state)
{
	struct item *none = NULL;
	fc_sort_by(none, 0, long_key);
	assert_int_equal(fc_sort_once(NULL, 0), 0);
}

static void each_number_is_kept_once(void **state)
{
	uint64_t numbers[] = { 5, 0, 5, 9, 0 };
	assert_int_equal(fc_sort_once(numbers, 5), 3);
	assert_int_equal(numbers[0], 0);
	assert_int_equal(numbers[1], 5);
	assert_int_equal(numbers[2], 9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(items_are_sorted_by_the_field_that_is_named),
		cmocka_unit_test(numbers_are_sorted_whole),
		cmocka_unit_test(none_are_sorted_as_well),
		cmocka_unit_test(each_number_is_kept_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
