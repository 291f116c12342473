/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/module/under.h"

#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "base/path.h"
#include "calls/names.h"

struct under {
	char **only;
	const char *module; /* base name */
};

static bool matches(const struct under *under, const char *name)
{
	struct fc_name full = { .name = name, .module = under->module };
	for (char **glob = under->only; *glob; glob++)
		if (fc_name_match(full, *glob))
			return true;
	return false;
}

static bool is_asked(void *ctx, const struct fc_func_info *func)
{
	const struct under *under = ctx;
	if (func->name)
		return matches(under, func->name);
	fc_auto_free char *name =
		fc_asprintf("%s+0x%llx", under->module, (unsigned long long)func->vaddr);
	return matches(under, name);
}

bool fc_under_is_named(char **globs, const char *path, const struct fc_func_info *func)
{
	struct under under = { .only = globs, .module = fc_base_name(path) };
	return globs && is_asked(&under, func);
}

/* Could it match a function without a name in a C library? "libc.so.6+0x27200" */
static bool may_be_unnamed(const char *glob)
{
	static const char wild[] = "*?[\\";
	static const char letters[] = "abcdefilmnosuxld-_.+:0123456789";
	if (strpbrk(glob, "[\\"))
		return true;
	if (!strpbrk(glob, wild) && !strchr(glob, '+'))
		return false;
	for (; *glob; glob++)
		if (!strchr(wild, *glob) && !strchr(letters, *glob))
			return false;
	return true;
}

/* Is one asked for of those functions of a C library that call main? */
static bool asks_for_caller_of_main(char **only, const char *library)
{
	static const char *const names[] = { "__libc_start_main", "__libc_start_call_main",
					     "generic_start_main", "libc_start_main_stage2" };
	for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++)
		if (matches(&(struct under){ only, library }, names[n]))
			return true;
	return false;
}

/*
 * These are open as long as the program runs. They are in another file, which is not read yet:
 * glibc's, or musl's.
 */
static bool asks_for_callers_of_main(const struct under *under)
{
	for (char **glob = under->only; *glob; glob++)
		if (may_be_unnamed(*glob))
			return true;
	bool asks = asks_for_caller_of_main(under->only, "libc.so.6") ||
		    asks_for_caller_of_main(under->only, "libc.so");
	for (size_t i = 0; !asks && fc_arch_at(i); i++) {
		fc_auto_free char *musl = fc_asprintf("ld-musl-%s.so.1", fc_arch_at(i)->name);
		asks = asks_for_caller_of_main(under->only, musl);
	}
	return asks;
}

static char *why_text(char **only)
{
	char *text = fc_strdup("cannot be reached from");
	for (char **glob = only; *glob; glob++)
		fc_append(&text, " -F %s", *glob);
	return text;
}

size_t fc_under_prune(struct fc_plan *plan, const char *path, char **only)
{
	struct under under = { .only = only, .module = fc_base_name(path) };
	if (!only)
		return 0;
	fc_plan_ask(plan, is_asked, &under);
	if (asks_for_callers_of_main(&under))
		return 0;
	fc_auto_free char *why = why_text(only);
	return fc_plan_prune(plan, why);
}
