/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code in whose functions no return address may be replaced: all of them are entry only.
 *
 * Engines make code at run time that calls functions of theirs of all kinds, and find it again
 * by the return addresses of such calls, when they collect garbage or walk the stack.
 */
#include <string.h>

#include "base/crew.h"
#include "patch/plan_private.h"

struct engine {
	const char *prefix; /* of a symbol in each file that it is in */
	const char *text;   /* in its code or data, where symbols were stripped; or NULL */
	const char *why;
};

static const struct engine engines[] = {
	{ "_ZN2v88internal", "max_old_space_size",
	  "V8 looks at the return addresses of what it calls" },
	{ "_ZN3JSC", "useConcurrentJIT", "JavaScriptCore looks at return addresses" },
	{ "_ZN2js3jit", "javascript.options.ion", "SpiderMonkey looks at return addresses" },
	{ "JNI_CreateJavaVM", NULL, "the Java VM looks at return addresses" },
	{ "mono_jit_init", NULL, "Mono looks at return addresses" },
	{ "coreclr_initialize", NULL, "the .NET runtime looks at return addresses" },
};

enum { NR_ENGINES = sizeof(engines) / sizeof(engines[0]) };

static const char *by_symbol(const struct fc_elf *elf)
{
	for (size_t i = 0; i < elf->nr_funcs; i++) {
		const char *name = elf->funcs[i].name;
		for (size_t k = 0; name && k < NR_ENGINES; k++)
			if (!strncmp(name, engines[k].prefix, strlen(engines[k].prefix)))
				return engines[k].why;
	}
	return NULL;
}

/* One text is looked for in one piece of a file; pieces overlap by the length of any text. */
struct search {
	const struct fc_elf *elf;
	bool is_found[NR_ENGINES];
};

enum { PIECE = 4 << 20, LONGEST = 64 };

static void search_piece(void *ctx, size_t i)
{
	struct search *search = ctx;
	const struct fc_elf *elf = search->elf;
	const char *text = engines[i % NR_ENGINES].text;
	size_t from = i / NR_ENGINES * PIECE, left = elf->image_size - from;
	size_t size = left < PIECE + LONGEST ? left : PIECE + LONGEST;
	if (text && memmem(elf->image + from, size, text, strlen(text)))
		__atomic_store_n(&search->is_found[i % NR_ENGINES], true, __ATOMIC_RELAXED);
}

/* No file with an engine is small; to search the large ones takes some milliseconds. */
static const char *by_text(const struct fc_elf *elf)
{
	enum { LEAST = 8 << 20 };
	struct search search = { .elf = elf };
	if (elf->image_size < LEAST)
		return NULL;
	fc_crew_each((elf->image_size + PIECE - 1) / PIECE * NR_ENGINES, search_piece, &search);
	for (size_t k = 0; k < NR_ENGINES; k++)
		if (search.is_found[k])
			return engines[k].why;
	return NULL;
}

const char *fc_plan_engine(const struct fc_elf *elf)
{
	const char *why = by_symbol(elf);
	return why || !elf->is_stripped ? why : by_text(elf);
}
