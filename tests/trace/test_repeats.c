/* SPDX-License-Identifier: Apache-2.0 */
/* What is compressed by its long repeats is inflated to the same, and is small by them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/memory.h"
#include "trace/packet.h"
#include "trace/repeats.h"

#define MOST (300u << 10) /* more than zstd takes as one block */

struct column {
	uint8_t *at;
	size_t n;
	uint32_t dice;
};

static int setup(void **state)
{
	struct column *column = fc_alloc(sizeof(*column));
	column->at = fc_alloc(MOST);
	column->dice = 1;
	*state = column;
	return 0;
}

static int teardown(void **state)
{
	struct column *column = *state;
	free(column->at);
	free(column);
	return 0;
}

static uint32_t throw(struct column * column, uint32_t sides)
{
	column->dice = column->dice * 1664525 + 1013904223;
	return (column->dice >> 8) % sides;
}

/* Times of calls: most are one of two, few are long. */
static void fill_noise(struct column *column, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		uint32_t die = throw(column, 64);
		column->at[i] = (uint8_t)(die < 44 ? 13 : die < 60 ? 26 : throw(column, 256));
	}
	column->n = to;
}

/* To where n bytes of `from` and behind it come again; they may overlap. */
static void fill_again(struct column *column, size_t from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		column->at[column->n + i] = column->at[from + i];
	column->n += n;
}

/* There and back. Returns the stored size. */
static size_t there_and_back(const struct column *column)
{
	ZSTD_CCtx *zstd = fc_events_zstd();
	ZSTD_DCtx *back = ZSTD_createDCtx();
	struct fc_bytes out = { 0 }, inflated = { 0 };
	uint8_t *raw =
		fc_realloc(NULL, column->n); /* a sanitizer sees what is read behind it */
	memcpy(raw, column->at, column->n);
	fc_bytes_copy(&out, "front", 5); /* what stands before stays */
	size_t stored = fc_repeats_deflate(zstd, raw, column->n, &out);

	assert_int_equal(out.nr, 5 + stored);
	assert_memory_equal(out.at, "front", 5);
	assert_true(stored <= column->n);
	if (stored < column->n) {
		assert_int_equal(fc_inflate(back, out.at + 5, stored, column->n, &inflated), 0);
		assert_memory_equal(inflated.at, raw, column->n);
	} else if (stored) {
		assert_memory_equal(out.at + 5, raw, stored);
	}
	free(raw);
	fc_bytes_free(&out);
	fc_bytes_free(&inflated);
	ZSTD_freeCCtx(zstd);
	ZSTD_freeDCtx(back);
	return stored;
}

static void any_length_comes_back(void **state)
{
	static const size_t large[] = { 4095,	4096,	4097,	65535,	65536,	65537,
					131071, 131072, 131073, 196608, 262145, MOST };
	struct column *column = *state;
	fill_noise(column, 0, MOST);
	for (column->n = 1; column->n < 300; column->n++)
		there_and_back(column);
	for (size_t i = 0; i < sizeof(large) / sizeof(large[0]); i++) {
		column->n = large[i];
		assert_true(there_and_back(column) < large[i] / 3);
	}
}

static void one_value_is_next_to_nothing(void **state)
{
	struct column *column = *state;
	for (size_t n = 1; n <= 131072; n *= 2) {
		memset(column->at, 13, n);
		column->n = n;
		size_t stored = there_and_back(column);
		assert_true(n < 64 || stored < 40);
	}
}

static void what_cannot_be_made_small_stays(void **state)
{
	struct column *column = *state;
	for (size_t i = 0; i < 65536; i++)
		column->at[i] = (uint8_t) throw(column, 256);
	column->n = 65536;
	assert_int_equal(there_and_back(column), 65536);
}

/* Repeats from anywhere, of any length, one behind the other and over their own begin. */
static void repeats_of_any_kind_come_back(void **state)
{
	struct column *column = *state;
	for (int turn = 0; turn < 200; turn++) {
		size_t most = 100 + throw(column, turn % 4 ? 5000 : 131072 - 100);
		fill_noise(column, 0, 1 + throw(column, 60));
		while (column->n < most) {
			size_t n = 1 + throw(column, 200), room = most - column->n;
			n = n < room ? n : room;
			if (throw(column, 3))
				fill_again(column, throw(column, (uint32_t)column->n), n);
			else
				fill_noise(column, column->n, column->n + n);
		}
		there_and_back(column);
	}
}

static void long_repeats_are_found(void **state)
{
	struct column *column = *state;
	fill_noise(column, 0, 65536);
	size_t without = there_and_back(column);
	fill_noise(column, 0, 8192);
	while (column->n < 65536) {
		fill_again(column, throw(column, 7000), 1000);
		fill_noise(column, column->n, column->n + 3);
	}
	column->n = 65536;
	assert_true(there_and_back(column) < without / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(any_length_comes_back, setup, teardown),
		cmocka_unit_test_setup_teardown(one_value_is_next_to_nothing, setup, teardown),
		cmocka_unit_test_setup_teardown(what_cannot_be_made_small_stays, setup,
						teardown),
		cmocka_unit_test_setup_teardown(repeats_of_any_kind_come_back, setup, teardown),
		cmocka_unit_test_setup_teardown(long_repeats_are_found, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
