/* SPDX-License-Identifier: Apache-2.0 */
/* Records by a number: each is found again, however many there are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/numbered.h"

struct item {
	int number;
	long square;
};

static void each_is_found_again(void **state)
{
	enum { NR = 5000 };
	struct fc_numbered items = { .size = sizeof(struct item) };
	long sum = 0;
	assert_null(fc_numbered_next(&items, NULL));
	for (int i = 1; i <= NR; i++) {
		struct item *item = fc_numbered_get(&items, i * 64);
		assert_int_equal(item->number, i * 64);
		assert_int_equal(item->square, 0);
		item->square = (long)i * i;
	}
	for (int i = 1; i <= NR; i++)
		assert_int_equal(((struct item *)fc_numbered_get(&items, i * 64))->square,
				 (long)i * i);
	assert_int_equal(items.nr, NR);
	fc_numbered_each(&items, struct item, item) sum += item->number / 64;
	assert_int_equal(sum, (long)NR * (NR + 1) / 2);
	fc_numbered_deinit(&items);
	assert_int_equal(items.nr, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_is_found_again),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
