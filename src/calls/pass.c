/* SPDX-License-Identifier: Apache-2.0 */
/* pass.c - calls the next tap's function for each function of a tap. */
#include "calls/pass.h"

static struct fc_tap *next_of(struct fc_tap *tap)
{
	return ((struct fc_pass *)tap)->next;
}

static int pass_module(struct fc_tap *tap, const struct fc_module_info *info)
{
	return next_of(tap)->module(next_of(tap), info);
}

static int pass_map(struct fc_tap *tap, const struct fc_map_info *info)
{
	return next_of(tap)->map(next_of(tap), info);
}

static int pass_life(struct fc_tap *tap, const struct fc_life_info *info)
{
	return next_of(tap)->life(next_of(tap), info);
}

static int pass_records(struct fc_tap *tap, const struct fc_strand_info *strand,
			const uint64_t *words, size_t nr_words, uint64_t now_tsc)
{
	return next_of(tap)->records(next_of(tap), strand, words, nr_words, now_tsc);
}

static int pass_strand_end(struct fc_tap *tap, const struct fc_strand_info *strand,
			   uint64_t tsc)
{
	return next_of(tap)->strand_end(next_of(tap), strand, tsc);
}

static int pass_tick(struct fc_tap *tap, uint64_t now_tsc)
{
	return next_of(tap)->tick(next_of(tap), now_tsc);
}

static int pass_hooks(struct fc_tap *tap, const struct fc_hook_info *info, size_t nr)
{
	return next_of(tap)->hooks(next_of(tap), info, nr);
}

static int pass_counts(struct fc_tap *tap, uint64_t tsc, const uint64_t *calls, uint32_t nr)
{
	return next_of(tap)->counts(next_of(tap), tsc, calls, nr);
}

static int pass_dump(struct fc_tap *tap, const char *why, bool is_end,
		     void (*pour)(void *ctx, struct fc_tap *to), void *ctx)
{
	return next_of(tap)->dump(next_of(tap), why, is_end, pour, ctx);
}

static int pass_filter(struct fc_tap *tap, const struct fc_filter_info *info)
{
	return next_of(tap)->filter(next_of(tap), info);
}

static bool pass_is_filtering(struct fc_tap *tap)
{
	return next_of(tap)->is_filtering(next_of(tap));
}

static int pass_edges(struct fc_tap *tap, const struct fc_edge *edges, size_t nr,
		      uint64_t nr_lost)
{
	return next_of(tap)->edges(next_of(tap), edges, nr, nr_lost);
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
