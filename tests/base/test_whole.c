/* SPDX-License-Identifier: Apache-2.0 */
/* Reckoned numbers become whole ones, whatever they are. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* after those it needs */
#include <cmocka.h>

#include "base/whole.h"

static void what_fits_is_rounded_down(void **state)
{
	assert_int_equal(fc_whole(0.9), 0);
	assert_int_equal(fc_whole(1e9 + 0.5), 1000000000);
	assert_int_equal(fc_whole_signed(-1.5), -1);
	assert_int_equal(fc_whole_sum(1, 2), 3);
}

static void what_does_not_fit_becomes_the_nearest(void **state)
{
	assert_true(fc_whole(0x1p64) == UINT64_MAX);
	assert_true(fc_whole(INFINITY) == UINT64_MAX);
	assert_true(fc_whole(-1) == 0);
	assert_true(fc_whole(NAN) == 0);
	assert_true(fc_whole_signed(0x1p63) == INT64_MAX);
	assert_true(fc_whole_signed(-INFINITY) == INT64_MIN);
	assert_true(fc_whole_signed(NAN) == 0);
	assert_true(fc_whole_sum(UINT64_MAX, 1) == UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_fits_is_rounded_down),
		cmocka_unit_test(what_does_not_fit_becomes_the_nearest),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
