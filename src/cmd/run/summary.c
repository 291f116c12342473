/* SPDX-License-Identifier: Apache-2.0 */
/* summary.c - plans a program and its libraries, and counts what would be hooked. */
#include "cmd/run/summary.h"

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/path.h"
#include "base/vec.h"
#include "calls/kinds.h"
#include "cmd/out/json.h"
#include "cmd/out/table.h"
#include "cmd/run/reasons.h"
#include "cmd/view/planning.h"
#include "elf/library.h"

struct module {
	char *path;   /* of a library that was not found: its name */
	char *damage; /* why it is not planned; NULL: it is */
	size_t nr_funcs, nr_parts;
	struct fc_reasons reasons;
};

struct summary {
	FC_VEC(struct module) modules;
};

static void count_funcs(struct module *module, const struct fc_plan *plan)
{
	size_t nr;
	const struct fc_func_info *funcs = fc_plan_funcs(plan, &nr);

	for (size_t i = 0; i < nr; i++) {
		if (funcs[i].how == FC_HOW_PART) {
			module->nr_parts++;
			continue;
		}
		module->nr_funcs++;
		fc_reasons_add(&module->reasons, funcs[i].how, funcs[i].why ? funcs[i].why : "",
			       1);
	}
}

static void add_file(struct summary *summary, const char *path)
{
	struct fc_progress progress;
	struct fc_plan_opts all = { .progress = &progress };
	struct module module = { .path = fc_strdup(path) };
	struct fc_elf *elf = NULL;
	struct fc_plan *plan = NULL;

	fc_planning_begin(&progress);
	if (fc_elf_open(path, path, &elf) || fc_plan_create(elf, &all, &plan))
		module.damage = fc_strdup(fc_fail_text());
	else
		count_funcs(&module, plan);
	fc_planning_end(&progress);
	fc_plan_destroy(plan);
	fc_elf_close(elf);
	fc_vec_push(&summary->modules, module);
}

static void add_libraries(struct summary *summary, const struct fc_elf *elf)
{
	struct fc_libraries libraries;

	fc_libraries_find(elf, &libraries);
	fc_vec_each (&libraries.list, library) {
		if (elf->interp && !strcmp(library->name, fc_base_name(elf->interp)))
			continue;
		if (library->path)
			add_file(summary, library->path);
		else
			fc_vec_push(&summary->modules,
				    (struct module){ .path = fc_strdup(library->name),
						     .damage = fc_strdup("not found") });
	}
	fc_libraries_deinit(&libraries);
}

static size_t nr_of(const struct module *module, int how, const char *why)
{
	size_t nr = 0;

	fc_vec_each (&module->reasons.list, reason)
		if (reason->how == how && (!why || !strcmp(reason->why, why)))
			nr += reason->nr;
	return nr;
}

static double percent_recorded(const struct module *module)
{
	size_t nr = nr_of(module, FC_HOW_HOOKED, NULL) + nr_of(module, FC_HOW_ENTRY_ONLY, NULL);

	return module->nr_funcs ? (double)nr * 100 / (double)module->nr_funcs : 100;
}

/* Rounded down: 100.00 % is all. */
static void print_percent(FILE *out, const struct module *module)
{
	unsigned int hundredths = (unsigned int)(percent_recorded(module) * 100);

	fprintf(out, " %4u.%02u %%  ", hundredths / 100, hundredths % 100);
}

static void print_module(FILE *out, const struct module *module, const char *name)
{
	if (module->damage) {
		fprintf(out, "%74s", "");
		fc_print_foreign(out, name);
		fprintf(out, ": ");
		fc_print_foreign(out, module->damage);
		fputc('\n', out);
		return;
	}
	fprintf(out, "%9zu %7zu %7zu %5zu %5zu %10zu %8zu %6zu", module->nr_funcs,
		nr_of(module, FC_HOW_HOOKED, NULL), nr_of(module, FC_HOW_HOOKED, "jmp5"),
		nr_of(module, FC_HOW_HOOKED, "jmp2"), nr_of(module, FC_HOW_HOOKED, "pun"),
		nr_of(module, FC_HOW_ENTRY_ONLY, NULL), nr_of(module, FC_HOW_SKIPPED, NULL),
		module->nr_parts);
	print_percent(out, module);
	fc_print_foreign(out, name);
	fputc('\n', out);
}

static int by_number(const void *a, const void *b)
{
	const struct fc_reason *x = a, *y = b;

	return fc_order(x->how, y->how) ?: fc_order(y->nr, x->nr);
}

/* The sum of all modules; its reasons are sorted. */
static struct module sum_of(const struct summary *summary)
{
	struct module sum = { 0 };

	fc_vec_each (&summary->modules, module) {
		sum.nr_funcs += module->nr_funcs;
		sum.nr_parts += module->nr_parts;
		fc_vec_each (&module->reasons.list, reason)
			fc_reasons_add(&sum.reasons, reason->how, reason->why, reason->nr);
	}
	fc_vec_sort(&sum.reasons.list, by_number);
	return sum;
}

static void print_reasons(FILE *out, const struct module *sum)
{
	fprintf(out, "\n%9s  NOT HOOKED, WHY\n", "FUNCTIONS");
	fc_vec_each (&sum->reasons.list, reason)
		if (reason->how != FC_HOW_HOOKED)
			fprintf(out, "%9zu  %s: %s\n", reason->nr, fc_how_word(reason->how),
				reason->why);
}

static void print_text(FILE *out, const struct summary *summary)
{
	struct module sum = sum_of(summary);

	fprintf(out, "%9s %7s %7s %5s %5s %10s %8s %6s %9s  %s\n", "FUNCTIONS", "HOOKED",
		"JMP5", "JMP2", "PUN", "ENTRY ONLY", "SKIPPED", "PARTS", "RECORDED ", "MODULE");
	fc_vec_each (&summary->modules, module)
		print_module(out, module, module->path);
	if (summary->modules.nr > 1)
		print_module(out, &sum, "all");
	print_reasons(out, &sum);
	fc_reasons_deinit(&sum.reasons);
}

static void json_module(struct fc_json *json, const struct module *module)
{
	fc_json_open(json, NULL, '{');
	fc_json_string(json, "module", module->path);
	if (module->damage) {
		fc_json_string(json, "not_read", module->damage);
		fc_json_close(json, '{');
		return;
	}
	fc_json_number(json, "functions", module->nr_funcs);
	fc_json_number(json, "hooked", nr_of(module, FC_HOW_HOOKED, NULL));
	fc_json_number(json, "entry_only", nr_of(module, FC_HOW_ENTRY_ONLY, NULL));
	fc_json_number(json, "skipped", nr_of(module, FC_HOW_SKIPPED, NULL));
	fc_json_number(json, "parts", module->nr_parts);
	fc_reasons_json(&module->reasons, json);
	fc_json_close(json, '{');
}

static void print_json(FILE *out, const struct summary *summary)
{
	struct fc_json json = { .out = out };

	fc_json_open(&json, NULL, '[');
	fc_vec_each (&summary->modules, module)
		json_module(&json, module);
	fc_json_close(&json, '[');
}

void fc_summary_print(FILE *out, const struct fc_planned_program *planned, bool is_json)
{
	struct summary summary = { 0 };
	struct module program = { .path = fc_strdup(planned->path) };

	count_funcs(&program, planned->plan);
	fc_vec_push(&summary.modules, program);
	add_libraries(&summary, planned->elf);
	if (planned->elf->interp)
		add_file(&summary, planned->elf->interp);
	if (is_json)
		print_json(out, &summary);
	else
		print_text(out, &summary);
	fc_vec_each (&summary.modules, module) {
		free(module->path);
		free(module->damage);
		fc_reasons_deinit(&module->reasons);
	}
	fc_vec_free(&summary.modules);
}
