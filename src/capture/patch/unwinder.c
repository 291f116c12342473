/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where is the unwinder of a file through whose frames exceptions pass? It must be hooked, to be
 * given true return addresses.
 *
 *   another file's     its names are imported, or asked for by dlsym: libc does so. A file that
 *                      exports them is hooked by these names, also when it is loaded later.
 *   its own, named     hooked by its names
 *   its own, unnamed   linked statically and stripped or hidden, as in libgccjit: known by code
 *                      that reads its own return address
 *
 * Which of these it is depends on the file alone, never on how much of it is to be traced.
 */
#include <string.h>

#include "arch/stub_row.h"
#include "capture/patch/plan_private.h"

bool fc_planned_is_unwinder(const struct fc_planned *planned)
{
	return fc_stub_row(planned->kind)->is_unwinder;
}

static bool has_text(const void *at, size_t size, const char *text, size_t len)
{
	return at && memmem(at, size, text, len);
}

/* Is one of other files' unwinders known to it, or left to another file's personality? */
static bool imports_unwinder(const struct fc_elf *elf)
{
	size_t size;
	const char *names = fc_elf_dynamic_names(elf, &size);
	return has_text(names, size, "_Unwind_", 8) ||
	       has_text(names, size, "_personality_v0", 15);
}

/* The names that a file gives to dlsym are among its data. */
static bool asks_for_unwinder(const struct fc_elf *elf)
{
	static const char *const names[] = { "_Unwind_Resume", "_Unwind_ForcedUnwind",
					     "_Unwind_RaiseException", "_Unwind_Backtrace" };
	for (size_t i = 0; i < elf->nr_segments; i++) {
		const struct fc_segment *s = &elf->segments[i];
		const uint8_t *at = fc_elf_bytes(elf, s->vaddr, s->filesz);
		for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++)
			if (has_text(at, s->filesz, names[k], strlen(names[k]) + 1))
				return true;
	}
	return false;
}

static bool exports_unwinder(const struct fc_elf *elf)
{
	uint64_t vaddr;
	return !fc_elf_symbol(elf, "_Unwind_RaiseException", &vaddr) ||
	       !fc_elf_symbol(elf, "_Unwind_Backtrace", &vaddr);
}

/*
 * An unwinder must find the unwind information of all files: it asks the loader, or is told by
 * each. Where no other file is needed, it may be linked with all of that.
 */
bool fc_plan_may_hide_unwinder(const struct fc_elf *elf)
{
	if (exports_unwinder(elf))
		return false;
	static const char *const finders[] = { "dl_iterate_phdr", "_dl_find_object",
					       "__register_frame" };
	size_t size;
	const char *names = fc_elf_dynamic_names(elf, &size);
	for (size_t i = 0; i < sizeof(finders) / sizeof(finders[0]); i++)
		if (has_text(names, size, finders[i], strlen(finders[i])))
			return true;
	return !fc_elf_needed(elf, 0);
}

bool fc_plan_has_unwinder(const struct fc_elf *elf)
{
	return exports_unwinder(elf) || fc_plan_may_hide_unwinder(elf);
}

static void note_landing(void *ctx, uint64_t vaddr)
{
	(void)vaddr;
	*(bool *)ctx = true;
}

const char *fc_plan_lost_unwinder(const struct fc_plan *plan)
{
	bool has_landing = false;
	for (size_t i = 0; i < plan->nr; i++)
		if (fc_planned_is_unwinder(&plan->planned[i]) && !plan->planned[i].is_walker)
			return NULL;
	fc_elf_landings(plan->elf, note_landing, &has_landing);
	return has_landing && plan->may_hide_unwinder && !imports_unwinder(plan->elf) &&
			       !asks_for_unwinder(plan->elf)
		       ? "exceptions pass through them, and their unwinder was not found"
		       : NULL;
}
