/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/patch/known/strand_register.h"

#include "arch/arch.h"
#include "elf/elf.h"

bool fc_takes_register(const struct fc_elf *elf)
{
	const struct fc_arch *arch = fc_arch_find(elf->machine);
	size_t names_size = 0;
	const char *names = fc_elf_dynamic_names(elf, &names_size);
	for (size_t i = 0; arch && i < elf->nr_segments; i++) {
		const struct fc_segment *seg = &elf->segments[i];
		const uint8_t *code = fc_elf_segment_code(elf, seg);
		if (code && arch->code->takes_register(code, seg->filesz, names, names_size))
			return true;
	}
	return false;
}
