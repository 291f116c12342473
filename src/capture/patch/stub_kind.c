/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/patch/stub_kind.h"

#include "capture/patch/plan_private.h"

enum fc_stub_kind fc_stub_kind_of(const struct fc_planned *p, enum fc_counting counting)
{
	enum fc_stub_kind counted = counting == FC_COUNT_ONLY	 ? FC_STUB_COUNT
				    : counting == FC_COUNT_EDGES ? FC_STUB_EDGE
								 : p->kind;
	switch (p->kind) {
	case FC_STUB_CALL:
		return p->loops ? p->kind : counted;
	case FC_STUB_ENTRY_ONLY:
	case FC_STUB_GO:
	case FC_STUB_JUMP:
	case FC_STUB_JUMP_LATER:
		return counted;
	default:
		return p->kind;
	}
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
	bool has_switch = p->kind == FC_STUB_CALL || p->kind == FC_STUB_ENTRY_ONLY ||
			  p->kind == FC_STUB_GO;
	/* A gate turns others on and off. */
	if (!p->is_hooked || !has_switch || p->is_asked)
		return 0;
	return FC_PLAN_SWITCH | (p->loops ? 0 : FC_PLAN_COUNT);
}

/* No default: the compiler tells who adds a kind. */
enum fca_undo fc_undo_of(const struct fc_planned *p)
{
	switch ((enum fc_stub_kind)p->kind) {
	case FC_STUB_UNWIND:
	case FC_STUB_RAISE:
	case FC_STUB_FORCE:
	case FC_STUB_SLICE:
	case FC_STUB_COME:
		return FCA_UNDO_LAST;
	case FC_STUB_ENTRY_ONLY:
	case FC_STUB_FILTER:
	case FC_STUB_TRACE:
	case FC_STUB_LEND:
	case FC_STUB_RIGHTS:
	case FC_STUB_WRITE:
	case FC_STUB_LIMIT:
	case FC_STUB_LOCK:
	case FC_STUB_CALLER:
		return FCA_UNDO_LATE;
	case FC_STUB_CALL:
	case FC_STUB_JUMP:
	case FC_STUB_JUMP_LATER:
	case FC_STUB_DL:
	case FC_STUB_GO:
	case FC_STUB_COUNT:
	case FC_STUB_EDGE:
	case FC_STUB_NR_KINDS:
		break;
	}
	return FCA_UNDO_FIRST;
}
