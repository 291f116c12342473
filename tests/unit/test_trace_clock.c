/* SPDX-License-Identifier: Apache-2.0 */
/* Ticks become nanoseconds, exactly, and checksums are those of the standard. */
#include "trace/checksum.h"
#include "trace/clock.h"

#include "test_trace.h"

static uint64_t by_division(const struct fc_clock *clock, uint64_t ticks)
{
	return (uint64_t)((unsigned __int128)ticks * (clock->mono1_ns - clock->mono0_ns) /
			  (clock->tsc1 - clock->tsc0));
}

static void ticks_become_the_nanoseconds_that_a_division_gives(void **state)
{
	static const struct fc_clock clocks[] = {
		{ .tsc1 = 2300000123, .mono1_ns = 1000000007 },
		{ .tsc1 = 5, .mono1_ns = 3 },
		{ .tsc1 = 1000, .mono1_ns = 1000 },
		{ .tsc1 = 24000000, .mono1_ns = 1000000000 }, /* slower than 1 GHz */
		{ .tsc1 = 41400000000001, .mono1_ns = 18000000000011 }, /* five hours */
	};
	srand(1);
	for (int i = 0; i < 200000; i++) {
		const struct fc_clock *clock = &clocks[rand() % 5];
		uint64_t ticks = (uint64_t)rand() << 16 ^ (uint64_t)rand();
		ticks >>= rand() % 40;
		assert_int_equal(fc_clock_duration_ns(clock, ticks),
				 by_division(clock, ticks));
	}
}

static void a_clock_without_its_second_pair_counts_ticks(void **state)
{
	struct fc_clock clock = { .tsc0 = 100, .tsc1 = 100 };
	assert_int_equal(fc_clock_ns(&clock, 142), 42);
	assert_int_equal(fc_clock_ns(&clock, 99), 0);
}

static void this_machines_clock_agrees_with_clock_monotonic(void **state)
{
	struct fc_clock clock;
	fc_clock_start(&clock);
	usleep(20000);
	fc_clock_calibrate(&clock);
	uint64_t ns = fc_clock_ns(&clock, fc_clock_tsc());
	assert_in_range(ns, 20000000, 2000000000);
	assert_int_equal(fc_clock_ns(&clock, clock.tsc1),
			 clock.mono1_ns - clock.mono0_ns);
}

static void the_checksum_is_crc32c(void **state)
{
	uint8_t zeros[32] = { 0 };
	assert_int_equal(fc_checksum("123456789", 9),
			 0xe3069283);			      /* the usual check value */
	assert_int_equal(fc_checksum(zeros, 32), 0x8a9136aa); /* RFC 3720 B.4 */
	assert_int_equal(fc_checksum(NULL, 0), 0);
	assert_int_equal(fc_checksum_by_table("123456789", 9), 0xe3069283);

	uint8_t bytes[300];
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(i * i * 7 + 3);
	for (size_t n = 0; n < sizeof(bytes) - 8; n++)
		assert_int_equal(fc_checksum(bytes + n % 8, n),
				 fc_checksum_by_table(bytes + n % 8, n));
}

static void a_duration_is_said_in_thousandths(void **state)
{
	static const struct {
		uint64_t ns;
		const char *text;
	} said[] = {
		{ 0, "0.000 us" },	     { 1, "0.001 us" },
		{ 999999, "999.999 us" },    { 1000000, "1.000 ms" },
		{ 3200000, "3.200 ms" },     { 999999999, "999.999 ms" },
		{ 1000000000, "1.000 s" },   { 61234567890, "61.234 s" },
		{ UINT64_MAX, "18446744073.709 s" },
	};
	for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++) {
		char text[FC_CLOCK_TEXT];
		fc_clock_ns_text(said[i].ns, text);
		assert_string_equal(text, said[i].text);
	}
	struct fc_clock clock = { .tsc1 = 2000, .mono1_ns = 1000 };
	char text[FC_CLOCK_TEXT];
	fc_clock_duration_text(&clock, 5000, text);
	assert_string_equal(text, "2.500 us");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ticks_become_the_nanoseconds_that_a_division_gives),
		cmocka_unit_test(a_clock_without_its_second_pair_counts_ticks),
		cmocka_unit_test(this_machines_clock_agrees_with_clock_monotonic),
		cmocka_unit_test(the_checksum_is_crc32c),
		cmocka_unit_test(a_duration_is_said_in_thousandths),
	};
	return cmocka_run_group_tests_name("trace: clock", tests, NULL, NULL);
}
