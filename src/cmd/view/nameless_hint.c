/* SPDX-License-Identifier: Apache-2.0 */
/* nameless_hint.c - counts functions without a name by their file, and finds out who has names. */
#include "cmd/view/nameless_hint.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/path.h"
#include "cmd/out/output.h"
#include "cmd/out/package.h"
#include "cmd/out/say.h"
#include "cmd/view/reading.h"
#include "read/names/nameless.h"

static struct fc_name name_of(void *ctx, uint32_t func)
{
	struct fc_nameless_shown *shown = ctx;

	fc_nameless_note(shown, func);
	return shown->namer.name_of(shown->namer.ctx, func);
}

struct fc_namer fc_nameless_namer(struct fc_nameless_shown *shown)
{
	shown->namer = fc_reading_namer(shown->reader);
	if (!isatty(STDERR_FILENO)) /* nothing will be said */
		return shown->namer;
	return (struct fc_namer){ .name_of = name_of, .ctx = shown, .each = shown->namer.each };
}

void fc_nameless_note(struct fc_nameless_shown *shown, uint32_t func)
{
	if (!fc_is_nameless(shown->reader, func))
		return;
	if (!shown->bits)
		shown->bits = fc_alloc(fc_reader_max_func(shown->reader) / 8 + 1);
	shown->bits[func / 8] |= (uint8_t)(1 << func % 8);
}

/* Functions that were shown: of the file with the most of them, and of others. */
struct count {
	const struct fc_module_info *most;
	size_t nr, nr_others, nr_other_files;
};

static size_t count_of(const struct fc_nameless_shown *shown,
		       const struct fc_module_info *module)
{
	size_t nr = 0;
	for (size_t i = 0; i < module->nr_funcs; i++) {
		uint32_t id = module->funcs[i].id;
		nr += id && fc_was_called(shown->bits, id);
	}
	return nr;
}

static struct count count(const struct fc_nameless_shown *shown)
{
	struct count ret = { 0 };
	for (size_t i = 0; i < fc_reader_nr_modules(shown->reader); i++) {
		const struct fc_module_info *module = fc_reader_module(shown->reader, i);
		size_t nr = count_of(shown, module);
		if (!nr)
			continue;
		size_t fewer = nr > ret.nr ? ret.nr : nr;
		ret.nr_others += fewer;
		ret.nr_other_files += fewer > 0;
		if (nr > ret.nr) {
			ret.nr = nr;
			ret.most = module;
		}
	}
	return ret;
}

static const char *plural(size_t nr)
{
	return nr == 1 ? "" : "s";
}

/* The words that a shell takes; "" for the trace that is read if none is named. */
static char *trace_word(const struct fc_nameless_shown *shown)
{
	const char *name = fc_reader_name(shown->reader);
	if (!strcmp(name, FC_DEFAULT_TRACE))
		return fc_strdup("");
	return fc_asprintf(strpbrk(name, " \t*?[]\"$&;|()<>`\\#") ? " '%s'" : " %s", name);
}

/* What to do, beginning with a verb. */
static char *advice(const struct fc_nameless_shown *shown, const struct fc_module_info *module)
{
	fc_auto_free char *trace = trace_word(shown);
	fc_auto_free char *package = fc_debug_package(module->path);
	const char *urls = getenv("DEBUGINFOD_URLS");

	if (!module->build_id[0])
		return fc_strdup("record it before it is stripped, or with a build-id "
				 "(ld --build-id): fctrace names finds debug files by that");
	if (urls && *urls)
		return fc_asprintf("run fctrace names%s, which asks the servers of "
				   "DEBUGINFOD_URLS%s%s%s",
				   trace, package ? "; or install " : "",
				   package ? package : "", package ? " first" : "");
	if (package)
		return fc_asprintf("install %s or set DEBUGINFOD_URLS, then run: fctrace "
				   "names%s",
				   package, trace);
	return fc_asprintf("set DEBUGINFOD_URLS and run fctrace names%s, or add --debug PATH "
			   "if you have its debug file",
			   trace);
}

static void say(const struct fc_nameless_shown *shown)
{
	struct count counted = count(shown);
	if (!counted.nr)
		return;
	fc_auto_free char *how = advice(shown, counted.most);
	fc_auto_free char *others = fc_strdup("");
	if (counted.nr_others) {
		free(others);
		others = fc_asprintf(" and %zu of %zu other file%s", counted.nr_others,
				     counted.nr_other_files, plural(counted.nr_other_files));
	}
	fc_say("%zu function%s of %s%s %s no name: %s", counted.nr, plural(counted.nr),
	       fc_base_name(counted.most->path), others,
	       counted.nr + counted.nr_others == 1 ? "has" : "have", how);
}

void fc_nameless_say(struct fc_nameless_shown *shown, FILE *out)
{
	if (!shown->bits)
		return;
	if (out)
		fflush(out);
	/* Who has left a pager has seen enough. */
	if (isatty(STDERR_FILENO) && !fc_output_is_over())
		say(shown);
	free(fc_take(shown->bits));
}
