/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/module/left_out.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/path.h"

/* ": f, g and 7 more" */
static void add_name(char **text, size_t i, size_t nr, const char *name)
{
	enum { MOST = 8 };
	size_t shown = nr > MOST ? MOST : nr;
	if (i < shown)
		fc_append(text, "%s%s", !i ? ": " : i + 1 < nr ? ", " : " and ", name);
	if (i + 1 == nr && shown < nr)
		fc_append(text, " and %zu more", nr - shown);
}

static char *names_of(const struct fc_module *module, const size_t *funcs, size_t nr)
{
	size_t nr_all;
	const struct fc_func_info *all = fc_plan_funcs(module->plan, &nr_all);
	char *text = fc_strdup("");
	for (size_t i = 0; i < nr; i++) {
		fc_auto_free char *name = fc_module_name_of(module, &all[funcs[i]]);
		add_name(&text, i, nr, name);
	}
	return text;
}

char *fc_module_left_out(const struct fc_module *module, const size_t *funcs, size_t nr,
			 const char *why)
{
	fc_auto_free char *names = funcs ? names_of(module, funcs, nr) : fc_strdup("");
	return fc_asprintf("%s: %zu function%s not hooked: %s%s", module->elf->path, nr,
			   nr == 1 ? " is" : "s are", why, names);
}

/* Why each function of the plan that is a probe is not hooked; NULL: it is, or it is none. */
static const char **find_whys(const struct fc_module *module, const struct fc_stubs *stubs)
{
	size_t nr;
	const struct fc_func_info *infos = fc_plan_funcs(module->plan, &nr);
	const char **ret = fc_alloc((nr + 1) * sizeof(*ret));
	for (size_t i = 0; i < nr; i++)
		if (infos[i].how == FC_HOW_SKIPPED && fc_plan_is_probe(module->plan, i))
			ret[i] = infos[i].why;
	for (size_t k = 0; stubs && k < stubs->nr_puns; k++)
		if (!stubs->puns[k].hop_taddr &&
		    fc_plan_is_probe(module->plan, stubs->puns[k].func))
			ret[stubs->puns[k].func] =
				"there is no place where the only jump that fits could lead";
	return ret;
}

static void say_probes(const struct fc_module *module, size_t nr, const char *why,
		       const char *names, void (*say)(void *ctx, const char *sentence),
		       void *ctx)
{
	fc_auto_free char *text = fc_asprintf("%s: %zu static probe%s not hooked: %s%s",
					      fc_base_name(module->elf->path), nr,
					      nr == 1 ? " is" : "s are", why, names);
	say(ctx, text);
}

static void say_unplaced(const struct fc_module *module,
			 void (*say)(void *ctx, const char *sentence), void *ctx)
{
	size_t nr;
	const struct fc_unplaced_probe *probes = fc_plan_unplaced_probes(module->plan, &nr);
	fc_auto_free bool *is_said = fc_alloc(nr + 1);
	for (size_t i = 0; i < nr; i++) {
		const char *why = probes[i].why;
		size_t nr_same = 0, k = 0;
		for (size_t j = i; j < nr && !is_said[i]; j++)
			nr_same += probes[j].why == why;
		fc_auto_free char *names = fc_strdup("");
		for (size_t j = i; k < nr_same; j++) {
			if (probes[j].why != why)
				continue;
			add_name(&names, k++, nr_same, probes[j].name);
			is_said[j] = true;
		}
		if (nr_same)
			say_probes(module, nr_same, why, names, say, ctx);
	}
}

static void say_damaged(const struct fc_module *module,
			void (*say)(void *ctx, const char *sentence), void *ctx)
{
	size_t nr = fc_elf_damaged_probes(module->elf);
	fc_auto_free char *text = fc_asprintf(
		"%s: %zu note%s of static probes cannot be read: damaged, or too many",
		fc_base_name(module->elf->path), nr, nr == 1 ? "" : "s");
	if (nr)
		say(ctx, text);
}

void fc_module_probes_left_out(const struct fc_module *module, const struct fc_stubs *stubs,
			       void (*say)(void *ctx, const char *sentence), void *ctx)
{
	size_t nr, nr_unplaced;
	fc_plan_funcs(module->plan, &nr);
	fc_plan_unplaced_probes(module->plan, &nr_unplaced);
	if (!nr_unplaced && !fc_plan_has_probes(module->plan))
		return;
	fc_auto_free const char **whys = find_whys(module, stubs);
	for (size_t i = 0; i < nr; i++) {
		const char *why = whys[i];
		fc_auto_vec FC_VEC(size_t) same = { 0 };
		for (size_t k = i; why && k < nr; k++) {
			if (!whys[k] || strcmp(whys[k], why) != 0)
				continue;
			fc_vec_push(&same, k);
			whys[k] = NULL;
		}
		if (!same.nr)
			continue;
		fc_auto_free char *names = names_of(module, same.at, same.nr);
		say_probes(module, same.nr, why, names, say, ctx);
	}
	say_unplaced(module, say, ctx);
	say_damaged(module, say, ctx);
}
