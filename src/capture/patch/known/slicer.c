/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coroutines on one stack:
 *
 *	move:	...			hooked: true return addresses, to be copied
 *		call save
 *		add %rax, %rsp		by this it is known
 *		add %rax, %rbp
 *		call come		hooked: all is copied that is to be copied
 *		...
 *
 * Continuations: the function that copies the stack, and notes where to go on. Which one that is shows by a
 * __builtin_setjmp(), as in Ruby's cont_capture(), or by a text that it refers to, as Guile's does.
 */
#include "capture/patch/known/slicer.h"

#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "arch/targets.h"
#include "capture/patch/known/rule.h"
#include "elf/elf.h"

static const struct {
	const char *name; /* a dynamic one of such files */
	const char *text;
} known[] = {
	{ "scm_boot_guile", "continuation" },
};

static void add(struct fc_slicers *ret, uint64_t at, uint64_t come, bool is_sure)
{
	if (ret->nr < FC_MAX_SLICERS)
		ret->at[ret->nr++] = (struct fc_slicer){ at, come, is_sure };
}

/* What a direct call at code leads to; 0: it is none. */
static uint64_t called_at(const struct fc_arch *arch, const uint8_t *code, size_t size,
			  uint64_t vaddr)
{
	size_t len = 0;
	uint64_t to = 0;
	return size && arch->code->insn_kind(code, size, &len, NULL) == FC_INSN_CALL &&
			       arch->code->is_call(code, len, vaddr + len, &to)
		       ? to
		       : 0;
}

static void find_moves(const struct fc_arch *arch, const uint8_t *code, size_t size,
		       uint64_t vaddr, struct fc_slicers *ret)
{
	for (size_t at = 0; arch->code->moves_frames(code, size, &at);)
		add(ret, vaddr + at - 1, called_at(arch, code + at, size - at, vaddr + at),
		    true);
}

static void find_places(const struct fc_arch *arch, const uint8_t *code, size_t size,
			uint64_t vaddr, struct fc_slicers *ret)
{
	for (size_t at = 0; arch->code->notes_place(code, size, &at);)
		add(ret, vaddr + at - 1, 0, false);
}

static void note_ref(void *ctx, uint64_t from, uint64_t to)
{
	(void)to;
	add(ctx, from, 0, true);
}

/* In a segment's texts, at the end of longer ones, too: the linker shares these. */
static void find_refs(const struct fc_arch *arch, const struct fc_elf *elf,
		      const struct fc_segment *texts, const char *text, struct fc_slicers *ret)
{
	const char *all = (const char *)fc_elf_bytes(elf, texts->vaddr, texts->filesz);
	size_t size = strlen(text) + 1;
	if (!all || texts->is_exec)
		return;
	struct fc_targets targets = fc_targets_make(texts->vaddr, texts->filesz);
	for (const char *at = all, *end = all + texts->filesz;
	     (at = memmem(at, (size_t)(end - at), text, size)); at += size)
		fc_targets_add(&targets, texts->vaddr + (uint64_t)(at - all));
	for (size_t i = 0; i < elf->nr_segments; i++) {
		const struct fc_segment *seg = &elf->segments[i];
		const uint8_t *code = fc_elf_segment_code(elf, seg);
		if (code)
			arch->code->refs(code, seg->filesz, seg->vaddr, false, &targets,
					 note_ref, ret);
	}
	free(targets.bits);
}

static void find_known(const struct fc_arch *arch, const struct fc_elf *elf,
		       struct fc_slicers *ret)
{
	size_t size = 0;
	const char *names = fc_elf_dynamic_names(elf, &size);
	for (size_t i = 0; names && i < sizeof(known) / sizeof(known[0]); i++) {
		uint64_t vaddr;
		if (!memmem(names, size, known[i].name, strlen(known[i].name) + 1) ||
		    fc_elf_symbol(elf, known[i].name, &vaddr))
			continue;
		for (size_t k = 0; k < elf->nr_segments; k++)
			find_refs(arch, elf, &elf->segments[k], known[i].text, ret);
	}
}

/* In the order of how certain it is: there is room for so many. */
struct fc_slicers fc_slicers_find(const struct fc_elf *elf)
{
	static void (*const finds[])(const struct fc_arch *arch, const uint8_t *code,
				     size_t size, uint64_t vaddr,
				     struct fc_slicers *ret) = { find_moves, find_places };
	const struct fc_arch *arch = fc_arch_find(elf->machine);
	struct fc_slicers ret = { 0 };
	if (arch)
		find_known(arch, elf, &ret);
	for (size_t k = 0; arch && k < sizeof(finds) / sizeof(finds[0]); k++)
		for (size_t i = 0; i < elf->nr_segments; i++) {
			const uint8_t *code = fc_elf_segment_code(elf, &elf->segments[i]);
			if (code)
				finds[k](arch, code, elf->segments[i].filesz,
					 elf->segments[i].vaddr, &ret);
		}
	return ret;
}

const struct fc_rule *fc_slicer_rule(const struct fc_slicers *slicers, uint64_t start,
				     uint64_t end)
{
	static const char why[] = "copies frames of its stack away, or back: calls that "
				  "are open on these are shown as left";
	static const struct fc_rule slices = { "", FC_RULE_SLICE, why };
	static const struct fc_rule comes = { "", FC_RULE_COME, why };
	static const struct fc_rule may_slice = { "", FC_RULE_SLICE,
						  "may copy frames of its stack away" };
	for (size_t i = 0; i < slicers->nr; i++) {
		const struct fc_slicer *slicer = &slicers->at[i];
		if (slicer->in - start < end - start)
			return slicer->is_sure ? &slices : &may_slice;
		if (slicer->come == start)
			return &comes;
	}
	return NULL;
}
