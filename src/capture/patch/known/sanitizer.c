/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/patch/known/sanitizer.h"

#include <elf.h>
#include <string.h>

#include "elf/elf.h"

/* Among the dynamic symbols, imported or not: most static runtimes export theirs. */
static bool has_name(const struct fc_elf *elf, const char *begin)
{
	size_t size = 0;
	const char *names = fc_elf_dynamic_names(elf, &size);
	return names && memmem(names, size, begin, strlen(begin));
}

/* With what follows it: the text itself is fctrace's, too, and ends there. */
static bool holds(const uint8_t *at, size_t size, const char *text, char next)
{
	const size_t length = strlen(text);
	const uint8_t *end = at + size, *found = at;
	while ((found = memmem(found, (size_t)(end - found), text, length))) {
		found += length;
		if (found < end && *found == next)
			return true;
	}
	return false;
}

/* Of a program whose runtime is static, and exports nothing. What is not loaded may be a hole. */
static bool has_text(const struct fc_elf *elf, const char *text, char next)
{
	bool is_found = false, is_program = elf->interp || elf->type == ET_EXEC;
	for (size_t i = 0; i < elf->nr_segments && is_program && !is_found; i++) {
		const struct fc_segment *seg = &elf->segments[i];
		const uint8_t *at = fc_elf_bytes(elf, seg->vaddr, seg->filesz);
		is_found = at && holds(at, seg->filesz, text, next);
	}
	return is_found;
}

const char *fc_sanitizer(const struct fc_elf *elf)
{
	static const char *const begin[] = {
		"__asan_init", "__hwasan_init", "__lsan_init",
		"__msan_init", "__tsan_init",	"__ubsan_handle_"
	};
	bool is_found = has_text(elf, "Failed to use and restart external symbolizer", '!');
	for (size_t i = 0; i < sizeof(begin) / sizeof(begin[0]); i++)
		is_found |= has_name(elf, begin[i]);
	return is_found ? "a sanitizer's reports show return addresses" : NULL;
}

uint64_t fc_sanitizer_tracer(const struct fc_elf *elf)
{
	/* PR_SET_PTRACER, for the tracer that it clones: by a system call of its own. */
	static const uint8_t set_ptracer[] = { 0x61, 0x6d, 0x61, 0x59 };
	if (!has_name(elf, "__lsan_do_leak_check") &&
	    !has_text(elf, "LeakSanitizer has encountered a fatal error", '.'))
		return 0;
	for (size_t i = 0; i < elf->nr_segments; i++) {
		const struct fc_segment *seg = &elf->segments[i];
		const uint8_t *code = fc_elf_segment_code(elf, seg);
		const uint8_t *at =
			code ? memmem(code, seg->filesz, set_ptracer, sizeof(set_ptracer))
			     : NULL;
		if (at)
			return seg->vaddr + (uint64_t)(at - code);
	}
	return 0;
}
