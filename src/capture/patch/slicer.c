/* SPDX-License-Identifier: Apache-2.0 */
/*
 *	move:	...			hooked: true return addresses, to be copied
 *		call save
 *		add %rax, %rsp		by this it is known
 *		add %rax, %rbp
 *		call come		hooked: all is copied that is to be copied
 *		...
 */
#include "capture/patch/slicer.h"

#include "arch/arch.h"
#include "capture/patch/rule.h"
#include "elf/elf.h"

/* What a direct call at code leads to; 0: it is none. */
static uint64_t called_at(const struct fc_arch *arch, const uint8_t *code, size_t size,
			  uint64_t vaddr)
{
	size_t len = 0;
	uint64_t to = 0;
	return size && arch->insn_kind(code, size, &len, NULL) == FC_INSN_CALL &&
			       arch->is_call(code, len, vaddr + len, &to)
		       ? to
		       : 0;
}

struct fc_slicers fc_slicers_find(const struct fc_elf *elf)
{
	const struct fc_arch *arch = fc_arch_find(elf->machine);
	struct fc_slicers ret = { 0 };
	for (size_t i = 0; arch && i < elf->nr_segments; i++) {
		const struct fc_segment *seg = &elf->segments[i];
		const uint8_t *code =
			seg->is_exec ? fc_elf_bytes(elf, seg->vaddr, seg->filesz) : NULL;
		size_t at = 0;
		while (code && ret.nr < FC_MAX_SLICERS &&
		       arch->moves_frames(code, seg->filesz, &at))
			ret.at[ret.nr++] = (struct fc_slicer){
				seg->vaddr + at - 1,
				called_at(arch, code + at, seg->filesz - at, seg->vaddr + at),
			};
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
	for (size_t i = 0; i < slicers->nr; i++) {
		if (slicers->at[i].move - start < end - start)
			return &slices;
		if (slicers->at[i].come == start)
			return &comes;
	}
	return NULL;
}
