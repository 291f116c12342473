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
	struct fc_planned_probe ret = {
		.vaddr = probe->vaddr,
		.semaphore = probe->semaphore,
		.is_sound = probe->is_sound,
		.kinds = probe->kinds,
		.turns = turns_of(probe->name),
	};
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

static void add_unplaced(struct fc_plan *plan, const struct fc_probe *probe, const char *why)
{
	plan->unplaced[plan->nr_unplaced++] = (struct fc_unplaced_probe){ probe->name, why };
}

/* Why it cannot be a function of the plan; NULL: it can. */
static const char *why_unplaced(const struct fc_plan *plan, const struct fc_probe *probe)
{
	return !fc_plan_range_end(plan, probe->vaddr)
		       ? "where its note says that it is there is no code"
	       : is_function(plan, probe->vaddr)
		       ? "it is where a function begins, which has its own hook"
		       : NULL;
}

static bool asks(const struct fc_plan *plan, const struct fc_probe *probe)
{
	return plan->opts.asks_probe(plan->opts.ctx, plan->elf, probe->name);
}

/*
 * Those of one address (a linker has made one of functions that are alike): the first that is asked for stands
 * for all. Is one added to the nr_added that are behind the plan's functions?
 */
static bool add_one(struct fc_plan *plan, const struct fc_probe *probes, size_t nr,
		    size_t nr_added)
{
	size_t first = 0;
	while (first < nr && !asks(plan, &probes[first]))
		first++;
	if (first == nr)
		return false;
	const struct fc_probe *probe = &probes[first];
	const char *why = why_unplaced(plan, probe);
	if (!why) {
		plan->probes[plan->nr_probes++] = read_probe(plan, probe);
		plan->funcs[plan->nr + nr_added] =
			(struct fc_func){ probe->vaddr, 0, probe->name, FC_FUNC_PROBE };
	}
	for (size_t i = 0; i < nr; i++)
		if (why ? asks(plan, &probes[i]) : i != first)
			add_unplaced(plan, &probes[i],
				     why ? why
					 : "another probe is at the same address, and its name "
					   "stands for both");
	return !why;
}

void fc_plan_add_probes(struct fc_plan *plan)
{
	size_t nr, nr_added = 0;
	bool is_asked = plan->opts.asks_probe && plan->arch->probe;
	const struct fc_probe *probes = is_asked ? fc_elf_probes(plan->elf, &nr) : NULL;
	if (!probes)
		return;
	plan->probes = fc_alloc((nr + 1) * sizeof(*plan->probes));
	plan->unplaced = fc_alloc((nr + 1) * sizeof(*plan->unplaced));
	plan->funcs = fc_realloc(plan->funcs, (plan->nr + nr + 1) * sizeof(*plan->funcs));
	for (size_t i = 0, same; i < nr; i += same) {
		for (same = 1; i + same < nr && probes[i + same].vaddr == probes[i].vaddr;)
			same++;
		nr_added += add_one(plan, &probes[i], same, nr_added);
	}
	plan->nr += nr_added;
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

/* A function that has probes, and what is known of it by now: each byte is looked at once. */
struct home {
	const struct fc_func *func;
	uint64_t
		at; /* up to here it was decoded: an instruction begins there, or is not known */
	bool is_asked, has_tables;
};

/* Does an instruction of its function begin there? Who made the note may lie. Ascending vaddrs. */
static bool is_insn(const struct fc_plan *plan, struct home *home, uint64_t vaddr)
{
	const struct fc_func *func = home->func;
	const uint8_t *code = fc_elf_bytes(plan->elf, func->vaddr, func->size);
	uint64_t end = func->vaddr + func->size;
	bool is_branch;
	while (code && home->at < vaddr) {
		size_t len = plan->arch->code->insn_len(code + (home->at - func->vaddr),
							end - home->at, &is_branch);
		if (!len)
			return false;
		home->at += len;
	}
	return code && home->at == vaddr;
}

/*
 * May code be jumped to that no direct branch leads to? The cases of a switch are in its function, or in a
 * part of it.
 */
static bool look_for_tables(const struct fc_plan *plan, const struct fc_func *func)
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

static bool has_tables(const struct fc_plan *plan, struct home *home)
{
	if (!home->is_asked)
		home->has_tables = look_for_tables(plan, home->func);
	home->is_asked = true;
	return home->has_tables;
}

bool fc_plan_is_moved(const struct fc_plan *plan, size_t i, uint64_t end)
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

/* Is it mapped where no code is? */
static bool is_data(const struct fc_elf *elf, uint64_t vaddr)
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
static const char *hook(struct fc_plan *plan, struct home *home, size_t i)
{
	const struct fc_planned_probe *probe = fc_plan_probe(plan, i);
	const struct fc_arch_jumps *jumps = plan->arch->jumps;
	struct fc_planned *p = &plan->planned[i];
	uint8_t nop = fc_plan_nop_size(plan, i);
	if (plan->elf->has_textrel)
		return "its module relocates its code";
	const struct fc_func *func = home_of(plan, i);
	if (func != home->func)
		*home = (struct home){ .func = func, .at = func ? func->vaddr : 0 };
	if (!func)
		return "it is in code of which no table says where it begins and ends";
	if (!nop || !is_insn(plan, home, plan->infos[i].vaddr))
		return "where its note says that it is there is no nop";
	if (!probe->is_sound || (probe->semaphore && !is_data(plan->elf, probe->semaphore)))
		return "its semaphore is not in the section .probes of its file";
	if (fc_plan_is_moved(plan, i, plan->infos[i].vaddr + nop))
		return "it is in bytes that move with the jump at the start of its function";
	p->site.window.vaddr = plan->infos[i].vaddr;
	p->is_refused = true; /* a pun may do */
	if (nop < jumps->far_size && has_tables(plan, home))
		return "it is one byte, and a switch may lead to what is behind it";
	struct fc_window window;
	const char *why = fc_plan_window(plan, i, jumps->far_size, jumps->far_size, &window);
	if (why)
		return why;
	if (fc_plan_is_moved(plan, i, window.vaddr + window.size))
		return "the next function begins within 5 bytes";
	fc_plan_hook(plan, i, FC_SITE_FAR, &window, NULL);
	return NULL;
}

void fc_plan_hook_probes(struct fc_plan *plan)
{
	struct home home = { 0 };
	for (size_t i = 0; plan->nr_probes && i < plan->nr; i++) {
		struct fc_planned *p = &plan->planned[i];
		if (!(plan->funcs[i].flags & FC_FUNC_PROBE))
			continue;
		p->kind = FC_STUB_PROBE;
		p->how = FC_HOW_ENTRY_ONLY;
		p->why = "a static probe";
		p->turns = fc_plan_probe(plan, i)->turns;
		const char *why = hook(plan, &home, i);
		if (!why)
			continue;
		plan->infos[i].how = FC_HOW_SKIPPED;
		plan->infos[i].why = why;
	}
}

/* The probe that this is the jump of, if it has a semaphore; else NULL. */
static const struct fc_planned_probe *counted_probe(const struct fc_stubs *stubs,
						    const struct fc_patch *patch)
{
	uint64_t vaddr = patch->taddr - stubs->opts.bias;
	if (patch->kind != FC_STUB_PROBE || !patch->window)
		return NULL;
	const struct fc_planned_probe *probe = fc_plan_probe_at(stubs->plan, vaddr);
	return probe && probe->semaphore ? probe : NULL;
}

static struct fc_patch semaphore_patch(const struct fc_stubs *stubs,
				       const struct fc_patch *jump, uint64_t vaddr)
{
	struct fc_patch ret = *jump;
	const uint8_t *old = fc_elf_bytes(stubs->plan->elf, vaddr, SEMAPHORE_SIZE);
	ret.taddr = vaddr + stubs->opts.bias;
	ret.size = SEMAPHORE_SIZE;
	ret.order = FC_PATCH_JUMP;
	ret.window = 0;
	ret.is_data = true;
	memset(ret.old, 0, sizeof(ret.old)); /* of what is not in the file, too */
	if (old)
		memcpy(ret.old, old, SEMAPHORE_SIZE);
	memset(ret.new, 0, sizeof(ret.new));
	ret.new[0] = 1;
	return ret;
}

void fc_stubs_add_semaphores(struct fc_stubs *stubs)
{
	size_t nr = stubs->nr_patches, nr_kept = 0;
	for (size_t i = 0; stubs->plan->nr_probes && i < nr; i++) {
		const struct fc_planned_probe *probe = counted_probe(stubs, &stubs->patches[i]);
		if (probe)
			stubs->patches[stubs->nr_patches++] =
				semaphore_patch(stubs, &stubs->patches[i], probe->semaphore);
	}
	if (stubs->nr_patches == nr)
		return;
	fc_sort_by(stubs->patches, stubs->nr_patches, taddr);
	for (size_t i = 0; i < stubs->nr_patches;
	     i++) /* several probes may have the same one */
		if (!nr_kept || stubs->patches[nr_kept - 1].taddr != stubs->patches[i].taddr)
			stubs->patches[nr_kept++] = stubs->patches[i];
	stubs->nr_patches = nr_kept;
}
