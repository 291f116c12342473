/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_list.c - fctrace list: the functions of a program and how each is hooked, or why not. */
#include <string.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/path.h"
#include "calls/kinds.h"
#include "calls/nearest_function.h"
#include "cmd/options/cmd.h"
#include "cmd/options/demangling.h"
#include "cmd/options/options.h"
#include "cmd/options/text_output.h"
#include "cmd/out/fetching.h"
#include "cmd/out/json.h"
#include "cmd/out/looks.h"
#include "cmd/out/output.h"
#include "cmd/out/say.h"
#include "cmd/out/table.h"
#include "cmd/run/list_probes.h"
#include "cmd/run/list_syscalls.h"
#include "cmd/run/planned.h"
#include "cmd/run/program.h"
#include "cmd/run/summary.h"

struct list {
	const struct fc_planned_program *planned;
	const struct fc_func_info *funcs;
	size_t nr_funcs;
	FILE *out;
};

/* "hooked jmp5  53  main", "skipped  34  _start: why not". */
static void print_func(const struct list *list, const struct fc_func_info *func)
{
	bool is_hooked = func->how == FC_HOW_HOOKED;
	const char *why = func->why ? func->why : "";
	fc_auto_free char *name = fc_planned_name(list->planned, func);
	fc_auto_free char *how =
		fc_asprintf("%s %s", fc_how_word(func->how), is_hooked ? why : "");

	fc_put_tone(list->out, is_hooked			? FC_TONE_PLAIN
			       : func->how == FC_HOW_ENTRY_ONLY ? FC_TONE_YELLOW
								: FC_TONE_DIM);
	fprintf(list->out, "%-12s %8llu  ", how, (unsigned long long)func->size);
	fc_print_foreign(list->out, name);
	if (!is_hooked && *why)
		fprintf(list->out, ": %s", why);
	fc_put_tone(list->out, FC_TONE_PLAIN);
	fputc('\n', list->out);
}

static void print_script(const struct list *list)
{
	if (list->planned->script)
		fprintf(list->out,
			"%s is a script; these are the functions of %s, which runs it\n",
			list->planned->script, list->planned->path);
}

static void print_text(const struct list *list)
{
	struct fc_plan_sums sums = fc_plan_sums(list->planned->plan);

	print_script(list);
	fc_put_tone(list->out, FC_TONE_BOLD);
	fprintf(list->out, "%-12s %8s  %s", "HOW", "SIZE", "FUNCTION");
	fc_put_tone(list->out, FC_TONE_PLAIN);
	fputc('\n', list->out);
	for (size_t i = 0; i < list->nr_funcs; i++)
		print_func(list, &list->funcs[i]);
	fprintf(list->out, "%zu functions: %zu hooked, %zu entry only, %zu skipped",
		list->nr_funcs - sums.parts, sums.hooked, sums.entry_only, sums.skipped);
	if (sums.parts)
		fprintf(list->out, "; and %zu parts of functions", sums.parts);
	fputc('\n', list->out);
}

static void json_func(struct fc_json *json, const struct list *list,
		      const struct fc_func_info *func)
{
	fc_auto_free char *name = fc_planned_name(list->planned, func);
	fc_auto_free char *symbol = fc_planned_symbol(list->planned, func);

	fc_json_open(json, NULL, '{');
	fc_json_string(json, "function", name);
	fc_json_string(json, "symbol", symbol);
	fc_json_number(json, "vaddr", func->vaddr);
	fc_json_number(json, "size", func->size);
	fc_json_string(json, "how", fc_how_word(func->how));
	fc_json_string(json, "why", func->why ? func->why : "");
	fc_json_close(json, '{');
}

static void print_json(const struct list *list)
{
	struct fc_json json = { .out = list->out };
	struct fc_plan_sums sums = fc_plan_sums(list->planned->plan);

	fc_json_open(&json, NULL, '{');
	fc_json_string(&json, "program", list->planned->path);
	if (list->planned->script)
		fc_json_string(&json, "script", list->planned->script);
	fc_json_string(&json, "build_id", list->planned->elf->build_id);
	fc_json_number(&json, "hooked", sums.hooked);
	fc_json_number(&json, "entry_only", sums.entry_only);
	fc_json_number(&json, "skipped", sums.skipped);
	fc_json_number(&json, "parts", sums.parts);
	fc_json_open(&json, "functions", '[');
	for (size_t i = 0; i < list->nr_funcs; i++)
		json_func(&json, list, &list->funcs[i]);
	fc_json_close(&json, '[');
	fc_json_close(&json, '{');
}

static bool is_tactic(const char *why, const char *tactic)
{
	return !strncmp(why, tactic, strlen(tactic));
}

/* Why a tactic, in words; NULL: why already is a sentence. */
static char *explain_tactic(const char *why)
{
	if (is_tactic(why, "pun"))
		return fc_strdup("a jump that shares its last bytes with the code behind it");
	for (size_t i = 0; fc_arch_at(i); i++) {
		const struct fc_arch_jumps *jumps = fc_arch_at(i)->jumps;
		if (jumps && is_tactic(why, jumps->far_tactic))
			return fc_asprintf("a %d-byte jump over its first instructions, "
					   "which move to its stub",
					   jumps->far_size);
		if (jumps && is_tactic(why, jumps->near_tactic))
			return fc_asprintf("a %d-byte jump to free bytes near it, "
					   "and from there to its stub",
					   jumps->near_size);
	}
	return NULL;
}

/* What a trace records of such a function. */
static const char *explain_how(int how)
{
	switch (how) {
	case FC_HOW_HOOKED:
		return "\n";
	case FC_HOW_ENTRY_ONLY:
		return "\n  its calls are recorded, their ends are not\n";
	case FC_HOW_PART:
		return "\n  nothing calls it: what it does counts as done by its function\n";
	default:
		return "\n  its calls are not recorded\n";
	}
}

static void explain(const struct list *list, const struct fc_func_info *func)
{
	fc_auto_free char *name = fc_planned_name(list->planned, func);
	fc_auto_free char *text = func->why ? explain_tactic(func->why) : NULL;

	fc_print_foreign(list->out, name);
	fprintf(list->out, ": %s", fc_how_word(func->how));
	if (func->why && *func->why)
		fprintf(list->out, ": %s%s%s%s", func->why, text ? " (" : "", text ? text : "",
			text ? ")" : "");
	fprintf(list->out, "\n  at 0x%llx, %llu bytes, in ", (unsigned long long)func->vaddr,
		(unsigned long long)func->size);
	fc_print_foreign(list->out, list->planned->path);
	fputs(explain_how(func->how), list->out);
}

static bool is_asked_for(const struct list *list, const struct fc_func_info *func,
			 const char *wanted)
{
	fc_auto_free char *symbol = fc_planned_symbol(list->planned, func);
	return fc_name_is(symbol, wanted);
}

/* All functions of that name: a file may have several static ones. */
static size_t explain_all(const struct list *list, const char *wanted, struct fc_json *json)
{
	size_t nr = 0;

	for (size_t i = 0; i < list->nr_funcs; i++) {
		if (!is_asked_for(list, &list->funcs[i], wanted))
			continue;
		nr++;
		if (json)
			json_func(json, list, &list->funcs[i]);
		else
			explain(list, &list->funcs[i]);
	}
	return nr;
}

/* A symbol that shares its address with another is listed under one name only. */
static const struct fc_func_info *find_alias(const struct list *list, const char *wanted)
{
	uint64_t vaddr = 0;

	if (fc_elf_symbol(list->planned->elf, wanted, &vaddr))
		return NULL;
	for (size_t i = 0; i < list->nr_funcs; i++) {
		if (list->funcs[i].vaddr == vaddr)
			return &list->funcs[i];
	}
	return NULL;
}

/* "; did you mean main? fctrace list shows them all". */
static char *nearest_function(const struct list *list, const char *glob, const char *rest)
{
	struct fc_nearest nearest;

	fc_nearest_begin_glob(&nearest, glob);
	for (size_t i = 0; i < list->nr_funcs; i++) {
		fc_auto_free char *name = fc_planned_name(list->planned, &list->funcs[i]);
		fc_nearest_offer_function(&nearest, (struct fc_name){ .name = name });
	}
	return fc_nearest_hint(&nearest, "", rest);
}

static int print_why(const struct list *list, const struct fc_settings *settings)
{
	struct fc_json json = { .out = list->out };
	const struct fc_func_info *alias = find_alias(list, settings->why);

	if (settings->json)
		fc_json_open(&json, NULL, '[');
	size_t nr = explain_all(list, settings->why, settings->json ? &json : NULL);
	if (!nr && alias) {
		nr = 1;
		if (settings->json)
			json_func(&json, list, alias);
		else
			explain(list, alias);
	}
	if (settings->json)
		fc_json_close(&json, '[');
	if (nr)
		return FC_STATUS_OK;
	fc_auto_free char *hint =
		nearest_function(list, settings->why, "fctrace list shows them all");
	fc_say("%s: no such function in %s%s", settings->why, list->planned->path, hint);
	return FC_STATUS_NO;
}

static bool any_matches(const struct list *list, const char *glob)
{
	const char *module = fc_base_name(list->planned->path);
	for (size_t i = 0; i < list->nr_funcs; i++) {
		fc_auto_free char *name = fc_planned_symbol(list->planned, &list->funcs[i]);
		if (fc_name_match((struct fc_name){ .name = name, .module = module }, glob))
			return true;
	}
	return false;
}

/* With -F, functions out of reach of the named ones are not listed: warn of a mistyped name. */
static void say_unmatched(const struct list *list, char *const *globs)
{
	for (; globs && *globs; globs++) {
		if (any_matches(list, *globs))
			continue;
		fc_auto_free char *hint =
			nearest_function(list, *globs, "one of its libraries may");
		fc_say("-F %s: no function of %s matches%s", *globs, list->planned->path, hint);
	}
}

static void print_summary(const struct list *list, const struct fc_settings *settings)
{
	if (!settings->json)
		print_script(list);
	fc_summary_print(list->out, list->planned, settings->json);
}

static int run_list(const struct fc_settings *settings, int argc, char **argv)
{
	fc_debuginfod_allow(&fc_fetching_shown); /* nothing is traced */
	struct fc_planned_program planned;
	int status = FC_STATUS_OK;

	if (!argc) {
		fc_say("which program? see fctrace list --help");
		return FC_STATUS_USAGE;
	}
	if (argc > 1) {
		fc_say("%s: one program at a time", argv[1]);
		return FC_STATUS_USAGE;
	}
	int err =
		fc_planned_open(argv[0], settings->only_globs, settings->list_probes, &planned);
	if (err) {
		fc_say("%s", fc_fail_text());
		return fc_program_failure(err);
	}

	struct list list = { .planned = &planned,
			     .out = fc_text_output_open(settings, !settings->json) };
	list.funcs = fc_plan_funcs(planned.plan, &list.nr_funcs);
	if (settings->list_probes)
		status = fc_list_probes(&planned, list.out, settings->json);
	else if (settings->list_syscalls)
		status = fc_list_syscalls(&planned, list.out, settings->json);
	else if (settings->why)
		status = print_why(&list, settings);
	else if (settings->summary)
		print_summary(&list, settings);
	else if (settings->json)
		print_json(&list);
	else
		print_text(&list);
	if (!settings->why && !settings->summary && !settings->list_probes &&
	    !settings->list_syscalls)
		say_unmatched(&list, settings->only_globs);
	fc_planned_close(&planned);
	return fc_output_close(list.out, status);
}

static const struct fc_option *const options[] = {
	FC_OPTION(0, "why", "FUNC", "explain one function", FC_TEXT(why)),
	FC_OPTION(0, "probes", NULL, "its static probes (SDT, USDT), for -U, and where each is",
		  FC_FLAG(list_probes)),
	FC_OPTION(0, "syscalls", NULL,
		  "the places in its own code that make system calls, and which",
		  FC_FLAG(list_syscalls)),
	&fc_option_only,
	FC_OPTION(0, "summary", NULL, "numbers for it and each of its libraries",
		  FC_FLAG(summary)),
	&fc_option_demangle,
	FC_OPTIONS_TEXT,
	&fc_option_json,
	&fc_option_help,
	NULL,
};

const struct fc_cmd fc_cmd_list = {
	.name = "list",
	.usage = "[OPTIONS] PROGRAM",
	.summary = "its functions: how each would be hooked",
	.options = options,
	.notes = "PROGRAM: a program, a script (its interpreter is listed), or a library's "
		 "path.\n"
		 "Exit status: 0; 1 no function of that name, or output could not be written,\n"
		 "2 wrong usage, 126 not a program fctrace can read, 127 not found.\n",
	.run = run_list,
};
