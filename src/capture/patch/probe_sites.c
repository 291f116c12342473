/* SPDX-License-Identifier: Apache-2.0 */
/* probe_sites.c - finds out whether, and how, the jump to a stub fits where a static probe's nop is. */
#include "capture/patch/probe_sites.h"

#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/memory.h"
#include "base/sort.h"
#include "capture/patch/patches.h"
#include "capture/patch/plan_private.h"

enum { SEMAPHORE_SIZE = 2 };

static bool find_symbol(void *ctx, const char *name, uint64_t *ret)
{
	return !fc_elf_symbol(ctx, name, ret);
}

static uint8_t turns_of(const char *name)
{
	static const char on[] = "fctrace_on:", off[] = "fctrace_off:";
	return !strncmp(name, on, sizeof(on) - 1)     ? FCA_SWITCH_ON
	       : !strncmp(name, off, sizeof(off) - 1) ? FCA_SWITCH_OFF
						      : 0;
}

static struct fc_planned_probe read_probe(const struct fc_plan *plan,
					  const struct fc_probe *probe)
{
	struct fc_planned_probe ret = { .vaddr = probe->vaddr,
					.semaphore = probe->semaphore,
					.kinds = probe->kinds };
	ret.turns = turns_of(probe->name);
	struct fc_symbol_finder finder = { find_symbol, (void *)plan->elf };
	ret.nr_operands =
		(uint8_t)plan->arch->probe->operands(probe->args, &finder, ret.operand);
	return ret;
}

/* Of what is both, a function and a probe, it is the function that is hooked. */
static bool is_function(const struct fc_plan *plan, uint64_t vaddr)
{
	const struct fc_func *func = plan->nr ? fc_plan_func_at(plan, vaddr) : NULL;
	return func && func->vaddr == vaddr;
}

void fc_plan_add_probes(struct fc_plan *plan)
{
	size_t nr, nr_asked = 0;
	const struct fc_plan_opts *opts = &plan->opts;
	const struct fc_probe *probes =
		opts->asks_probe && plan->arch->probe ? fc_elf_probes(plan->elf, &nr) : NULL;
	if (!probes)
		return;
	plan->probes = fc_alloc((nr + 1) * sizeof(*plan->probes));
	plan->unplaced = fc_alloc((nr + 1) * sizeof(*plan->unplaced));
	plan->funcs = fc_realloc(plan->funcs, (plan->nr + nr + 1) * sizeof(*plan->funcs));
	for (size_t i = 0; i < nr; i++) {
		if (!opts->asks_probe(opts->ctx, plan->elf, probes[i].name))
			continue;
		if (!fc_plan_range_end(plan, probes[i].vaddr) ||
		    is_function(plan, probes[i].vaddr)) {
			plan->unplaced[plan->nr_unplaced++] = probes[i].name;
			continue;
		}
		plan->probes[plan->nr_probes++] = read_probe(plan, &probes[i]);
		plan->funcs[plan->nr + nr_asked++] =
			(struct fc_func){ probes[i].vaddr, 0, probes[i].name, FC_FUNC_PROBE };
	}
	plan->nr += nr_asked;
	fc_sort_by(plan->funcs, plan->nr, vaddr);
}

static const uint8_t *code_at(const struct fc_plan *plan, uint64_t vaddr, size_t *room)
{
	enum { LONGEST = 16 };
	uint64_t end = fc_plan_range_end(plan, vaddr);
	*room = end ? end - vaddr : 0;
	if (*room > LONGEST)
		*room = LONGEST;
	return *room ? fc_elf_bytes(plan->elf, vaddr, *room) : NULL;
}

uint8_t fc_plan_nop_size(const struct fc_plan *plan, size_t i)
{
	size_t room;
	const uint8_t *code = code_at(plan, plan->infos[i].vaddr, &room);
	return code ? (uint8_t)plan->arch->probe->nop_size(code, room) : 0;
}

/* The function that probe i is in, if its size tells that it is. NULL: that is not known. */
static const struct fc_func *home_of(const struct fc_plan *plan, size_t i)
{
	uint64_t vaddr = plan->funcs[i].vaddr;
	while (i && plan->funcs[i].flags & FC_FUNC_PROBE)
		i--;
	const struct fc_func *func = &plan->funcs[i];
	return vaddr - func->vaddr < func->size ? func : NULL;
}

/* Does an instruction of func begin there? Who made the note may lie. */
static bool is_insn(const struct fc_plan *plan, const struct fc_func *func, uint64_t vaddr)
{
	const uint8_t *code = fc_elf_bytes(plan->elf, func->vaddr, func->size);
	uint64_t at = func->vaddr, end = func->vaddr + func->size;
	bool is_branch;
	while (code && at < vaddr) {
		size_t len = plan->arch->code->insn_len(code + (at - func->vaddr), end - at,
							&is_branch);
		if (!len)
			return false;
		at += len;
	}
	return code && at == vaddr;
}

/*
 * May code be jumped to that no direct branch leads to? The cases of a switch are in its function, or in a
 * part of it.
 */
static bool has_tables(const struct fc_plan *plan, const struct fc_func *func)
{
	const uint8_t *code = fc_elf_bytes(plan->elf, func->vaddr, func->size);
	if (!code || func->flags & FC_FUNC_PART)
		return true;
	for (size_t off = 0, len; off < func->size; off += len) {
		size_t room = func->size - off;
		enum fc_insn_kind kind =
			plan->arch->code->insn_kind(code + off, room, &len, NULL);
		if (kind == FC_INSN_NONE ||
		    (kind == FC_INSN_END && plan->arch->probe->is_computed(code + off, room)))
			return true;
	}
	return false;
}

/* Do bytes from vaddr on move with the jump to another function's stub? */
static bool is_moved(const struct fc_plan *plan, size_t i, uint64_t end)
{
	enum { FARTHEST = 64 };
	uint64_t vaddr = plan->infos[i].vaddr;
	for (size_t k = i; k-- && plan->infos[k].vaddr + FARTHEST > vaddr;) {
		const struct fc_planned *p = &plan->planned[k];
		if (p->is_hooked && p->site.window.vaddr + p->site.window.size > vaddr)
			return true;
	}
	return i + 1 < plan->nr && plan->planned[i + 1].is_hooked &&
	       plan->planned[i + 1].site.window.vaddr < end;
}

static bool is_sound_semaphore(const struct fc_elf *elf, uint64_t vaddr)
{
	for (size_t i = 0; i < elf->nr_segments; i++) {
		const struct fc_segment *segment = &elf->segments[i];
		if (segment->is_write && !segment->is_exec && vaddr >= segment->vaddr &&
		    vaddr - segment->vaddr <= segment->memsz - SEMAPHORE_SIZE)
			return segment->memsz >= SEMAPHORE_SIZE;
	}
	return false;
}

/* NULL: it is hooked. */
static const char *hook(struct fc_plan *plan, size_t i)
{
	const struct fc_planned_probe *probe = fc_plan_probe(plan, i);
	const struct fc_arch_jumps *jumps = plan->arch->jumps;
	struct fc_planned *p = &plan->planned[i];
	uint8_t nop = fc_plan_nop_size(plan, i);
	if (plan->elf->has_textrel)
		return "its module relocates its code";
	const struct fc_func *home = home_of(plan, i);
	if (!home)
		return "it is in code of which no table says where it begins and ends";
	if (!nop || !is_insn(plan, home, plan->infos[i].vaddr))
		return "where its note says that it is there is no nop";
	if (probe->semaphore && !is_sound_semaphore(plan->elf, probe->semaphore))
		return "its semaphore is not in the data of its module";
	if (is_moved(plan, i, plan->infos[i].vaddr + nop))
		return "it is in bytes that move with the jump at the start of its function";
	p->site.window.vaddr = plan->infos[i].vaddr;
	p->is_refused = true; /* a pun may do */
	if (nop < jumps->far_size && has_tables(plan, home))
		return "it is one byte, and a switch may lead to what is behind it";
	struct fc_window window;
	const char *why = fc_plan_window(plan, i, jumps->far_size, jumps->far_size, &window);
	if (why)
		return why;
	if (is_moved(plan, i, window.vaddr + window.size))
		return "the next function begins within 5 bytes";
	fc_plan_hook(plan, i, FC_SITE_FAR, &window, NULL);
	return NULL;
}

void fc_plan_hook_probes(struct fc_plan *plan)
{
	for (size_t i = 0; plan->nr_probes && i < plan->nr; i++) {
		struct fc_planned *p = &plan->planned[i];
		if (!(plan->funcs[i].flags & FC_FUNC_PROBE))
			continue;
		p->kind = FC_STUB_PROBE;
		p->how = FC_HOW_ENTRY_ONLY;
		p->why = "a static probe";
		const char *why = hook(plan, i);
		if (!why)
			continue;
		plan->infos[i].how = FC_HOW_SKIPPED;
		plan->infos[i].why = why;
	}
}

void fc_stubs_add_semaphore(struct fc_stubs *stubs, size_t i)
{
	const struct fc_planned_probe *probe = fc_plan_probe(stubs->plan, i);
	static const uint8_t one[SEMAPHORE_SIZE] = { 1 };
	if (!probe || !probe->semaphore)
		return;
	uint64_t taddr = probe->semaphore + stubs->opts.bias;
	for (size_t k = 0; k < stubs->nr_patches; k++)
		if (stubs->patches[k].taddr == taddr) /* of several probes */
			return;
	struct fc_patch *patch =
		fc_stubs_add_patch(stubs, i, probe->semaphore, SEMAPHORE_SIZE, FC_PATCH_JUMP);
	patch->window = 0;
	memcpy(patch->new, one, sizeof(one));
}
