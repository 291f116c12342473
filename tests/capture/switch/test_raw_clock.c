/* SPDX-License-Identifier: Apache-2.0 */
/* A time between two pairs of the clocks is on the line through them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "capture/switch/raw_clock.h"

static void times_are_on_the_line(void **state)
{
	const struct fc_raw_pair from = { 3000000000000, 1000000000 },
				 to = { 3000030000000, 1010000000 };
	assert_int_equal(fc_raw_clock_tsc(&from, &to, 1000000000), 3000000000000);
	assert_int_equal(fc_raw_clock_tsc(&from, &to, 1005000000), 3000015000000);
	assert_int_equal(fc_raw_clock_tsc(&from, &to, 1010000000), 3000030000000);
	/* A little before, and behind. */
	assert_int_equal(fc_raw_clock_tsc(&from, &to, 999999000), 2999999997000);
	assert_int_equal(fc_raw_clock_tsc(&from, &to, 1010001000), 3000030003000);
}

/* What was read between two pairs is between their ticks. */
static void it_goes_as_the_tsc_does(void **state)
{
	struct fc_raw_pair from = fc_raw_clock_now(), between = fc_raw_clock_now(), to;
	do
		to = fc_raw_clock_now();
	while (to.ns < from.ns + 1000000);
	uint64_t tsc = fc_raw_clock_tsc(&from, &to, between.ns);
	assert_true(tsc >= from.tsc && tsc <= to.tsc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_on_the_line),
		cmocka_unit_test(it_goes_as_the_tsc_does),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
