/* SPDX-License-Identifier: Apache-2.0 */
/* An item by its number: it and those before it are there, zeroed, and keep what they have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/order.h"
#include "base/vec.h"

static void what_is_made_is_zero_and_stays(void **state)
{
	FC_VEC(uint64_t) items = { 0 };

	for (size_t i = 0; i < 3000; i += 7) {
		uint64_t *item = fc_vec_make(&items, i);
		assert_int_equal(items.nr, i + 1);
		assert_int_equal(*item, 0);
		*item = i + 1;
	}
	for (size_t i = 0; i < items.nr; i++)
		assert_int_equal(items.at[i], i % 7 ? 0 : i + 1);
	assert_ptr_equal(fc_vec_make(&items, 7), &items.at[7]);
	fc_vec_free(&items);
}

/* Memory that an item had before is none of the next one's. */
static void what_was_taken_away_is_made_anew(void **state)
{
	FC_VEC(uint32_t) items = { 0 };

	for (uint32_t i = 0; i < 40; i++)
		fc_vec_push(&items, UINT32_MAX);
	items.nr = 10;
	assert_int_equal(*fc_vec_make(&items, 39), 0);
	assert_int_equal(items.at[9], UINT32_MAX);
	assert_int_equal(items.at[10], 0);
	fc_vec_free(&items);
}

static int by_size(const void *a, const void *b)
{
	return fc_order(*(const int *)a, *(const int *)b);
}

static void items_are_sorted_if_there_are_any(void **state)
{
	FC_VEC(int) items = { 0 };

	fc_vec_sort(&items, by_size);
	assert_null(items.at);
	for (int i = 0; i < 100; i++)
		fc_vec_push(&items, i * 37 % 100);
	fc_vec_sort(&items, by_size);
	for (int i = 0; i < 100; i++)
		assert_int_equal(items.at[i], i);
	fc_vec_free(&items);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_made_is_zero_and_stays),
		cmocka_unit_test(what_was_taken_away_is_made_anew),
		cmocka_unit_test(items_are_sorted_if_there_are_any),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
