/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/memory.h"
#include "capture/agent/abi.h"
#include "capture/patch/plan_private.h"

enum {
	STUB_ALIGN = 8,
	MAX_STUB = 4096, /* far more than any needs */
	PART = 1 << 20,	 /* of a pool that is written as it is made */
};

static size_t aligned(size_t size)
{
	return (size + STUB_ALIGN - 1) & ~(size_t)(STUB_ALIGN - 1);
}

/*
 * The kind of a planned stub, when calls are only counted. Control goes on. Where a function
 * jumps to its own start only a shadow stack tells a round from a call: it is recorded, or
 * when calls are counted by caller, its stub leaves all to the agent.
 */
static enum fc_stub_kind kind_of(const struct fc_planned *p, enum fc_counting counting)
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

size_t fc_plan_pool_size(const struct fc_plan *plan, enum fc_counting counting)
{
	size_t size = 0, nr_patches = 0;
	for (size_t i = 0; i < plan->nr; i++) {
		const struct fc_planned *p = &plan->planned[i];
		if (!p->is_hooked)
			continue;
		size += aligned(plan->arch->stub_size(kind_of(p, counting), &p->window,
						      counting == FC_COUNT_SWITCHED));
		nr_patches += p->hop || p->is_pun ? 2 : 1; /* a pun may need pages */
	}
	return size ? FCA_POOL_HEAD + size + nr_patches * sizeof(struct fca_patch) : 0;
}

/* No default: the compiler tells who adds a kind. */
static enum fca_undo undo_of(const struct fc_planned *p)
{
	switch ((enum fc_stub_kind)p->kind) {
	case FC_STUB_UNWIND:
	case FC_STUB_RAISE:
	case FC_STUB_FORCE:
		return FCA_UNDO_LAST;
	case FC_STUB_ENTRY_ONLY:
	case FC_STUB_FILTER:
	case FC_STUB_TRACE:
	case FC_STUB_LEND:
	case FC_STUB_RIGHTS:
	case FC_STUB_WRITE:
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

static void undo_not_before(const struct fc_stubs *stubs, size_t i, enum fca_undo undo);

/* What function i's jump leads over must stay as long as it does. */
static void keep_under(const struct fc_stubs *stubs, size_t i)
{
	const struct fc_plan *plan = stubs->plan;
	const struct fc_planned *p = &plan->planned[i];
	const struct fc_planned *lender = p->hop ? fc_plan_at(plan, p->hop) : NULL;
	if (lender && lender != p && lender->is_hooked)
		undo_not_before(stubs, lender - plan->planned, stubs->undo[i]);
	if (!p->is_pun)
		return;
	for (size_t k = i + 1; k < plan->nr; k++) {
		if (plan->planned[k].window.vaddr >= p->window.vaddr + plan->arch->far_size)
			break;
		if (plan->planned[k].is_hooked)
			undo_not_before(stubs, k, stubs->undo[i]);
	}
}

static bool is_entry_only(const struct fc_stubs *stubs, const struct fc_planned *p)
{
	enum fc_counting counting = stubs->opts.counting;
	return stubs->opts.is_entry_only && p->kind == FC_STUB_CALL &&
	       (counting == FC_COUNT_NEVER || counting == FC_COUNT_SWITCHED);
}

static void undo_not_before(const struct fc_stubs *stubs, size_t i, enum fca_undo undo)
{
	if (stubs->undo[i] >= undo)
		return;
	stubs->undo[i] = undo;
	keep_under(stubs, i);
}

/* Of the stub that is written for it. */
static enum fc_stub_kind stub_kind(const struct fc_stubs *stubs, const struct fc_planned *p)
{
	return is_entry_only(stubs, p) ? FC_STUB_ENTRY_ONLY : kind_of(p, stubs->opts.counting);
}

static struct fc_patch *add_patch(struct fc_stubs *stubs, size_t i, uint64_t vaddr,
				  uint8_t size, enum fc_patch_order order)
{
	const struct fc_planned *p = &stubs->plan->planned[i];
	struct fc_patch *patch = &stubs->patches[stubs->nr_patches++];
	patch->taddr = vaddr + stubs->opts.bias;
	patch->size = size;
	patch->order = order;
	patch->undo = stubs->undo[i];
	patch->kind = stub_kind(stubs, p);
	patch->window = stubs->plan->planned[i].window.size;
	patch->stub = stubs->offs[i];
	memcpy(patch->old, fc_elf_bytes(stubs->plan->elf, vaddr, size), size);
	return patch;
}

/* window: jmp stub, or window: jmp hop, hop: jmp stub */
static void add_jumps(struct fc_stubs *stubs, size_t i, uint64_t stub_taddr)
{
	const struct fc_arch *arch = stubs->plan->arch;
	const struct fc_planned *p = &stubs->plan->planned[i];
	struct fc_patch *patch = add_patch(stubs, i, p->window.vaddr, p->window.jump_size,
					   p->hop ? FC_PATCH_NEAR : FC_PATCH_JUMP);
	if (p->hop) {
		arch->make_near_jump(patch->taddr, p->hop + stubs->opts.bias, patch->new);
		patch = add_patch(stubs, i, p->hop, arch->far_size, FC_PATCH_HOP);
		patch->from = (int16_t)(p->window.vaddr - p->hop);
		patch->window = 0;
	}
	arch->make_jump(patch->taddr, stub_taddr, patch->new);
}

static void add_pun(struct fc_stubs *stubs, size_t i, uint64_t stub_taddr)
{
	stubs->puns[stubs->nr_puns++] = (struct fc_pun){
		.taddr = stubs->plan->planned[i].window.vaddr + stubs->opts.bias,
		.stub_taddr = stub_taddr,
		.func = i,
	};
}

static int by_taddr(const void *a, const void *b)
{
	const struct fc_patch *left = a, *right = b;
	return left->taddr < right->taddr ? -1 : left->taddr > right->taddr;
}

/* They are when no jump has a hop: then there is nothing to sort. */
static bool is_ascending(const struct fc_stubs *stubs)
{
	for (size_t i = 1; i < stubs->nr_patches; i++)
		if (stubs->patches[i - 1].taddr > stubs->patches[i].taddr)
			return false;
	return true;
}

static struct fc_stub stub_of(const struct fc_stubs *stubs, size_t i, size_t off)
{
	const struct fc_plan *plan = stubs->plan;
	const struct fc_planned *p = &plan->planned[i];
	uint32_t func = plan->infos[i].id;
	return (struct fc_stub){
		.kind = stub_kind(stubs, p),
		.func = func,
		.can_count = stubs->opts.counting == FC_COUNT_SWITCHED &&
			     func < stubs->opts.nr_counters && !p->loops,
		.code = fc_elf_bytes(plan->elf, p->window.vaddr, p->window.size),
		.window = p->window,
		.is_gate = p->is_asked,
		.loops = p->loops,
		.watch = stubs->opts.watches ? stubs->opts.watches[i] : 0,
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

const char *fc_plan_busy_unwinder(const struct fc_plan *plan, uint64_t bias,
				  const uint64_t *busy, size_t nr)
{
	for (size_t i = 0; i < plan->nr; i++) {
		const struct fc_planned *p = &plan->planned[i];
		const char *name = plan->infos[i].name;
		if (p->is_hooked && fc_planned_is_unwinder(p) &&
		    in_use(&p->window, bias, busy, nr))
			return name ? name : "an unwinder";
	}
	return NULL;
}

/* Neither it nor the neighbour that lends it bytes may be in use. */
static bool is_busy(const struct fc_stubs *stubs, size_t i)
{
	const struct fc_planned *p = &stubs->plan->planned[i];
	if (has_busy(stubs, &p->window))
		return true;
	const struct fc_planned *lender = p->hop ? fc_plan_at(stubs->plan, p->hop) : NULL;
	if (!lender || p->hop - lender->window.vaddr >= lender->window.size)
		return false;
	return !stubs->offs[lender - stubs->plan->planned] || has_busy(stubs, &lender->window);
}

/* Do a pun's last bytes lie here? These say where it leads as soon as it is written. */
static bool is_under_pun(const struct fc_plan *plan, size_t i)
{
	enum { FARTHEST = 16 }; /* endbr64 and a jump, no more */
	uint64_t vaddr = plan->planned[i].window.vaddr;
	for (size_t k = i; k--;) {
		const struct fc_planned *p = &plan->planned[k];
		if (plan->infos[k].vaddr + FARTHEST <= vaddr)
			return false;
		if (p->is_hooked && p->is_pun && p->window.vaddr + plan->arch->far_size > vaddr)
			return true;
	}
	return false;
}

/* Can its jump be written while the program runs, when nothing is in its way any more? */
static bool may_wait(const struct fc_stubs *stubs, size_t i)
{
	const struct fc_plan *plan = stubs->plan;
	const struct fc_planned *p = &plan->planned[i];
	const struct fc_planned *lender = p->hop ? fc_plan_at(plan, p->hop) : NULL;
	if (!plan->infos[i].id || p->kind != FC_STUB_CALL || p->is_pun ||
	    stubs->undo[i] != FCA_UNDO_FIRST || is_under_pun(plan, i))
		return false;
	if (!lender || lender == p || p->hop - lender->window.vaddr >= lender->window.size)
		return true;
	size_t k = lender - plan->planned;
	return stubs->offs[k] && (!has_busy(stubs, &lender->window) || may_wait(stubs, k));
}

static void note_busy(struct fc_stubs *stubs, size_t i, uint64_t stub_taddr)
{
	if (may_wait(stubs, i)) {
		stubs->late[stubs->nr_late++] = i;
		add_jumps(stubs, i, stub_taddr);
	} else {
		stubs->busy[stubs->nr_busy++] = i;
	}
}

static size_t nr_puns(const struct fc_plan *plan)
{
	size_t nr = 0;
	for (size_t i = 0; i < plan->nr; i++)
		nr += plan->planned[i].is_pun && plan->planned[i].is_hooked;
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
		size_t size =
			plan->arch->emit_stub(&stub, stubs->pool + used - stubs->pool_off);
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
	size_t room = fc_plan_pool_size(plan, opts->counting);
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
			undo_not_before(ret, i, undo_of(&plan->planned[i]));
	for (size_t i = 0; i < plan->nr; i++) {
		if (!ret->offs[i])
			continue;
		uint64_t stub_taddr = opts->pool_taddr + ret->offs[i];
		if (is_busy(ret, i))
			note_busy(ret, i, stub_taddr);
		else if (plan->planned[i].is_pun)
			add_pun(ret, i, stub_taddr);
		else
			add_jumps(ret, i, stub_taddr);
	}
	if (!is_ascending(ret))
		qsort(ret->patches, ret->nr_patches, sizeof(*ret->patches), by_taddr);
	return 0;
}

void fc_stubs_add_ledger(struct fc_stubs *stubs, const struct fca_pool *pages, size_t nr_pages)
{
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

/* The first patch that ends behind taddr. */
static size_t find_patch(const struct fc_stubs *stubs, uint64_t taddr)
{
	size_t low = fc_bisect(stubs->patches, stubs->nr_patches, patch,
			       patch->taddr + patch->size <= taddr);
	return low;
}

/* The bytes that will be there when all patches are written. */
static void read_patched(const struct fc_stubs *stubs, uint64_t taddr, uint8_t *ret,
			 size_t size)
{
	memcpy(ret, fc_elf_bytes(stubs->plan->elf, taddr - stubs->opts.bias, size), size);
	for (size_t i = 0; i < size; i++) {
		size_t k = find_patch(stubs, taddr + i);
		const struct fc_patch *patch = &stubs->patches[k];
		if (k < stubs->nr_patches && patch->taddr <= taddr + i)
			ret[i] = patch->new[taddr + i - patch->taddr];
	}
}

void fc_stubs_pun_range(const struct fc_stubs *stubs, size_t i, uint64_t *first, uint64_t *last)
{
	const struct fc_plan *plan = stubs->plan;
	const struct fc_pun *pun = &stubs->puns[i];
	uint8_t code[sizeof(stubs->patches->new)];
	read_patched(stubs, pun->taddr, code, plan->arch->far_size);
	plan->arch->pun(pun->taddr, code, plan->planned[pun->func].window.jump_size, first,
			last);
}

size_t fc_stubs_place_pun(struct fc_stubs *stubs, size_t i, uint64_t hop_taddr,
			  uint8_t hop[FC_HOP_MAX])
{
	const struct fc_plan *plan = stubs->plan;
	struct fc_pun *pun = &stubs->puns[i];
	size_t at = find_patch(stubs, pun->taddr);
	struct fc_patch *last =
		add_patch(stubs, pun->func, pun->taddr - stubs->opts.bias,
			  plan->planned[pun->func].window.jump_size, FC_PATCH_PUN);
	plan->arch->make_jump(pun->taddr, hop_taddr, last->new);
	struct fc_patch patch = *last;
	memmove(&stubs->patches[at + 1], &stubs->patches[at],
		(stubs->nr_patches - 1 - at) * sizeof(patch));
	stubs->patches[at] = patch;
	pun->hop_taddr = hop_taddr;
	plan->arch->make_long_jump(pun->stub_taddr, hop);
	return plan->arch->long_size;
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
	size_t nr = stubs->plan->arch->moves(&stub, moves);
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
	return ret || !p || p == plan->planned
		       ? ret
		       : moved_with(stubs, p - plan->planned - 1, taddr);
}

/* The function whose stub is at off of the pool or last before it: offs ascend. */
static size_t owner_of(const struct fc_stubs *stubs, size_t off)
{
	size_t owner = stubs->plan->nr;
	for (size_t i = 0; i < stubs->plan->nr; i++)
		if (stubs->offs[i] && stubs->offs[i] <= off)
			owner = i;
	return owner;
}

uint64_t fc_stubs_moved_from(const struct fc_stubs *stubs, uint64_t taddr)
{
	for (size_t i = 0; i < stubs->nr_puns; i++)
		if (stubs->puns[i].hop_taddr == taddr && taddr)
			return stubs->puns[i].taddr;
	uint64_t off = taddr - stubs->opts.pool_taddr;
	size_t i = off < stubs->code_size ? owner_of(stubs, off) : stubs->plan->nr;
	if (i == stubs->plan->nr)
		return 0;
	struct fc_stub stub = stub_of(stubs, i, stubs->offs[i]);
	struct fc_move moves[FC_MAX_MOVES];
	size_t nr = stubs->plan->arch->moves(&stub, moves);
	for (size_t k = 0; k < nr; k++)
		if (stub.taddr + moves[k].to == taddr)
			return stub.window.vaddr + stub.bias + moves[k].from;
	return 0;
}
