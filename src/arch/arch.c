/* SPDX-License-Identifier: Apache-2.0 */
#include "arch/arch.h"

#include <elf.h>

const struct fc_call_frame *fc_arch_call_frame(uint16_t elf_machine)
{
	static const struct fc_call_frame frames[] = {
		{ EM_X86_64, .sp = 7, .cfa_off = 8, .return_off = -8 },
		{ EM_AARCH64, .sp = 31, .cfa_off = 0, .return_off = 0 },
		{ EM_RISCV, .sp = 2, .cfa_off = 0, .return_off = 0 },
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

const struct fc_arch *fc_arch_at(size_t i)
{
	return i < sizeof(archs) / sizeof(archs[0]) ? archs[i] : NULL;
}
