/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/module/nature.h"

#include <elf.h>
#include <string.h>

#include "base/fail.h"
#include "capture/patch/known/fence.h"
#include "elf/elf.h"

/* Exported or imported. */
static bool has_name(const struct fc_elf *elf, const char *begin)
{
	size_t size = 0;
	const char *names = fc_elf_dynamic_names(elf, &size);
	return names && memmem(names, size, begin, strlen(begin));
}

/* Debuggers find these in ld.so: glibc's, musl's. */
static bool is_loader(const struct fc_elf *elf)
{
	return elf->type == ET_DYN && !elf->interp &&
	       (has_name(elf, "_r_debug") || has_name(elf, "_dl_debug_addr"));
}

/* Functions that wait for a program that is translated, or for who looks on as it is (QEMU). */
static bool translates(const struct fc_elf *elf)
{
	uint64_t start, end;
	return fc_fence_find(elf, &start, &end) ||
	       has_name(elf, "qemu_plugin_register_vcpu_tb");
}

struct fc_nature fc_nature_of(const struct fc_elf *elf)
{
	bool is_lib = fc_elf_soname(elf) || (elf->type == ET_DYN && !elf->interp);
	struct fc_nature nature = {
		.is_program = elf->type == ET_EXEC || !is_lib,
		.is_loader = is_loader(elf),
		.translates = translates(elf),
	};
	nature.is_static = !elf->interp && !nature.is_loader;
	return nature;
}

struct fc_nature fc_nature_read(const char *open_path)
{
	struct fc_elf *elf = NULL;
	struct fc_nature nature = { 0 };
	if (!fc_elf_open_headers(open_path, open_path, &elf))
		nature = fc_nature_of(elf);
	fc_elf_close(elf);
	fc_fail_clear();
	return nature;
}
