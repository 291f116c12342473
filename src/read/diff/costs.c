/* SPDX-License-Identifier: Apache-2.0 */
/* costs.c - sums a run's calls, and keeps a sample of self times of each function. */
#include "read/diff/costs.h"

#include <string.h>

#include "base/memory.h"
#include "base/order.h"
#include "base/paged.h"
#include "base/sort.h"
#include "base/vec.h"
#include "read/sums/crunch.h"

enum {
	SAMPLE = 512,	/* calls of a function, at most */
	PART_LEAST = 4, /* calls in a part of the run, at least */
};

struct sampled {
	uint64_t begin_tsc, ticks;
};

/* The own time of a function's calls. */
struct spread {
	uint64_t nr; /* calls whose end was seen */
	uint64_t sum, cut;
	uint64_t shortest, longest; /* of those */
	unsigned shift;		    /* of the hash of a sampled call so many bits are 0 */
	FC_VEC(struct sampled) sample;
};

struct fc_costs {
	struct fc_call_sink sink;
	struct fc_report *report;
	struct fc_call_sink *to_report;
	struct fc_paged places; /* by function id: in spreads, + 1 */
	FC_VEC(struct spread) spreads;
	FC_VEC(struct fc_cost) settled;
};

/* ---- the sample ---- */

/* The finalizer of MurmurHash3. */
static uint64_t hash_of(uint64_t x)
{
	x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdull;
	x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53ull;
	return x ^ (x >> 33);
}

static bool is_sampled(uint64_t begin_tsc, unsigned shift)
{
	return shift < 64 && !(hash_of(begin_tsc) & ((1ull << shift) - 1));
}

/* Which calls remain depends on when they began, not on which of them came first. */
static void thin_out(struct spread *spread)
{
	size_t nr = 0;

	spread->shift++;
	fc_vec_each (&spread->sample, call)
		if (is_sampled(call->begin_tsc, spread->shift))
			spread->sample.at[nr++] = *call;
	spread->sample.nr = nr;
}

static void sample_call(struct spread *spread, struct sampled call)
{
	if (!is_sampled(call.begin_tsc, spread->shift))
		return;
	fc_vec_push(&spread->sample, call);
	while (spread->sample.nr > SAMPLE)
		thin_out(spread);
}

static void merge_spread(struct spread *into, const struct spread *from)
{
	if (from->nr && (!into->nr || from->shortest < into->shortest))
		into->shortest = from->shortest;
	into->nr += from->nr;
	into->sum += from->sum;
	into->cut += from->cut;
	into->longest = from->longest > into->longest ? from->longest : into->longest;
	while (into->shift < from->shift)
		thin_out(into);
	fc_vec_each (&from->sample, call)
		sample_call(into, *call);
}

/* ---- the sink ---- */

static struct fc_costs *costs_of(struct fc_call_sink *sink)
{
	return (struct fc_costs *)((char *)sink - offsetof(struct fc_costs, sink));
}

static struct spread *spread_of(struct fc_costs *costs, uint32_t func)
{
	uint32_t *place = fc_paged_at(&costs->places, func);

	if (!*place) {
		fc_vec_push(&costs->spreads, (struct spread){ .nr = 0 });
		*place = (uint32_t)costs->spreads.nr;
	}
	return &costs->spreads.at[*place - 1];
}

static bool is_cut_off(const struct fc_call *call)
{
	return call->left == FC_LEFT_END && call->self_ticks == fc_call_ticks(call);
}

static void costs_leave(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct fc_costs *costs = costs_of(sink);
	struct spread *spread = spread_of(costs, call->func);

	costs->to_report->leave(costs->to_report, call);
	if (is_cut_off(call)) {
		spread->cut += call->self_ticks;
		return;
	}
	spread->sum += call->self_ticks;
	if (call->is_inherited || call->is_resumed || call->is_reopened ||
	    call->left == FC_LEFT_UNSEEN || call->left == FC_LEFT_LOST)
		return;
	if (!spread->nr || call->self_ticks < spread->shortest)
		spread->shortest = call->self_ticks;
	if (call->self_ticks > spread->longest)
		spread->longest = call->self_ticks;
	spread->nr++;
	sample_call(spread, (struct sampled){ call->begin_tsc, call->self_ticks });
}

static void costs_event(struct fc_call_sink *sink, const struct fc_event *event)
{
	struct fc_call_sink *to_report = costs_of(sink)->to_report;
	to_report->event(to_report, event);
}

struct fc_costs *fc_costs_create(const struct fc_report_opts *report)
{
	struct fc_costs *costs = fc_alloc(sizeof(*costs));

	costs->report = fc_report_create_as(report);
	costs->to_report = fc_report_sink(costs->report);
	costs->sink = (struct fc_call_sink){
		.enter = fc_sink_skip_call,
		.leave = costs_leave,
		.event = costs_event,
		.finish = fc_sink_skip_finish,
	};
	return costs;
}

static void free_spreads(struct fc_costs *costs)
{
	fc_vec_each (&costs->spreads, spread)
		fc_vec_free(&spread->sample);
	fc_vec_free(&costs->spreads);
	fc_paged_deinit(&costs->places);
}

void fc_costs_destroy(struct fc_costs *costs)
{
	if (!costs)
		return;
	free_spreads(costs);
	fc_vec_free(&costs->settled);
	fc_report_destroy(costs->report);
	free(costs);
}

struct fc_call_sink *fc_costs_sink(struct fc_costs *costs)
{
	return &costs->sink;
}

struct fc_report *fc_costs_report(struct fc_costs *costs)
{
	return costs->report;
}

/* ---- a whole trace ---- */

static struct fc_call_sink *create_sink(void *ctx)
{
	return &fc_costs_create(ctx)->sink;
}

/* fn is told of each function that was called. */
static void each_spread(const struct fc_costs *costs,
			void (*fn)(void *ctx, uint32_t func, const struct spread *spread),
			void *ctx)
{
	for (size_t page = 0; page < costs->places.nr_pages; page++) {
		const uint32_t *places = costs->places.pages[page];
		for (uint32_t i = 0; places && i < 1u << FC_PAGED_BITS; i++)
			if (places[i])
				fn(ctx, (uint32_t)(page << FC_PAGED_BITS) + i,
				   &costs->spreads.at[places[i] - 1]);
	}
}

static void merge_one(void *ctx, uint32_t func, const struct spread *spread)
{
	merge_spread(spread_of(ctx, func), spread);
}

static void merge_sinks(struct fc_call_sink *into, struct fc_call_sink *from)
{
	fc_report_merge(costs_of(into)->report, costs_of(from)->report);
	each_spread(costs_of(from), merge_one, costs_of(into));
}

static void destroy_sink(struct fc_call_sink *sink)
{
	fc_costs_destroy(costs_of(sink));
}

int fc_costs_crunch(struct fc_reader *reader, const struct fc_report_opts *report,
		    struct fc_costs **ret)
{
	struct fc_report_opts copy = *report;
	copy.off_funcs = fc_reader_off_funcs(reader);
	const struct fc_crunch_opts opts = {
		.create = create_sink,
		.merge = merge_sinks,
		.destroy = destroy_sink,
		.ctx = &copy,
	};
	struct fc_call_sink *sink = NULL;
	int err = fc_crunch(reader, &opts, &sink);

	if (!err)
		*ret = costs_of(sink);
	return err;
}

/* ---- sums ---- */

static int by_begin(const void *a, const void *b)
{
	const struct sampled *left = a, *right = b;
	return fc_order(left->begin_tsc, right->begin_tsc)
		       ?: fc_order(left->ticks, right->ticks);
}

static int by_ticks(const void *a, const void *b)
{
	return fc_order(*(const uint64_t *)a, *(const uint64_t *)b);
}

/* The mean without the longest eighth: those may have been interrupted. */
static double usual_of(const struct sampled *calls, size_t nr)
{
	uint64_t ticks[SAMPLE];
	size_t nr_kept = nr - nr / 8;
	double sum = 0;

	if (!nr)
		return 0;
	for (size_t i = 0; i < nr; i++)
		ticks[i] = calls[i].ticks;
	qsort(ticks, nr, sizeof(*ticks), by_ticks);
	for (size_t i = 0; i < nr_kept; i++)
		sum += (double)ticks[i];
	return sum / (double)nr_kept;
}

static void take_parts(struct spread *spread, double ns, struct fc_cost *ret)
{
	struct sampled *calls = spread->sample.at;
	size_t nr = spread->sample.nr, nr_parts = nr / PART_LEAST;

	if (nr)
		qsort(calls, nr, sizeof(*calls), by_begin);
	nr_parts = nr_parts < FC_COST_PARTS ? nr_parts : FC_COST_PARTS;
	ret->nr_parts = (unsigned)nr_parts;
	for (size_t i = 0; i < nr_parts; i++) {
		size_t first = i * nr / nr_parts, last = (i + 1) * nr / nr_parts;
		ret->part_ns[i] = usual_of(calls + first, last - first) * ns;
	}
}

/* ns: of a tick. */
static void take_cost(struct spread *spread, double ns, struct fc_cost *ret)
{
	ret->sum_ns = (double)spread->sum * ns;
	ret->cut_ns = (double)spread->cut * ns;
	ret->shortest_ns = (double)spread->shortest * ns;
	ret->longest_ns = (double)spread->longest * ns;
	ret->nr_timed = spread->nr;
	ret->usual_ns = usual_of(spread->sample.at, spread->sample.nr) * ns;
	take_parts(spread, ns, ret);
}

/* Functions by their numbers. */
struct numbered {
	uint32_t number;
	struct spread *spread;
};

struct numbering {
	uint32_t (*number_of)(void *ctx, uint32_t func);
	void *ctx;
	struct fc_costs *costs;
	FC_VEC(struct numbered) found;
};

static void number_one(void *ctx, uint32_t func, const struct spread *spread)
{
	struct numbering *numbering = ctx;
	size_t i = (size_t)(spread - numbering->costs->spreads.at);
	struct numbered numbered = { numbering->number_of(numbering->ctx, func),
				     &numbering->costs->spreads.at[i] };

	fc_vec_push(&numbering->found, numbered);
}

void fc_costs_settle(struct fc_costs *costs, const struct fc_clock *clock,
		     uint32_t (*number_of)(void *ctx, uint32_t func), void *ctx)
{
	struct numbering numbering = { number_of, ctx, costs, { 0 } };
	const uint64_t many = 1ull << 32;
	double ns = (double)fc_clock_duration_ns(clock, many) / (double)many;

	each_spread(costs, number_one, &numbering);
	fc_sort_by(numbering.found.at, numbering.found.nr, number);
	for (size_t i = 0; i < numbering.found.nr;) {
		struct numbered first = numbering.found.at[i];
		while (++i < numbering.found.nr && numbering.found.at[i].number == first.number)
			merge_spread(first.spread, numbering.found.at[i].spread);
		struct fc_cost cost = { .number = first.number };
		take_cost(first.spread, ns, &cost);
		fc_vec_push(&costs->settled, cost);
	}
	fc_vec_free(&numbering.found);
	free_spreads(costs);
}

const struct fc_cost *fc_costs_settled(const struct fc_costs *costs, size_t *nr)
{
	*nr = costs->settled.nr;
	return costs->settled.at;
}
