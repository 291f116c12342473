/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/patch/stub_kind.h"

#include "arch/stub_row.h"
#include "capture/patch/plan_private.h"

enum fc_stub_kind fc_stub_kind_of(const struct fc_planned *p, enum fc_counting counting)
{
	enum fc_stub_kind counted = counting == FC_COUNT_ONLY	 ? FC_STUB_COUNT
				    : counting == FC_COUNT_EDGES ? FC_STUB_EDGE
								 : p->kind;
	const struct fc_stub_row *row = fc_stub_row(p->kind);
	bool is_round = row->shape == FC_SHAPE_CALL && p->loops;
	return row->is_counted && !is_round ? counted : p->kind;
}

static bool is_entry_only(const struct fc_stubs *stubs, const struct fc_planned *p)
{
	enum fc_counting counting = stubs->opts.counting;
	return stubs->opts.is_entry_only && p->kind == FC_STUB_CALL &&
	       (counting == FC_COUNT_NEVER || counting == FC_COUNT_SWITCHED);
}

enum fc_stub_kind fc_stubs_kind(const struct fc_stubs *stubs, const struct fc_planned *p)
{
	return is_entry_only(stubs, p) ? FC_STUB_ENTRY_ONLY
				       : fc_stub_kind_of(p, stubs->opts.counting);
}

unsigned fc_plan_can(const struct fc_plan *plan, size_t i)
{
	const struct fc_planned *p = &plan->planned[i];
	/* A gate turns others on and off, as some turn their thread. */
	if (!p->is_hooked || !fc_stub_row(p->kind)->has_switch || p->is_asked || p->turns)
		return 0;
	return FC_PLAN_SWITCH | (p->loops ? 0 : FC_PLAN_COUNT);
}

enum fca_undo fc_undo_of(const struct fc_planned *p)
{
	return fc_stub_row(p->kind)->undo;
}
