/* SPDX-License-Identifier: Apache-2.0 */
/* stubs.c - of a plan the bytes that are written: a pool of stubs, and the patches that lead to them. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "arch/stub_row.h"
#include "base/bisect.h"
#include "base/memory.h"
#include "base/sort.h"
#include "capture/agent/abi.h"
#include "capture/patch/known/rule.h"
#include "capture/patch/plan_private.h"
#include "capture/patch/probe_sites.h"
#include "capture/patch/stub_kind.h"

enum {
	STUB_ALIGN = 8,
	MAX_STUB = 4096, /* far more than any needs */
	PART = 1 << 20,	 /* of a pool that is written as it is made */
};

static size_t aligned(size_t size)
{
	return (size + STUB_ALIGN - 1) & ~(size_t)(STUB_ALIGN - 1);
}

static size_t values_size(const struct fc_plan *plan, const struct fc_fetched *fetched)
{
	return (fetched->values ? plan->arch->stub->values_size(fetched->values, false) : 0) +
	       (fetched->result ? plan->arch->stub->values_size(fetched->result, true) : 0);
}

size_t fc_plan_pool_size(const struct fc_plan *plan, enum fc_counting counting,
			 const struct fc_fetched *fetched)
{
	size_t size = 0, nr_patches = 0;
	for (size_t i = 0; i < plan->nr; i++) {
		const struct fc_planned *p = &plan->planned[i];
		if (!p->is_hooked)
			continue;
		size += aligned(plan->arch->stub->stub_size(fc_stub_kind_of(p, counting),
							    &p->site.window,
							    counting == FC_COUNT_SWITCHED) +
				(fetched ? values_size(plan, &fetched[i]) : 0));
		nr_patches += fc_site_ops[p->site.kind]->nr_patches +
			      fc_plan_is_probe(plan, i); /* its semaphore */
	}
	return size ? FCA_POOL_HEAD + size + nr_patches * sizeof(struct fca_patch) : 0;
}

static void undo_not_before(const struct fc_stubs *stubs, size_t i, enum fca_undo undo);

/* What function i's jump leads over must stay as long as it does. */
static void keep_under(const struct fc_stubs *stubs, size_t i)
{
	const struct fc_plan *plan = stubs->plan;
	const struct fc_planned *p = &plan->planned[i];
	const struct fc_planned *lender = fc_plan_lender(plan, p);
	if (lender && lender != p && lender->is_hooked)
		undo_not_before(stubs, lender - plan->planned, stubs->undo[i]);
	if (p->site.kind != FC_SITE_PUN)
		return;
	for (size_t k = i + 1; k < plan->nr; k++) {
		if (plan->planned[k].site.window.vaddr >=
		    p->site.window.vaddr + plan->arch->jumps->far_size)
			break;
		if (plan->planned[k].is_hooked)
			undo_not_before(stubs, k, stubs->undo[i]);
	}
}

static void undo_not_before(const struct fc_stubs *stubs, size_t i, enum fca_undo undo)
{
	if (stubs->undo[i] >= undo)
		return;
	stubs->undo[i] = undo;
	keep_under(stubs, i);
}

static void add_patches(struct fc_stubs *stubs, size_t i)
{
	const struct fc_planned *p = &stubs->plan->planned[i];
	size_t entry = stubs->plan->arch->stub->entry_off(fc_stubs_kind(stubs, p));
	fc_site_ops[p->site.kind]->add_patches(stubs, i,
					       stubs->opts.pool_taddr + stubs->offs[i] + entry);
}

/* They are when no jump has a hop: then there is nothing to sort. */
static bool is_ascending(const struct fc_stubs *stubs)
{
	for (size_t i = 1; i < stubs->nr_patches; i++)
		if (stubs->patches[i - 1].taddr > stubs->patches[i].taddr)
			return false;
	return true;
}

static uint8_t watch_of(const struct fc_stubs *stubs, size_t i)
{
	const struct fc_planned *p = &stubs->plan->planned[i];
	if (p->turns)
		return p->turns == FCA_SWITCH_ON && p->is_asked ? FCA_SWITCH_ON_GATE : p->turns;
	return stubs->opts.watches ? stubs->opts.watches[i] : 0;
}

static struct fc_stub stub_of(const struct fc_stubs *stubs, size_t i, size_t off)
{
	const struct fc_plan *plan = stubs->plan;
	const struct fc_planned *p = &plan->planned[i];
	const struct fc_planned_probe *probe = fc_plan_probe(plan, i);
	uint32_t func = plan->infos[i].id;
	return (struct fc_stub){
		.kind = fc_stubs_kind(stubs, p),
		.func = func,
		.can_count = stubs->opts.counting == FC_COUNT_SWITCHED &&
			     func < stubs->opts.nr_counters && !p->loops,
		.code = fc_elf_bytes(plan->elf, p->site.window.vaddr, p->site.window.size),
		.window = p->site.window,
		/* One that turns recording on is heeded while it is off. */
		.is_gate = p->is_asked || p->turns == FCA_SWITCH_ON,
		.loops = p->loops,
		.watch = watch_of(stubs, i),
		.values = stubs->opts.fetched ? stubs->opts.fetched[i].values : NULL,
		.result = stubs->opts.fetched ? stubs->opts.fetched[i].result : NULL,
		.operands = probe ? probe->operand : NULL,
		.nr_operands = probe ? probe->nr_operands : 0,
		.bias = stubs->opts.bias,
		.taddr = stubs->opts.pool_taddr + off,
		.pool_taddr = stubs->opts.pool_taddr,
	};
}

/* Does an address that is busy lie within the window, behind its start? */
static bool in_use(const struct fc_window *window, uint64_t bias, const uint64_t *busy,
		   size_t nr)
{
	uint64_t from = window->vaddr + bias + 1, to = from + window->size - 1;
	size_t lo = fc_bisect(busy, nr, address, *address < from);
	return lo < nr && busy[lo] < to;
}

static bool has_busy(const struct fc_stubs *stubs, const struct fc_window *window)
{
	const struct fc_stubs_opts *opts = &stubs->opts;
	return in_use(window, opts->bias, opts->busy, opts->nr_busy);
}

/*
 * It comes upon return addresses that others have replaced: an unwinder, who copies frames, and swapcontext, which
 * a hooked function may leave to by a jump: it would keep the stub's address for its return.
 */
static bool must_be_hooked(const struct fc_planned *p, const char *name)
{
	const struct fc_rule *rule =
		p->kind == FC_STUB_ENTRY_ONLY && name ? fc_rule_find(name) : NULL;
	return fc_stub_row(p->kind)->meets_stubs || (rule && rule->kind == FC_RULE_CONTEXT);
}

const char *fc_plan_busy_unwinder(const struct fc_plan *plan, uint64_t bias,
				  const uint64_t *busy, size_t nr)
{
	for (size_t i = 0; i < plan->nr; i++) {
		const struct fc_planned *p = &plan->planned[i];
		const char *name = plan->infos[i].name;
		if (p->is_hooked && must_be_hooked(p, name) &&
		    in_use(&p->site.window, bias, busy, nr))
			return name ? name : "an unwinder";
	}
	return NULL;
}

/* Are the bytes of the other's hop among those that move with the lender's window? */
static bool lends(const struct fc_planned *lender, const struct fc_planned *other)
{
	const struct fc_window *window = &lender->site.window;
	return fc_site_hop(&other->site) - window->vaddr < window->size;
}

/* Neither it nor the neighbour that lends it bytes may be in use. */
static bool is_busy(const struct fc_stubs *stubs, size_t i)
{
	const struct fc_planned *p = &stubs->plan->planned[i];
	if (has_busy(stubs, &p->site.window))
		return true;
	const struct fc_planned *lender = fc_plan_lender(stubs->plan, p);
	if (!lender || !lends(lender, p))
		return false;
	return !stubs->offs[lender - stubs->plan->planned] ||
	       has_busy(stubs, &lender->site.window);
}

/* Do a pun's last bytes lie here? These say where it leads as soon as it is written. */
static bool is_under_pun(const struct fc_plan *plan, size_t i)
{
	enum { FARTHEST = 16 }; /* endbr64 and a jump, no more */
	uint64_t vaddr = plan->planned[i].site.window.vaddr;
	for (size_t k = i; k--;) {
		const struct fc_planned *p = &plan->planned[k];
		if (plan->infos[k].vaddr + FARTHEST <= vaddr)
			return false;
		if (p->is_hooked && p->site.kind == FC_SITE_PUN &&
		    p->site.window.vaddr + plan->arch->jumps->far_size > vaddr)
			return true;
	}
	return false;
}

/* Can its jump be written while the program runs, when nothing is in its way any more? */
static bool may_wait(const struct fc_stubs *stubs, size_t i)
{
	const struct fc_plan *plan = stubs->plan;
	const struct fc_planned *p = &plan->planned[i];
	const struct fc_planned *lender = fc_plan_lender(plan, p);
	if (!plan->infos[i].id || p->kind != FC_STUB_CALL || p->site.kind == FC_SITE_PUN ||
	    stubs->undo[i] != FCA_UNDO_FIRST || is_under_pun(plan, i))
		return false;
	if (!lender || lender == p || !lends(lender, p))
		return true;
	size_t k = lender - plan->planned;
	return stubs->offs[k] && (!has_busy(stubs, &lender->site.window) || may_wait(stubs, k));
}

static void note_busy(struct fc_stubs *stubs, size_t i)
{
	if (may_wait(stubs, i)) {
		stubs->late[stubs->nr_late++] = i;
		add_patches(stubs, i);
	} else {
		stubs->busy[stubs->nr_busy++] = i;
	}
}

static size_t nr_puns(const struct fc_plan *plan)
{
	size_t nr = 0;
	for (size_t i = 0; i < plan->nr; i++)
		nr += plan->planned[i].site.kind == FC_SITE_PUN && plan->planned[i].is_hooked;
	return nr;
}

/* What of the pool is ready goes where the pool will be. */
static int flush(struct fc_stubs *stubs, size_t used)
{
	const struct fc_stubs_opts *opts = &stubs->opts;
	int ret = opts->write(opts->ctx, stubs->pool_off, stubs->pool, used - stubs->pool_off);
	stubs->pool_off = used;
	return ret;
}

/* Room for one more stub behind the used bytes: all of it is there, or a part at a time. */
static int reserve(struct fc_stubs *stubs, size_t used)
{
	if (!stubs->opts.write || used - stubs->pool_off + MAX_STUB <= PART)
		return 0;
	int ret = flush(stubs, used);
	memset(stubs->pool, 0, PART);
	return ret;
}

static void put_doors(const struct fc_stubs_opts *opts, uint8_t *pool)
{
	for (size_t i = 0; i < sizeof(opts->doors) / sizeof(opts->doors[0]); i++)
		if (i != FCA_POOL_LEDGER)
			memcpy(pool + 8 * i, &opts->doors[i], 8);
}

/* Returns as opts.write(). */
static int put_stubs(struct fc_stubs *stubs)
{
	const struct fc_plan *plan = stubs->plan;
	size_t used = FCA_POOL_HEAD;
	for (size_t i = 0; i < plan->nr; i++) {
		if (!plan->planned[i].is_hooked)
			continue;
		struct fc_stub stub = stub_of(stubs, i, used);
		if (stub.kind == FC_STUB_COUNT && stub.func >= stubs->opts.nr_counters) {
			stubs->nr_uncounted++;
			continue;
		}
		int ret = reserve(stubs, used);
		if (ret)
			return ret;
		size_t size = plan->arch->stub->emit_stub(&stub,
							  stubs->pool + used - stubs->pool_off);
		if (!size) {
			stubs->nr_far++;
			continue;
		}
		stubs->offs[i] = used;
		used += aligned(size);
	}
	stubs->code_size = used;
	return stubs->opts.write ? flush(stubs, used) : 0;
}

int fc_plan_build(const struct fc_plan *plan, const struct fc_stubs_opts *opts,
		  struct fc_stubs *ret)
{
	size_t room = fc_plan_pool_size(plan, opts->counting, opts->fetched);
	*ret = (struct fc_stubs){ .plan = plan, .opts = *opts, .room = room };
	ret->pool = fc_alloc(opts->write ? PART : room ? room : 1);
	ret->offs = fc_alloc(plan->nr * sizeof(*ret->offs));
	ret->patches = fc_alloc(2 * plan->nr * sizeof(*ret->patches));
	ret->puns = fc_alloc(nr_puns(plan) * sizeof(*ret->puns));
	ret->undo = fc_alloc(plan->nr * sizeof(*ret->undo));
	ret->late = fc_alloc(opts->nr_busy ? plan->nr * sizeof(*ret->late) : 1);
	ret->busy = fc_alloc(opts->nr_busy ? plan->nr * sizeof(*ret->busy) : 1);
	if (!room)
		return 0;
	put_doors(opts, ret->pool);
	int err = put_stubs(ret);
	if (err)
		return err;
	if (opts->write) {
		free(ret->pool);
		ret->pool = NULL;
	}
	for (size_t i = 0; i < plan->nr; i++)
		if (ret->offs[i])
			undo_not_before(ret, i, fc_undo_of(&plan->planned[i]));
	for (size_t i = 0; i < plan->nr; i++) {
		if (!ret->offs[i])
			continue;
		if (is_busy(ret, i))
			note_busy(ret, i);
		else
			add_patches(ret, i);
	}
	if (!is_ascending(ret))
		fc_sort_by(ret->patches, ret->nr_patches, taddr);
	return 0;
}

void fc_stubs_add_ledger(struct fc_stubs *stubs, const struct fca_pool *pages, size_t nr_pages)
{
	fc_stubs_add_semaphores(stubs);
	size_t nr = stubs->nr_patches + nr_pages;
	struct fca_patch *entry = stubs->ledger = fc_alloc((nr + 1) * sizeof(*entry));
	stubs->nr_ledger = nr;
	stubs->ledger_off = stubs->room - nr * sizeof(*entry);
	for (size_t i = 0; i < stubs->nr_patches; i++, entry++) {
		const struct fc_patch *patch = &stubs->patches[i];
		*entry = (struct fca_patch){
			.taddr = patch->taddr,
			.size = patch->size,
			.order = patch->order,
			.undo = patch->undo,
			.kind = patch->kind,
			.from = patch->from,
			.window = patch->window,
			.stub = patch->stub,
		};
		assert(entry->window == patch->window && entry->size == patch->size);
		memcpy(entry->old, patch->old, patch->size);
		memcpy(entry->new, patch->new, patch->size);
	}
	for (size_t i = 0; i < nr_pages; i++, entry++) {
		*entry = (struct fca_patch){
			.taddr = pages[i].lo,
			.stub = (uint32_t)((pages[i].hi - pages[i].lo) / FCA_PAGE),
		};
	}
}

void fc_stubs_ledger_head(const struct fc_stubs *stubs, uint32_t ret[2])
{
	ret[0] = (uint32_t)stubs->ledger_off;
	ret[1] = (uint32_t)stubs->nr_ledger;
}

void fc_stubs_deinit(struct fc_stubs *stubs)
{
	free(stubs->pool);
	free(stubs->late);
	free(stubs->busy);
	free(stubs->ledger);
	free(stubs->offs);
	free(stubs->patches);
	free(stubs->puns);
	free(stubs->undo);
	*stubs = (struct fc_stubs){ 0 };
}

/* Where the instruction at taddr went with function i's window. */
static uint64_t moved_with(const struct fc_stubs *stubs, size_t i, uint64_t taddr)
{
	if (!stubs->offs[i])
		return 0;
	struct fc_stub stub = stub_of(stubs, i, stubs->offs[i]);
	struct fc_move moves[FC_MAX_MOVES];
	uint64_t from = taddr - (stub.window.vaddr + stub.bias);
	if (!from || from > stub.window.size)
		return 0;
	size_t nr = stubs->plan->arch->stub->moves(&stub, moves);
	for (size_t k = 0; k < nr; k++)
		if (moves[k].from == from)
			return stub.taddr + moves[k].to;
	return 0;
}

uint64_t fc_stubs_moved_to(const struct fc_stubs *stubs, uint64_t taddr)
{
	const struct fc_plan *plan = stubs->plan;
	const struct fc_planned *p = fc_plan_at(plan, taddr - stubs->opts.bias);
	uint64_t ret = p ? moved_with(stubs, p - plan->planned, taddr) : 0;
	/* The end of a window may be the start of the next function. */
	if (ret || !p)
		return ret;
	size_t i = p - plan->planned, previous = fc_plan_previous(plan, i);
	return previous < i ? moved_with(stubs, previous, taddr) : 0;
}
