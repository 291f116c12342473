/* SPDX-License-Identifier: Apache-2.0 */
#include "calls/pass.h"

static struct fc_tap *next_of(struct fc_tap *tap)
{
	return ((struct fc_pass *)tap)->next;
}

static int pass_module(struct fc_tap *tap, const struct fc_module_info *info)
{
	struct fc_tap *next = next_of(tap);
	return next->module(next, info);
}

static int pass_map(struct fc_tap *tap, const struct fc_map_info *info)
{
	struct fc_tap *next = next_of(tap);
	return next->map(next, info);
}

static int pass_life(struct fc_tap *tap, const struct fc_life_info *info)
{
	struct fc_tap *next = next_of(tap);
	return next->life(next, info);
}

static int pass_records(struct fc_tap *tap, const struct fc_strand_info *strand,
			const uint64_t *words, size_t nr_words, uint64_t now_tsc)
{
	struct fc_tap *next = next_of(tap);
	return next->records(next, strand, words, nr_words, now_tsc);
}

static int pass_strand_end(struct fc_tap *tap, const struct fc_strand_info *strand,
			   uint64_t tsc)
{
	struct fc_tap *next = next_of(tap);
	return next->strand_end(next, strand, tsc);
}

static int pass_tick(struct fc_tap *tap, uint64_t now_tsc)
{
	struct fc_tap *next = next_of(tap);
	return next->tick(next, now_tsc);
}

static int pass_hooks(struct fc_tap *tap, const struct fc_hook_info *info, size_t nr)
{
	struct fc_tap *next = next_of(tap);
	return next->hooks(next, info, nr);
}

static int pass_counts(struct fc_tap *tap, uint64_t tsc, const uint64_t *calls, uint32_t nr)
{
	struct fc_tap *next = next_of(tap);
	return next->counts(next, tsc, calls, nr);
}

static int pass_dump(struct fc_tap *tap, const char *why, bool is_end,
		     void (*pour)(void *ctx, struct fc_tap *to), void *ctx)
{
	struct fc_tap *next = next_of(tap);
	return next->dump(next, why, is_end, pour, ctx);
}

static int pass_filter(struct fc_tap *tap, const struct fc_filter_info *info)
{
	struct fc_tap *next = next_of(tap);
	return next->filter(next, info);
}

static bool pass_is_filtering(struct fc_tap *tap)
{
	struct fc_tap *next = next_of(tap);
	return next->is_filtering(next);
}

static int pass_edges(struct fc_tap *tap, const struct fc_edge *edges, size_t nr,
		      uint64_t nr_lost)
{
	struct fc_tap *next = next_of(tap);
	return next->edges(next, edges, nr, nr_lost);
}

void fc_pass_init(struct fc_pass *pass, struct fc_tap *next)
{
#define IF_NEXT(name) .name = next->name ? pass_##name : NULL
	pass->tap = (struct fc_tap){
		IF_NEXT(module),     IF_NEXT(map),    IF_NEXT(life),	     IF_NEXT(records),
		IF_NEXT(strand_end), IF_NEXT(tick),   IF_NEXT(hooks),	     IF_NEXT(counts),
		IF_NEXT(dump),	     IF_NEXT(filter), IF_NEXT(is_filtering), IF_NEXT(edges),
	};
#undef IF_NEXT
	pass->next = next;
}
