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

/* Why probe i is not hooked; NULL: it is, or i is a function. */
static const char *probe_why(const struct fc_module *module, const struct fc_stubs *stubs,
			     size_t i)
{
	size_t nr;
	const struct fc_func_info *info = &fc_plan_funcs(module->plan, &nr)[i];
	if (!fc_plan_is_probe(module->plan, i))
		return NULL;
	if (info->how == FC_HOW_SKIPPED)
		return info->why;
	for (size_t k = 0; stubs && k < stubs->nr_puns; k++)
		if (stubs->puns[k].func == i && !stubs->puns[k].hop_taddr)
			return "there is no place where the only jump that fits could lead";
	return NULL;
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
	const char *const *probes = fc_plan_unplaced_probes(module->plan, &nr);
	fc_auto_free char *names = fc_strdup("");
	for (size_t i = 0; i < nr; i++)
		add_name(&names, i, nr, probes[i]);
	if (nr)
		say_probes(module, nr,
			   "where a function begins its own hook is, and elsewhere there is "
			   "no code",
			   names, say, ctx);
}

void fc_module_probes_left_out(const struct fc_module *module, const struct fc_stubs *stubs,
			       void (*say)(void *ctx, const char *sentence), void *ctx)
{
	size_t nr;
	fc_plan_funcs(module->plan, &nr);
	bool *is_said = fc_alloc(nr + 1);
	for (size_t i = 0; i < nr; i++) {
		const char *why = probe_why(module, stubs, i);
		fc_auto_vec FC_VEC(size_t) same = { 0 };
		for (size_t k = i; why && !is_said[i] && k < nr; k++) {
			const char *other = probe_why(module, stubs, k);
			if (other && !strcmp(other, why))
				fc_vec_push(&same, k);
		}
		if (!same.nr)
			continue;
		fc_vec_each (&same, k)
			is_said[*k] = true;
		fc_auto_free char *names = names_of(module, same.at, same.nr);
		say_probes(module, same.nr, why, names, say, ctx);
	}
	free(is_said);
	say_unplaced(module, say, ctx);
}
