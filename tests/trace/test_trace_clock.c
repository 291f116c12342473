/* SPDX-License-Identifier: Apache-2.0 */
/* Ticks become nanoseconds, exactly, and checksums are those of the standard. */
#include "trace/checksum.h"
#include "trace/clock.h"

#include "trace/test_trace.h"

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
		{ .tsc1 = 24000000, .mono1_ns = 1000000000 },		/* slower than 1 GHz */
		{ .tsc1 = 41400000000001, .mono1_ns = 18000000000011 }, /* five hours */
	};
	srand(1);
	for (int i = 0; i < 200000; i++) {
		const struct fc_clock *clock = &clocks[rand() % 5];
		uint64_t ticks = (uint64_t)rand() << 16 ^ (uint64_t)rand();
		ticks >>= rand() % 40;
		assert_int_equal(fc_clock_duration_ns(clock, ticks), by_division(clock, ticks));
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
	assert_int_equal(fc_clock_ns(&clock, clock.tsc1), clock.mono1_ns - clock.mono0_ns);
}

/* A clock that goes on by step, asked now and then; who asks too soon is told one tick more. */
static void read_often(uint64_t *tsc, size_t nr, uint32_t step, bool is_one_more)
{
	uint64_t now = 96754029282942 + (uint64_t)(rand() % 100);
	for (size_t i = 0; i < nr; i++) {
		bool is_soon = is_one_more && i && rand() % 8 == 0 && tsc[i - 1] == now;
		now += is_soon ? 0 : step * (1 + (uint64_t)(rand() % 4));
		tsc[i] = now + is_soon;
	}
}

static void a_clock_that_goes_on_by_many_ticks_is_known(void **state)
{
	uint64_t tsc[256];
	for (uint32_t step = 8; step <= 64; step++) {
		read_often(tsc, 256, step, false);
		assert_int_equal(fc_clock_step_of(tsc, 256), step);
		read_often(tsc, 256, step, true);
		assert_int_equal(fc_clock_step_of(tsc, 256), step);
		assert_int_equal(fc_clock_step_of(tsc + 100, 100), step);
	}
}

static void a_clock_that_goes_on_by_few_ticks_has_no_step(void **state)
{
	uint64_t tsc[256];
	for (uint32_t step = 1; step < 8; step++) {
		read_often(tsc, 256, step, false);
		for (int i = 0; i < 256; i++)
			tsc[i] += step * (uint64_t)(rand() % 2);
		assert_int_equal(fc_clock_step_of(tsc, 256), 0);
	}
	read_often(tsc, 256, 26, true);
	for (int i = 0; i < 256; i++) /* by 26 and 4 hundredths: scaled by a hypervisor */
		tsc[i] += (tsc[i] - tsc[0]) / 650;
	assert_int_equal(fc_clock_step_of(tsc, 256), 0);
	assert_int_equal(fc_clock_step_of(tsc, 2), 0);
	assert_int_equal(fc_clock_step_of(tsc, 0), 0);
	memset(tsc, 0, sizeof(tsc)); /* it stands */
	assert_int_equal(fc_clock_step_of(tsc, 256), 0);
}

static void the_checksum_is_crc32c(void **state)
{
	uint8_t zeros[32] = { 0 };
	assert_int_equal(fc_checksum("123456789", 9), 0xe3069283); /* the usual check value */
	assert_int_equal(fc_checksum(zeros, 32), 0x8a9136aa);	   /* RFC 3720 B.4 */
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
		{ 0, "0.000 us" },
		{ 1, "0.001 us" },
		{ 999999, "999.999 us" },
		{ 1000000, "1.000 ms" },
		{ 3200000, "3.200 ms" },
		{ 999999999, "999.999 ms" },
		{ 1000000000, "1.000 s" },
		{ 61234567890, "61.234 s" },
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
		cmocka_unit_test(a_clock_that_goes_on_by_many_ticks_is_known),
		cmocka_unit_test(a_clock_that_goes_on_by_few_ticks_has_no_step),
		cmocka_unit_test(the_checksum_is_crc32c),
		cmocka_unit_test(a_duration_is_said_in_thousandths),
	};
	return cmocka_run_group_tests_name("trace: clock", tests, NULL, NULL);
}
