/* SPDX-License-Identifier: Apache-2.0 */
/* profiler.c - finds what gcc -pg and -finstrument-functions have each function call. */
#include "capture/patch/known/profiler.h"

#include <string.h>

enum { MAX_CODE = 192 };

/* The first call in it. glibc's mcount saves what a call may change, calls, and restores. */
static uint64_t first_call(const struct fc_elf *elf, const struct fc_arch *arch, uint64_t vaddr)
{
	const uint8_t *code = fc_elf_bytes(elf, vaddr, MAX_CODE);
	size_t done = 0;
	while (code && done < MAX_CODE) {
		uint64_t to = 0;
		size_t len = 0;
		enum fc_insn_kind kind =
			arch->code->insn_kind(code + done, MAX_CODE - done, &len, NULL);
		done += len;
		if (kind == FC_INSN_CALL && done <= MAX_CODE &&
		    arch->code->is_call(code + done - len, len, vaddr + done, &to))
			return to;
		if (kind != FC_INSN_PLAIN)
			return 0;
	}
	return 0;
}

uint64_t fc_profiler_find(const struct fc_elf *elf, const struct fc_arch *arch)
{
	static const char *const names[] = { "mcount", "_mcount", "__fentry__" };
	uint64_t vaddr, ret = 0;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !ret; i++)
		if (!fc_elf_symbol(elf, names[i], &vaddr))
			ret = first_call(elf, arch, vaddr);
	return ret;
}

bool fc_profiler_is_called(const struct fc_elf *elf)
{
	static const char name[] = "__cyg_profile_func_enter";
	size_t size = 0;
	const char *names = fc_elf_dynamic_names(elf, &size);
	if (names && memmem(names, size, name, sizeof(name)))
		return true;
	uint64_t vaddr;
	return !elf->interp && !fc_elf_symbol(elf, name, &vaddr);
}
