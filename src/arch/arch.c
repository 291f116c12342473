/* SPDX-License-Identifier: Apache-2.0 */
/* arch.c - the table of machines. */
#include "arch/arch.h"

#include <elf.h>

const struct fc_call_frame *fc_arch_call_frame(uint16_t elf_machine)
{
	static const struct fc_call_frame frames[] = {
		{ EM_X86_64, 7, 8, -8, 16, 17, 16, 1 << 3 | 1 << 6 | 0xf << 12 },
		{ EM_AARCH64, 31, 0, 0, 31, 64, 32, 0x7ff << 19 },
		{ EM_RISCV, 2, 0, 0, 32, 32, 32, 3 << 8 | 0x3ff << 18 },
	};
	for (size_t i = 0; i < sizeof(frames) / sizeof(frames[0]); i++)
		if (frames[i].elf_machine == elf_machine)
			return &frames[i];
	return NULL;
}

#if defined(__x86_64__)
const struct fc_arch *const fc_arch_here = &fc_arch_x86_64;
#else
const struct fc_arch *const fc_arch_here;
#endif

static const struct fc_arch *const archs[] = {
	&fc_arch_x86_64,
};

const struct fc_arch *fc_arch_find(uint16_t elf_machine)
{
	for (size_t i = 0; i < sizeof(archs) / sizeof(archs[0]); i++)
		if (archs[i]->elf_machine == elf_machine)
			return archs[i];
	return NULL;
}

const char *fc_arch_stage(const struct fc_arch *arch, size_t i, bool *is_there)
{
	const struct {
		const char *name;
		const void *stage;
	} stages[] = {
		{ "code", arch->code },	 { "jumps", arch->jumps },
		{ "stubs", arch->stub }, { "threads", arch->thread },
		{ "values", arch->abi }, { "probes", arch->probe },
	};
	if (i >= sizeof(stages) / sizeof(stages[0]))
		return NULL;
	*is_there = stages[i].stage;
	return stages[i].name;
}

const struct fc_arch *fc_arch_at(size_t i)
{
	return i < sizeof(archs) / sizeof(archs[0]) ? archs[i] : NULL;
}
