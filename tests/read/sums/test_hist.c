/* SPDX-License-Identifier: Apache-2.0 */
/* How durations are spread is told to 3 %, whatever their size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "read/sums/hist.h"

struct seen {
	uint64_t value, nr, last_to;
};

static void look(void *ctx, uint64_t from, uint64_t to, uint64_t nr)
{
	struct seen *seen = ctx;

	assert_true(from <= to);
	assert_true(!seen->nr || from > seen->last_to);
	seen->last_to = to;
	seen->nr += nr;
	if (seen->value >= from && seen->value <= to)
		seen->value = 0;
}

static void each_value_is_in_its_bucket(void **state)
{
	for (int bit = 0; bit < 64; bit++) {
		for (int64_t more = -1; more <= 1; more++) {
			uint64_t value = (1ull << bit) + (uint64_t)more;
			struct fc_hist hist = { 0 };
			struct seen seen = { .value = value };
			fc_hist_add(&hist, value);
			fc_hist_each(&hist, look, &seen);
			assert_int_equal(seen.nr, 1);
			assert_int_equal(seen.value, 0);
			uint64_t middle = fc_hist_percentile(&hist, 0.5, 0, UINT64_MAX);
			assert_int_equal(middle, UINT64_MAX); /* one value is the largest */
			fc_hist_deinit(&hist);
		}
	}
}

static void percentiles_are_right_to_three_percent(void **state)
{
	static const double shares[] = { 0.001, 0.1, 0.5, 0.9, 0.99, 0.999 };
	const uint64_t nr = 100000;

	for (uint64_t step = 1; step < 1ull << 40; step *= 37) {
		struct fc_hist hist = { 0 };
		for (uint64_t i = 1; i <= nr; i++)
			fc_hist_add(&hist, i * step);
		for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
			double want = shares[i] * (double)nr * (double)step;
			double got = (double)fc_hist_percentile(&hist, shares[i], step,
								nr * step);
			assert_true(got >= want * 0.968 && got <= want * 1.032);
		}
		assert_int_equal(fc_hist_percentile(&hist, 1, step, nr * step), nr * step);
		fc_hist_deinit(&hist);
	}
}

static void percentiles_stay_within_what_there_was(void **state)
{
	struct fc_hist hist = { 0 };

	assert_int_equal(fc_hist_percentile(&hist, 0.5, 0, 0), 0);
	for (int i = 0; i < 10; i++)
		fc_hist_add(&hist, 1000);
	fc_hist_add(&hist, 1001);
	assert_in_range(fc_hist_percentile(&hist, 0.5, 1000, 1001), 1000, 1001);
	assert_int_equal(fc_hist_percentile(&hist, 0.99, 1000, 1001), 1001);
	fc_hist_deinit(&hist);
}

static void merging_adds(void **state)
{
	struct fc_hist a = { 0 }, b = { 0 };
	struct seen seen = { 0 };

	for (uint64_t i = 0; i < 1000; i++) {
		fc_hist_add(&a, i * i);
		fc_hist_add(&b, i * i * i);
	}
	fc_hist_merge(&a, &b);
	fc_hist_each(&a, look, &seen);
	assert_int_equal(seen.nr, 2000);
	fc_hist_deinit(&a);
	fc_hist_deinit(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_value_is_in_its_bucket),
		cmocka_unit_test(percentiles_are_right_to_three_percent),
		cmocka_unit_test(percentiles_stay_within_what_there_was),
		cmocka_unit_test(merging_adds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
