/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/gate.h"

#include <stdlib.h>

#include "analyze/sieve.h"
#include "analyze/wanted.h"
#include "base/memory.h"
#include "base/vec.h"

struct fc_gate {
	struct fc_tap tap;
	struct fc_writer *writer;
	struct fc_tap *next; /* the writer's */
	const struct fc_clock *clock;
	struct fc_wanted wanted;

	/* The tracer's thread: */
	FC_VEC(struct fc_module_info) modules; /* for a sieve to come */
	struct fc_sieve *sieve;		       /* NULL: nobody has asked for a filter */

	bool is_sieved; /* the draining thread's: records go through the sieve */
};

static struct fc_gate *gate_of(struct fc_tap *tap)
{
	return (struct fc_gate *)tap;
}

/* The tracer's thread. */

static int gate_module(struct fc_tap *tap, const struct fc_module_info *info)
{
	struct fc_gate *gate = gate_of(tap);

	if (gate->sieve)
		fc_sieve_add_names(gate->sieve, info);
	else
		fc_vec_push(&gate->modules, *info);
	return gate->next->module(gate->next, info);
}

static int gate_map(struct fc_tap *tap, const struct fc_map_info *info)
{
	struct fc_gate *gate = gate_of(tap);
	return gate->next->map(gate->next, info);
}

static int gate_life(struct fc_tap *tap, const struct fc_life_info *info)
{
	struct fc_gate *gate = gate_of(tap);
	return gate->next->life(gate->next, info);
}

static int gate_filter(struct fc_tap *tap, const struct fc_filter_info *info)
{
	struct fc_gate *gate = gate_of(tap);

	if (!gate->sieve) {
		struct fc_sieve *sieve =
			fc_sieve_create(&(struct fc_filter_opts){ 0 }, gate->next);
		fc_vec_each (&gate->modules, module)
			fc_sieve_add_names(sieve, module);
		gate->sieve = sieve;
	}
	fc_wanted_put(&gate->wanted, info);
	return 0;
}

static bool gate_is_filtering(struct fc_tap *tap)
{
	return fc_wanted_is_done(&gate_of(tap)->wanted);
}

/* The draining thread. */

static void add_open(void *ctx, const struct fc_strand_info *strand, uint32_t func,
		     uint64_t begin_tsc)
{
	fc_sieve_add_open(ctx, strand, func, begin_tsc);
}

static uint64_t min_ticks(const struct fc_gate *gate, const struct fc_filter_info *info)
{
	struct fc_clock clock = *gate->clock;

	if (!info->min_ns)
		return 0;
	fc_clock_calibrate(&clock);
	return fc_clock_ticks_of(&clock, info->min_ns);
}

static void take_wanted(struct fc_gate *gate)
{
	struct fc_filter_info info;

	if (!fc_wanted_take(&gate->wanted, &info))
		return;
	if (!gate->is_sieved)
		fc_writer_each_open(gate->writer, add_open, gate->sieve);
	gate->is_sieved = true;
	fc_sieve_change(gate->sieve, &info, min_ticks(gate, &info));
	fc_filter_info_deinit(&info);
}

static struct fc_tap *way(const struct fc_gate *gate)
{
	return gate->is_sieved ? fc_sieve_tap(gate->sieve) : gate->next;
}

static int gate_records(struct fc_tap *tap, const struct fc_strand_info *strand,
			const uint64_t *words, size_t nr_words, uint64_t now_tsc)
{
	struct fc_tap *next = way(gate_of(tap));
	return next->records(next, strand, words, nr_words, now_tsc);
}

static int gate_strand_end(struct fc_tap *tap, const struct fc_strand_info *strand,
			   uint64_t tsc)
{
	struct fc_tap *next = way(gate_of(tap));
	return next->strand_end(next, strand, tsc);
}

static int gate_tick(struct fc_tap *tap, uint64_t now_tsc)
{
	take_wanted(gate_of(tap));
	struct fc_tap *next = way(gate_of(tap));
	return next->tick(next, now_tsc);
}

static int gate_hooks(struct fc_tap *tap, const struct fc_hook_info *info, size_t nr)
{
	struct fc_gate *gate = gate_of(tap);
	return gate->next->hooks(gate->next, info, nr);
}

static int gate_counts(struct fc_tap *tap, uint64_t tsc, const uint64_t *calls, uint32_t nr)
{
	struct fc_gate *gate = gate_of(tap);
	return gate->next->counts(gate->next, tsc, calls, nr);
}

struct fc_gate *fc_gate_create(struct fc_writer *writer, const struct fc_clock *clock,
			       const struct fc_filter_opts *filter)
{
	struct fc_gate *gate = fc_alloc(sizeof(*gate));

	gate->tap = (struct fc_tap){
		.module = gate_module,
		.map = gate_map,
		.life = gate_life,
		.records = gate_records,
		.strand_end = gate_strand_end,
		.tick = gate_tick,
		.filter = gate_filter,
		.is_filtering = gate_is_filtering,
	};
	gate->writer = writer;
	gate->next = fc_writer_tap(writer);
	gate->tap.hooks = gate->next->hooks ? gate_hooks : NULL;
	gate->tap.counts = gate->next->counts ? gate_counts : NULL;
	gate->clock = clock;
	fc_wanted_init(&gate->wanted);
	if (filter)
		gate->sieve = fc_sieve_create(filter, gate->next);
	gate->is_sieved = filter;
	return gate;
}

void fc_gate_destroy(struct fc_gate *gate)
{
	if (!gate)
		return;
	fc_sieve_destroy(gate->sieve);
	fc_wanted_deinit(&gate->wanted);
	fc_vec_free(&gate->modules);
	free(gate);
}

struct fc_tap *fc_gate_tap(struct fc_gate *gate)
{
	return &gate->tap;
}

void fc_gate_finish(struct fc_gate *gate, uint64_t tsc)
{
	if (gate->is_sieved)
		fc_sieve_finish(gate->sieve, tsc);
}

const struct fc_filter *fc_gate_filter(const struct fc_gate *gate)
{
	const struct fc_filter *filter = gate->sieve ? fc_sieve_filter(gate->sieve) : NULL;
	return filter && !fc_filter_is_changed(filter) ? filter : NULL;
}
