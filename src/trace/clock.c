/* SPDX-License-Identifier: Apache-2.0 */
/* clock.c - converts ticks into times, and formats durations. */
#include "trace/clock.h"

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#include "arch/clock.h"

static uint64_t now_ns(clockid_t id)
{
	struct timespec ts;
	clock_gettime(id, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

uint64_t fc_clock_tsc(void)
{
	return fc_arch_clock();
}

uint64_t fc_clock_mono_ns(void)
{
	return now_ns(CLOCK_MONOTONIC);
}

uint64_t fc_clock_pause_ns(uint64_t since_ns, unsigned share, uint64_t least_ns)
{
	uint64_t pause_ns = (fc_clock_mono_ns() - since_ns) * share;
	return pause_ns > least_ns ? pause_ns : least_ns;
}

static bool is_step(uint32_t step, const uint64_t *tsc, size_t nr)
{
	for (size_t i = 1; i < nr; i++) {
		uint64_t past = (tsc[i] - tsc[0]) % step;
		if (past > 1 && past != step - 1) /* the first may be one tick more, too */
			return false;
	}
	return true;
}

uint32_t fc_clock_step_of(const uint64_t *tsc, size_t nr)
{
	enum { LEAST = 8, MOST = 64, ENOUGH = 32 };
	if (nr < ENOUGH || tsc[nr - 1] - tsc[0] < nr * LEAST)
		return 0;
	for (uint32_t step = MOST; step >= LEAST; step--)
		if (is_step(step, tsc, nr))
			return step;
	return 0;
}

/* Some time apart, and not always the same. */
static uint32_t take_step(void)
{
	uint64_t tsc[256];
	for (size_t i = 0; i < 256; i++) {
		for (size_t n = i % 5; n; n--)
			fc_clock_tsc();
		tsc[i] = fc_clock_tsc();
	}
	return fc_clock_step_of(tsc, 256);
}

/* The pair with the least time between its two readings of the TSC, of a few. */
static void take_pair(uint64_t *tsc, uint64_t *mono_ns)
{
	uint64_t best = UINT64_MAX;
	for (int i = 0; i < 8; i++) {
		uint64_t before = fc_clock_tsc();
		uint64_t ns = fc_clock_mono_ns();
		uint64_t width = fc_clock_tsc() - before;
		if (width < best) {
			best = width;
			*tsc = before + width / 2;
			*mono_ns = ns;
		}
	}
}

void fc_clock_start(struct fc_clock *clock)
{
	take_pair(&clock->tsc0, &clock->mono0_ns);
	clock->real0_ns = now_ns(CLOCK_REALTIME);
	clock->step = take_step();
	clock->tsc1 = clock->tsc0;
	clock->mono1_ns = clock->mono0_ns;
}

void fc_clock_set_second(struct fc_clock *clock, uint64_t tsc, uint64_t mono_ns)
{
	if (tsc > clock->tsc0 && mono_ns > clock->mono0_ns) {
		clock->tsc1 = tsc;
		clock->mono1_ns = mono_ns;
	}
}

void fc_clock_calibrate(struct fc_clock *clock)
{
	uint64_t tsc = 0, mono_ns = 0;
	take_pair(&tsc, &mono_ns);
	fc_clock_set_second(clock, tsc, mono_ns);
}

/*
 * ns = ticks * dn / dt for the line through both pairs, as whole + fraction / 2^64. The
 * division is done once a clock, not once an event: each thread keeps the last line it
 * used.
 */
struct line {
	uint64_t dn, dt;
	uint64_t whole, fraction;
};

static const struct line *line_of(uint64_t dn, uint64_t dt)
{
	static __thread struct line line;
	if (line.dn != dn || line.dt != dt) {
		line.dn = dn;
		line.dt = dt;
		line.whole = dn / dt;
		line.fraction = (uint64_t)(((unsigned __int128)(dn % dt) << 64) / dt);
	}
	return &line;
}

uint64_t fc_clock_duration_ns(const struct fc_clock *clock, uint64_t ticks)
{
	if (clock->tsc1 <= clock->tsc0)
		return ticks;
	uint64_t dn = clock->mono1_ns - clock->mono0_ns, dt = clock->tsc1 - clock->tsc0;
	const struct line *line = line_of(dn, dt);
	uint64_t ns = ticks * line->whole +
		      (uint64_t)((unsigned __int128)ticks * line->fraction >> 64);

	/* The fraction was rounded down, so ns is exact or one too small: look at the
	 * rest. */
	return ns + (ticks * dn - ns * dt >= dt);
}

uint64_t fc_clock_ns(const struct fc_clock *clock, uint64_t tsc)
{
	return tsc > clock->tsc0 ? fc_clock_duration_ns(clock, tsc - clock->tsc0) : 0;
}

static void scale(uint64_t ns, const char *seconds, char ret[FC_CLOCK_TEXT])
{
	const char *const units[] = { "us", "ms", seconds };
	size_t unit = 0;

	while (ns >= 1000000 && unit < 2) {
		ns /= 1000;
		unit++;
	}
	snprintf(ret, FC_CLOCK_TEXT, "%llu.%03llu %s", (unsigned long long)(ns / 1000),
		 (unsigned long long)(ns % 1000), units[unit]);
}

void fc_clock_ns_text(uint64_t ns, char ret[FC_CLOCK_TEXT])
{
	scale(ns, "s", ret);
}

void fc_clock_ns_cell(uint64_t ns, char ret[FC_CLOCK_TEXT])
{
	scale(ns, "s ", ret);
}

void fc_clock_duration_text(const struct fc_clock *clock, uint64_t ticks,
			    char ret[FC_CLOCK_TEXT])
{
	fc_clock_ns_text(fc_clock_duration_ns(clock, ticks), ret);
}
