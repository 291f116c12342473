/* SPDX-License-Identifier: Apache-2.0 */
/* Floats of 80 bits, as a trace has them: what they are on a host that need not have such. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/little.h"
#include "values/extended.h"

static long double take(uint16_t high, uint64_t significand)
{
	uint8_t at[FCA_EXTENDED_BYTES];
	fc_put_16(fc_put_64(at, significand), high);
	return fc_extended_get(at);
}

static void what_a_double_can_be_is_that(void **state)
{
	assert_true(take(0x3fff, 0x8000000000000000) == 1);
	assert_true(take(0xc000, 0xa000000000000000) == -2.5L);
	assert_true(take(0x3ffd, 0xc000000000000000) == 0.375L);
	assert_true(take(0x403e, 0x8000000000000000) == 9223372036854775808.0L);
	assert_true(take(0, 0) == 0 && !signbit(take(0, 0)));
	assert_true(take(0x8000, 0) == 0 && signbit(take(0x8000, 0)));
	/* The largest double, and the smallest that is normal. */
	assert_true(take(0x43fe, 0xfffffffffffff800) == 0x1.fffffffffffffp1023L);
	assert_true(take(0x3c01, 0x8000000000000000) == 0x1p-1022L);
}

static void what_is_no_number_is_said(void **state)
{
	assert_true(isinf(take(0x7fff, 0x8000000000000000)));
	assert_true(take(0xffff, 0x8000000000000000) < 0);
	assert_true(isnan(take(0x7fff, 0xc000000000000000)));
	assert_true(isnan(take(0x7fff, 0x8000000000000001)));
	assert_true(isnan(take(0x7fff, 0)));
	/* Without the bit before the point: no machine since the 80287 takes it for a number. */
	assert_true(isnan(take(0x3fff, 0x4000000000000000)));
	assert_true(isnan(take(1, 0)));
}

/* A host that has such floats takes each as it would itself. */
static void a_host_that_has_them_agrees(void **state)
{
#if __LDBL_MANT_DIG__ == 64
	for (int i = 0; i < 100000; i++) {
		uint64_t significand = (uint64_t)random() << 33 ^ (uint64_t)random();
		uint16_t high = (uint16_t)random();
		if (i % 8 == 0)
			high &= 0x8000; /* denormal */
		else
			significand |= 1ull << 63;
		uint8_t at[FCA_EXTENDED_BYTES];
		fc_put_16(fc_put_64(at, significand), high);
		long double own = 0, got = fc_extended_get(at);
		memcpy(&own, at, sizeof(at));
		assert_true(isnan(own) ? isnan(got) : own == got);
		assert_true(signbit(own) == signbit(got));
	}
#else
	skip();
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_double_can_be_is_that),
		cmocka_unit_test(what_is_no_number_is_said),
		cmocka_unit_test(a_host_that_has_them_agrees),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
