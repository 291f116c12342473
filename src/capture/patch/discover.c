/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that neither a symbol nor unwind information tells of, in files that were stripped
 * and have little of the latter.
 *
 *   known     gap                              known
 *   [f    ]   ret  nop nop  push ...  ret  nop  [g      ]
 *                           ^ here calls lead, and pointers
 *
 * Code in gaps is decoded in a row. A call's target is taken for a function if the call is an
 * instruction, its target is one too, and nothing falls through to it: a ret, a jump or filler
 * is before it. Of words in the data that would fit as addresses more is asked, for they may lead
 * to the cases of a switch: it must begin as functions do.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "base/vec.h"
#include "capture/patch/hits.h"
#include "capture/patch/sweep.h"

enum { MIN_GAP = 32, MIN_GAPS = 4096, LONGEST = 16 };

struct discovery {
	struct fc_plan *plan;
	struct fc_targets gaps;	 /* in the range that is looked at */
	struct fc_swept swept;	 /* what is in them */
	struct fc_targets found; /* a function begins */
	uint64_t func_end, at;	 /* decoding goes on here, in a known function */
};

/* Calls fn for each gap of a range; returns the bytes of all. */
static uint64_t each_gap(struct discovery *d, const struct fc_code_range *range,
			 void (*fn)(struct discovery *d, uint64_t from, uint64_t to))
{
	const struct fc_plan *plan = d->plan;
	uint64_t from = range->vaddr, end = range->vaddr + range->size, sum = 0;
	for (size_t i = 0; i <= plan->nr && from < end; i++) {
		const struct fc_func *func = &plan->funcs[i];
		if (i < plan->nr && func->vaddr + func->size <= from)
			continue;
		uint64_t to = i < plan->nr && func->vaddr < end ? func->vaddr : end;
		if (to > from && to - from >= MIN_GAP && !fc_elf_is_linkage(plan->elf, from)) {
			sum += to - from;
			if (fn)
				fn(d, from, to);
		}
		if (i < plan->nr && func->vaddr + func->size > from)
			from = func->vaddr + func->size;
	}
	return sum;
}

static void set_all(struct fc_targets *targets, uint64_t from, uint64_t to)
{
	uint64_t off = from - targets->vaddr, end = to - targets->vaddr;
	for (; off < end && off % 64; off++)
		targets->bits[off / 64] |= 1ull << off % 64;
	for (; off + 64 <= end; off += 64)
		targets->bits[off / 64] = UINT64_MAX;
	for (; off < end; off++)
		targets->bits[off / 64] |= 1ull << off % 64;
}

static void sweep_gap(struct discovery *d, uint64_t from, uint64_t to)
{
	const uint8_t *code = fc_elf_bytes(d->plan->elf, from, to - from);
	if (!code)
		return;
	fc_sweep(d->plan->arch, code, from, to, FC_SWEEP_PIECE, d->plan->opts.progress,
		 &d->swept);
	set_all(&d->gaps, from, to);
}

/* Are the bytes at vaddr, which may be within a known function, an instruction? */
static bool is_insn(struct discovery *d, uint64_t vaddr)
{
	const struct fc_plan *plan = d->plan;
	if (fc_targets_has(&d->gaps, vaddr))
		return fc_targets_has(&d->swept.insns, vaddr);
	if (vaddr < d->at || vaddr >= d->func_end) {
		const struct fc_func *func = fc_plan_func_at(plan, vaddr);
		if (!func || vaddr >= func->vaddr + func->size)
			return false;
		d->at = func->vaddr;
		d->func_end = func->vaddr + func->size;
	}
	while (d->at < vaddr) {
		uint64_t left = d->func_end - d->at;
		const uint8_t *code =
			fc_elf_bytes(plan->elf, d->at, left < LONGEST ? left : LONGEST);
		size_t len = 1;
		if (code)
			plan->arch->code->insn_kind(code, left < LONGEST ? left : LONGEST, &len,
						    NULL);
		d->at += len;
	}
	return d->at == vaddr;
}

/* The bytes at vaddr, at most those of one instruction. NULL: there is no code. */
static const uint8_t *code_at(const struct fc_plan *plan, uint64_t vaddr, size_t *room)
{
	uint64_t end = fc_plan_range_end(plan, vaddr);
	*room = end - vaddr < LONGEST ? end - vaddr : LONGEST;
	return end ? fc_elf_bytes(plan->elf, vaddr, *room) : NULL;
}

/* Does what begins here go on as code does? */
static bool is_code(const struct discovery *d, uint64_t vaddr)
{
	enum { NR_INSNS = 16 };
	const struct fc_plan *plan = d->plan;
	for (int i = 0; i < NR_INSNS; i++) {
		size_t room, len = 0;
		const uint8_t *code = code_at(plan, vaddr, &room);
		enum fc_insn_kind kind =
			code ? plan->arch->code->insn_kind(code, room, &len, NULL)
			     : FC_INSN_NONE;
		if (kind == FC_INSN_NONE)
			return false;
		if (kind == FC_INSN_END)
			return true;
		vaddr += len;
	}
	return true;
}

static bool is_call(const void *ctx, const struct fc_branch *branch)
{
	(void)ctx;
	return branch->kind == FC_BRANCH_CALL;
}

static void note_call(struct discovery *d, const struct fc_branch *call)
{
	if (!fc_targets_has(&d->found, call->to) && is_insn(d, call->from) &&
	    is_code(d, call->to))
		fc_targets_add(&d->found, call->to);
}

static bool is_in_range(const struct discovery *d, uint64_t vaddr)
{
	return vaddr - d->swept.fresh.vaddr < d->swept.fresh.size;
}

static bool may_be_function(const struct discovery *d, uint64_t vaddr)
{
	const struct fc_func *known = fc_plan_func_at(d->plan, vaddr);
	if (known && known->vaddr == vaddr)
		return true;
	if (!fc_targets_has(&d->swept.fresh, vaddr) || !is_code(d, vaddr))
		return false;
	size_t room;
	const uint8_t *code = code_at(d->plan, vaddr, &room);
	return code && d->plan->arch->code->starts_function(code, room);
}

static uint64_t word_at(const uint8_t *data, size_t i)
{
	uint64_t word;
	memcpy(&word, data + 8 * i, sizeof(word));
	return word;
}

static bool has_table(const struct discovery *d, uint64_t from, uint64_t to)
{
	fc_vec_each (&d->swept.tables, table)
		if (*table >= from && *table < to)
			return true;
	return false;
}

/* Addresses side by side are of one kind: if one is no function, this is a switch's table. */
static void note_words(struct discovery *d, uint64_t vaddr, const uint8_t *data, size_t first,
		       size_t end)
{
	if (first < end && has_table(d, vaddr + 8 * first, vaddr + 8 * end))
		return;
	for (size_t i = first; i < end; i++)
		if (!may_be_function(d, word_at(data, i)))
			return;
	for (size_t i = first; i < end; i++)
		if (fc_targets_has(&d->swept.fresh, word_at(data, i)))
			fc_targets_add(&d->found, word_at(data, i));
}

/* Data is mapped where it is aligned as in the file: pointers, and those that ld.so is to add. */
static void scan_data(struct discovery *d)
{
	const struct fc_elf *elf = d->plan->elf;
	for (size_t i = 0; i < elf->nr_segments; i++) {
		const struct fc_segment *seg = &elf->segments[i];
		uint64_t skip = -seg->vaddr & 7;
		if (seg->is_exec || seg->filesz < skip)
			continue;
		size_t nr = (seg->filesz - skip) / 8;
		const uint8_t *data = fc_elf_bytes(elf, seg->vaddr + skip, 8 * nr);
		for (size_t k = 0; data && k < nr; k++) {
			size_t first = k;
			while (k < nr && is_in_range(d, word_at(data, k)))
				k++;
			note_words(d, seg->vaddr + skip, data, first, k);
		}
	}
}

static void scan_calls(struct discovery *d)
{
	struct fc_hits hits = { 0 };
	fc_scan(d->plan, &d->swept.fresh, is_call, NULL, &hits);
	d->at = d->func_end = 0;
	for (size_t i = 0; i < hits.list.nr && !fc_plan_is_given_up(d->plan, i); i++)
		note_call(d, &hits.list.at[i]);
	fc_vec_free(&hits.list);
}

/* FC_VEC of what is found in one range, ascending. */
struct finds {
	FC_VEC(struct fc_func) list;
};

/* Few bits are set: 64 addresses at a time are looked at. */
static void take_found(const struct discovery *d, struct finds *finds)
{
	for (size_t i = 0; i <= d->found.size / 64; i++) {
		for (uint64_t bits = d->found.bits[i]; bits; bits &= bits - 1) {
			uint64_t vaddr = d->found.vaddr + 64 * i + __builtin_ctzll(bits);
			struct fc_func func = { .vaddr = vaddr, .flags = FC_FUNC_FOUND };
			const struct fc_func *known = fc_plan_func_at(d->plan, vaddr);
			if (!known || known->vaddr != vaddr)
				fc_vec_push(&finds->list, func);
		}
	}
}

static void search_range(struct fc_plan *plan, const struct fc_code_range *range,
			 struct finds *finds)
{
	struct discovery d = { .plan = plan };
	uint64_t gaps = each_gap(&d, range, NULL);
	if (gaps < MIN_GAPS)
		return;
	fc_progress_add(plan->opts.progress, plan->elf->path,
			gaps * FC_SWEEP_COST + fc_scan_cost(plan));
	d.gaps = fc_targets_make(range->vaddr, range->size);
	d.swept.insns = fc_targets_make(range->vaddr, range->size);
	d.swept.fresh = fc_targets_make(range->vaddr, range->size);
	d.found = fc_targets_make(range->vaddr, range->size);
	each_gap(&d, range, sweep_gap);
	plan->nr_elsewhere += d.swept.nr_elsewhere;
	scan_calls(&d);
	scan_data(&d);
	take_found(&d, finds);
	fc_vec_free(&d.swept.tables);
	free(d.gaps.bits);
	free(d.swept.insns.bits);
	free(d.swept.fresh.bits);
	free(d.found.bits);
}

static void add_funcs(struct fc_plan *plan, const struct fc_func *funcs, size_t nr)
{
	plan->funcs = fc_realloc(plan->funcs, (plan->nr + nr + 1) * sizeof(*funcs));
	memcpy(plan->funcs + plan->nr, funcs, nr * sizeof(*funcs));
	plan->nr += nr;
	fc_sort_by(plan->funcs, plan->nr, vaddr);
}

/* What the C library's start-up code calls as main has that name. */
static void name_main(struct fc_plan *plan)
{
	enum { START_SIZE = 48 };
	const struct fc_elf *elf = plan->elf;
	const uint8_t *code = fc_elf_bytes(elf, elf->entry, START_SIZE);
	uint64_t vaddr = code ? plan->arch->code->main_of(code, START_SIZE, elf->entry) : 0;
	struct fc_func *func = vaddr ? fc_plan_func_at(plan, vaddr) : NULL;
	if (!vaddr || !fc_plan_range_end(plan, vaddr))
		return;
	if (func && func->vaddr == vaddr && !func->name)
		func->name = "main";
	else if (!func || vaddr >= func->vaddr + (func->size ? func->size : 1))
		add_funcs(plan, &(struct fc_func){ vaddr, 0, "main", FC_FUNC_FOUND }, 1);
}

void fc_plan_find_funcs(struct fc_plan *plan)
{
	const struct fc_elf *elf = plan->elf;
	struct finds finds = { 0 };
	plan->nr = elf->nr_funcs;
	plan->funcs = fc_alloc((plan->nr + 1) * sizeof(*plan->funcs));
	if (plan->nr)
		memcpy(plan->funcs, elf->funcs, plan->nr * sizeof(*plan->funcs));
	if (elf->type == ET_EXEC || elf->interp)
		name_main(plan);
	/* Go's functions move their stacks and start themselves anew: no part of this. */
	if (plan->opts.control_only || plan->opts.exported_only ||
	    fc_elf_has_section(elf, ".gopclntab"))
		return;
	for (size_t i = 0; i < plan->nr_ranges; i++)
		search_range(plan, &plan->ranges[i], &finds);
	if (finds.list.nr)
		add_funcs(plan, finds.list.at, finds.list.nr);
	fc_vec_free(&finds.list);
}
