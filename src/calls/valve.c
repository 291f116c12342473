/* SPDX-License-Identifier: Apache-2.0 */
/*
 * valve.c - passes records to the writer, and puts a sieve in front of it when a filter comes.
 */
#include "calls/valve.h"

#include <stdlib.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/vec.h"
#include "calls/pass.h"
#include "calls/sieve.h"
#include "calls/wanted.h"

struct fc_valve {
	struct fc_pass pass; /* to the writer's */
	struct fc_writer *writer;
	const struct fc_clock *clock;
	struct fc_wanted wanted;
	FC_VEC(struct fc_module_info) modules; /* for a sieve to come */
	struct fc_sieve *sieve;		       /* NULL: nobody has asked for a filter */
};

static struct fc_valve *valve_of(struct fc_tap *tap)
{
	return (struct fc_valve *)tap;
}

static struct fc_tap *way(const struct fc_valve *valve)
{
	return valve->sieve ? fc_sieve_tap(valve->sieve) : valve->pass.next;
}

static int valve_module(struct fc_tap *tap, const struct fc_module_info *info)
{
	struct fc_valve *valve = valve_of(tap);
	struct fc_tap *next = way(valve);

	if (!valve->sieve)
		fc_vec_push(&valve->modules, *info);
	return next->module(next, info);
}

static int valve_filter(struct fc_tap *tap, const struct fc_filter_info *info)
{
	fc_wanted_put(&valve_of(tap)->wanted, info);
	return 0;
}

static bool valve_is_filtering(struct fc_tap *tap)
{
	return fc_wanted_is_done(&valve_of(tap)->wanted);
}

static void add_open(void *ctx, const struct fc_strand_info *strand, uint32_t func,
		     uint64_t begin_tsc)
{
	fc_sieve_add_open(ctx, strand, func, begin_tsc);
}

static uint64_t min_ticks(const struct fc_valve *valve, const struct fc_filter_info *info)
{
	struct fc_clock clock = *valve->clock;

	if (!info->min_ns)
		return 0;
	fc_clock_calibrate(&clock);
	return fc_clock_ticks_of(&clock, info->min_ns);
}

static void begin_to_sieve(struct fc_valve *valve)
{
	valve->sieve = fc_sieve_create(&(struct fc_filter_opts){ 0 }, valve->pass.next);
	fc_vec_each (&valve->modules, module)
		if (fc_sieve_add_module(valve->sieve, module))
			fc_fail_clear(); /* its own table, which the writer has taken */
	fc_writer_each_open(valve->writer, add_open, valve->sieve);
}

static void take_wanted(struct fc_valve *valve)
{
	struct fc_filter_info info;

	if (!fc_wanted_take(&valve->wanted, &info))
		return;
	if (!valve->sieve)
		begin_to_sieve(valve);
	fc_sieve_change(valve->sieve, &info, min_ticks(valve, &info));
	fc_filter_info_deinit(&info);
}

static int valve_records(struct fc_tap *tap, const struct fc_strand_info *strand,
			 const uint64_t *words, size_t nr_words, uint64_t now_tsc)
{
	struct fc_tap *next = way(valve_of(tap));
	return next->records(next, strand, words, nr_words, now_tsc);
}

static int valve_strand_end(struct fc_tap *tap, const struct fc_strand_info *strand,
			    uint64_t tsc)
{
	struct fc_tap *next = way(valve_of(tap));
	return next->strand_end(next, strand, tsc);
}

static int valve_tick(struct fc_tap *tap, uint64_t now_tsc)
{
	take_wanted(valve_of(tap));
	struct fc_tap *next = way(valve_of(tap));
	return next->tick(next, now_tsc);
}

struct fc_valve *fc_valve_create(struct fc_writer *writer, const struct fc_clock *clock,
				 const struct fc_filter_opts *filter)
{
	struct fc_valve *valve = fc_alloc(sizeof(*valve));

	fc_pass_init(&valve->pass, fc_writer_tap(writer));
	valve->pass.tap.module = valve_module;
	valve->pass.tap.records = valve_records;
	valve->pass.tap.strand_end = valve_strand_end;
	valve->pass.tap.tick = valve_tick;
	valve->pass.tap.filter = valve_filter;
	valve->pass.tap.is_filtering = valve_is_filtering;
	valve->writer = writer;
	valve->clock = clock;
	if (filter)
		valve->sieve = fc_sieve_create(filter, valve->pass.next);
	return valve;
}

void fc_valve_destroy(struct fc_valve *valve)
{
	if (!valve)
		return;
	fc_sieve_destroy(valve->sieve);
	fc_wanted_deinit(&valve->wanted);
	fc_vec_free(&valve->modules);
	free(valve);
}

struct fc_tap *fc_valve_tap(struct fc_valve *valve)
{
	return &valve->pass.tap;
}

void fc_valve_finish(struct fc_valve *valve, uint64_t tsc)
{
	if (valve->sieve)
		fc_sieve_finish(valve->sieve, tsc);
}

const struct fc_filter *fc_valve_filter(const struct fc_valve *valve)
{
	const struct fc_filter *filter = valve->sieve ? fc_sieve_filter(valve->sieve) : NULL;
	return filter && !fc_filter_is_changed(filter) ? filter : NULL;
}
