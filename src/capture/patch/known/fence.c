/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/patch/known/fence.h"

#include <stddef.h>

#include "arch/arch.h"
#include "elf/elf.h"

enum {
	STEP = 2048,
	LEAST = 4000
}; /* a page of traps holds a multiple of STEP, and so much behind it */

/* A run of traps that the bytes at off lie in, in code of so many bytes. False: they do not. */
static bool run_at(const struct fc_arch *arch, const uint8_t *code, size_t size, size_t off,
		   size_t *start, size_t *end)
{
	const size_t one = arch->code->trap_size;
	size_t at = off;
	for (size_t i = 0; i < one && at + one <= size && !arch->code->is_trap(code + at); i++)
		at++;
	if (at + one > size || !arch->code->is_trap(code + at))
		return false;
	*start = *end = at;
	while (*start >= one && arch->code->is_trap(code + *start - one))
		*start -= one;
	while (*end + one <= size && arch->code->is_trap(code + *end))
		*end += one;
	return *end - *start >= LEAST;
}

static bool find_in(const struct fc_arch *arch, const uint8_t *code, size_t size,
		    size_t *apart_start, size_t *apart_end)
{
	size_t start, end;
	*apart_start = 0;
	for (size_t off = 0; off < size; off += STEP) {
		if (!run_at(arch, code, size, off, &start, &end))
			continue;
		if (*apart_start && start > *apart_start) {
			*apart_end = start;
			return true;
		}
		*apart_start = end;
	}
	return false;
}

bool fc_fence_find(const struct fc_elf *elf, uint64_t *start, uint64_t *end)
{
	const struct fc_arch *arch = fc_arch_find(elf->machine);
	if (!arch || !arch->code->is_trap || elf->interp || fc_elf_needed(elf, 0))
		return false;
	for (size_t i = 0; i < elf->nr_segments; i++) {
		const struct fc_segment *seg = &elf->segments[i];
		const uint8_t *code = fc_elf_segment_code(elf, seg);
		size_t from, to;
		if (!code || !find_in(arch, code, seg->filesz, &from, &to))
			continue;
		*start = seg->vaddr + from;
		*end = seg->vaddr + to;
		return true;
	}
	return false;
}
