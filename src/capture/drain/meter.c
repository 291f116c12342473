/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/drain/meter.h"

#include <stdlib.h>

#include "base/memory.h"
#include "trace/record.h"

static struct fc_meter *meter_of(struct fc_tap *tap)
{
	return (struct fc_meter *)tap;
}

static int pass_module(struct fc_tap *tap, const struct fc_module_info *info)
{
	struct fc_tap *next = meter_of(tap)->next;
	return next->module(next, info);
}

static int pass_map(struct fc_tap *tap, const struct fc_map_info *info)
{
	struct fc_tap *next = meter_of(tap)->next;
	return next->map(next, info);
}

static int pass_life(struct fc_tap *tap, const struct fc_life_info *info)
{
	struct fc_tap *next = meter_of(tap)->next;
	return next->life(next, info);
}

static bool is_call(uint64_t word)
{
	switch (fc_record_kind(word)) {
	case FC_ENTRY:
	case FC_TAIL:
	case FC_ENTRY_ONLY:
		return true;
	default:
		return false;
	}
}

static int count_records(struct fc_tap *tap, const struct fc_strand_info *strand,
			 const uint64_t *words, size_t nr_words, uint64_t now_tsc)
{
	struct fc_meter *meter = meter_of(tap);
	for (size_t i = 0; i < nr_words; i += 1 + fc_record_words(words[i])) {
		uint32_t func = fc_record_func(words[i]);
		if (is_call(words[i]) && func < meter->nr)
			__atomic_store_n(&meter->calls[func], meter->calls[func] + 1,
					 __ATOMIC_RELAXED);
	}
	return meter->next->records(meter->next, strand, words, nr_words, now_tsc);
}

static int pass_strand_end(struct fc_tap *tap, const struct fc_strand_info *strand,
			   uint64_t tsc)
{
	struct fc_tap *next = meter_of(tap)->next;
	return next->strand_end(next, strand, tsc);
}

static int pass_tick(struct fc_tap *tap, uint64_t now_tsc)
{
	struct fc_tap *next = meter_of(tap)->next;
	return next->tick(next, now_tsc);
}

static int pass_hooks(struct fc_tap *tap, const struct fc_hook_info *info, size_t nr)
{
	struct fc_tap *next = meter_of(tap)->next;
	return next->hooks ? next->hooks(next, info, nr) : 0;
}

static int pass_counts(struct fc_tap *tap, uint64_t tsc, const uint64_t *calls, uint32_t nr)
{
	struct fc_tap *next = meter_of(tap)->next;
	return next->counts ? next->counts(next, tsc, calls, nr) : 0;
}

static int pass_filter(struct fc_tap *tap, const struct fc_filter_info *info)
{
	struct fc_tap *next = meter_of(tap)->next;
	return next->filter(next, info);
}

static bool pass_is_filtering(struct fc_tap *tap)
{
	struct fc_tap *next = meter_of(tap)->next;
	return next->is_filtering(next);
}

void fc_meter_init(struct fc_meter *meter, uint32_t nr, struct fc_tap *next)
{
	*meter = (struct fc_meter){
		.tap = {
			.module = pass_module,
			.map = pass_map,
			.life = pass_life,
			.records = count_records,
			.strand_end = pass_strand_end,
			.tick = pass_tick,
			.hooks = pass_hooks,
			.counts = pass_counts,
		},
		.next = next,
		.calls = fc_alloc((size_t)nr * sizeof(uint64_t)),
		.nr = nr,
	};
	if (next->filter) {
		meter->tap.filter = pass_filter;
		meter->tap.is_filtering = pass_is_filtering;
	}
}

void fc_meter_deinit(struct fc_meter *meter)
{
	free(meter->calls);
	meter->calls = NULL;
}
