/* SPDX-License-Identifier: Apache-2.0 */
#include "arch/arch.h"

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
