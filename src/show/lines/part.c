/* SPDX-License-Identifier: Apache-2.0 */
/* part.c - counts lines, and keeps the open calls that have none yet. */
#include "show/lines/part.h"

#include <stdlib.h>

#include "base/order.h"
#include "base/vec.h"

struct open_call {
	struct fc_call call;
	bool is_told;
};

struct strand {
	FC_VEC(struct open_call) stack; /* outermost first */
};

void fc_part_deinit(struct fc_part *part)
{
	struct strand *strand;

	fc_strands_each (&part->strands, strand)
		fc_vec_free(&strand->stack);
	fc_strands_deinit(&part->strands);
}

bool fc_part_wants(struct fc_part *part, uint64_t now_tsc, uint64_t first_tsc,
		   uint64_t last_tsc)
{
	if (now_tsc < part->since_tsc)
		return false;
	if (last_tsc < part->from_tsc || (part->to_tsc && first_tsc >= part->to_tsc))
		return false;
	part->nr++;
	if (part->nr <= part->skip || (part->max && part->nr - part->skip > part->max))
		return false;
	part->has_begun = true;
	return true;
}

static struct open_call *innermost(const struct fc_part *part, uint32_t id)
{
	struct strand *strand = fc_strands_find(&part->strands, id);
	return strand && strand->stack.nr ? &strand->stack.at[strand->stack.nr - 1] : NULL;
}

void fc_part_enter(struct fc_part *part, const struct fc_call *call)
{
	part->strands.size = sizeof(struct strand);
	struct strand *strand = fc_strands_make(&part->strands, call->strand);
	fc_vec_push(&strand->stack, (struct open_call){ .call = *call });
}

void fc_part_tell(struct fc_part *part, uint32_t id, bool is_told)
{
	struct open_call *open = innermost(part, id);
	if (open)
		open->is_told = is_told;
}

void fc_part_leave(struct fc_part *part, uint32_t id)
{
	struct strand *strand = fc_strands_find(&part->strands, id);
	if (strand && strand->stack.nr && !--strand->stack.nr) {
		fc_vec_free(&strand->stack);
		fc_strands_drop(&part->strands, id);
	}
}

/* Calls that begin at the same time stay in the order of their strand. */
static int by_begin(const void *a, const void *b)
{
	const struct fc_call *x = a, *y = b;
	return fc_order(x->begin_tsc, y->begin_tsc) ?:
	       fc_order(x->strand, y->strand) ?:
	       fc_order(x->depth, y->depth);
}

size_t fc_part_untold(struct fc_part *part, int tid,
		      bool (*is_held)(void *ctx, uint32_t strand), void *ctx,
		      struct fc_call **ret)
{
	FC_VEC(struct fc_call) found = { 0 };

	struct strand *strand;

	fc_strands_each (&part->strands, strand) {
		if (tid && strand->stack.at[0].call.tid != tid)
			continue;
		size_t nr = strand->stack.nr - is_held(ctx, (uint32_t)strand_id);
		for (size_t i = 0; i < nr; i++) {
			if (part->to_tsc && strand->stack.at[i].call.begin_tsc >= part->to_tsc)
				break;
			if (!strand->stack.at[i].is_told)
				fc_vec_push(&found, strand->stack.at[i].call);
			strand->stack.at[i].is_told = true;
		}
	}
	fc_vec_sort(&found, by_begin);
	*ret = found.at;
	return found.nr;
}
