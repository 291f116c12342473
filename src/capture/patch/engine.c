/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code in whose functions no return address may be replaced: all of them are entry only.
 *
 * Engines make code at run time that calls functions of theirs of all kinds, and find it again
 * by the return addresses of such calls, when they collect garbage or walk the stack.
 */
#include <elf.h>
#include <string.h>

#include "base/crew.h"
#include "capture/patch/plan_private.h"

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

/* What is not loaded has no text of an engine, and may be a hole. */
static bool is_loaded(const struct fc_elf *elf, size_t from, size_t size)
{
	for (size_t i = 0; i < elf->nr_segments; i++) {
		const struct fc_segment *seg = &elf->segments[i];
		if (seg->off < from + size && from < seg->off + seg->filesz)
			return true;
	}
	return false;
}

static void search_piece(void *ctx, size_t i)
{
	struct search *search = ctx;
	const struct fc_elf *elf = search->elf;
	const char *text = engines[i % NR_ENGINES].text;
	size_t from = i / NR_ENGINES * PIECE, left = elf->image_size - from;
	size_t size = left < PIECE + LONGEST ? left : PIECE + LONGEST;
	if (text && is_loaded(elf, from, size) &&
	    memmem(elf->image + from, size, text, strlen(text)))
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

/*
 * What a runtime's compiler made ahead of time, as Mono's does: a library that needs no other one,
 * has no unwind information, and exports data only. Who finds code by that data, for itself, may
 * find it by return addresses, too.
 */
static bool is_image(const struct fc_elf *elf)
{
	if (elf->type != ET_DYN || elf->interp || elf->has_eh_frame || fc_elf_needed(elf, 0))
		return false;
	for (size_t i = 0; i < elf->nr_funcs; i++)
		if (elf->funcs[i].flags & FC_FUNC_EXPORTED)
			return false;
	size_t size;
	const char *names = fc_elf_dynamic_names(elf, &size);
	return names && size > 1;
}

static const char made_by_runtime[] =
	"a runtime made its code, and may find it by return addresses";

const char *fc_plan_engine(const struct fc_elf *elf)
{
	const char *why = by_symbol(elf);
	if (!why && is_image(elf))
		why = made_by_runtime;
	return why || !elf->is_stripped ? why : by_text(elf);
}

/* A runtime reads the call that it came by, and what that leads to: jumps by way of a table. */
const char *fc_plan_read_by_runtime(const struct fc_plan *plan, const struct fc_window *window)
{
	if (plan->engine != made_by_runtime)
		return NULL;
	const uint8_t *code = fc_elf_bytes(plan->elf, window->vaddr, window->size);
	for (size_t off = 0, len; code && off < window->size; off += len) {
		enum fc_insn_kind kind =
			plan->arch->code->insn_kind(code + off, window->size - off, &len, NULL);
		if (kind == FC_INSN_CALL || (kind == FC_INSN_END && !off))
			return "its runtime reads its first instructions";
	}
	return NULL;
}
