/* SPDX-License-Identifier: Apache-2.0 */
/* code_names.c - finds the function at an address, by what was mapped there at that time. */
#include "calls/code/code_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/vec.h"

enum { MOST_MAPS = 4096 };

/* A function; name: if it has no id, its symbol until it is asked for. */
struct row {
	uint64_t vaddr;
	uint32_t id;
	bool is_shown;
	char *name;
};

struct module {
	uint32_t id;
	FC_VEC(struct row) rows; /* ascending */
};

struct map {
	uint32_t module;
	uint64_t taddr;
};

struct fc_code {
	struct fc_namer namer;
	enum fc_demangle form;
	FC_VEC(struct module) modules;
	FC_VEC(struct map) maps;
};

struct fc_code *fc_code_create(struct fc_namer namer, enum fc_demangle form)
{
	struct fc_code *code = fc_alloc(sizeof(*code));
	code->namer = namer;
	code->form = form;
	return code;
}

void fc_code_destroy(struct fc_code *code)
{
	if (!code)
		return;
	fc_vec_each (&code->modules, module) {
		fc_vec_each (&module->rows, row)
			free(row->name);
		fc_vec_free(&module->rows);
	}
	fc_vec_free(&code->modules);
	fc_vec_free(&code->maps);
	free(code);
}

void fc_code_add_module(struct fc_code *code, const struct fc_module_info *info)
{
	struct module module = { .id = info->id };
	for (size_t i = 0; i < info->nr_funcs; i++) {
		const struct fc_func_info *func = &info->funcs[i];
		if (func->how == FC_HOW_PART || (!func->id && !func->name))
			continue;
		struct row row = { .vaddr = func->vaddr,
				   .id = func->id,
				   .name = func->id ? NULL : fc_strdup(func->name) };
		fc_vec_push(&module.rows, row);
	}
	fc_sort_by(module.rows.at, module.rows.nr, vaddr);
	fc_vec_push(&code->modules, module);
}

void fc_code_add_map(struct fc_code *code, const struct fc_map_info *info)
{
	fc_vec_each (&code->maps, map)
		if (map->module == info->module_id && map->taddr == info->taddr)
			return;
	if (code->maps.nr < MOST_MAPS)
		fc_vec_push(&code->maps, (struct map){ info->module_id, info->taddr });
}

static const char *name_of(const struct fc_code *code, struct row *row)
{
	if (row->id)
		return code->namer.name_of(code->namer.ctx, row->id).name;
	char *symbol = row->name;
	if (!row->is_shown) {
		row->name = fc_readable(symbol, code->form);
		row->is_shown = true;
		free(symbol);
	}
	return row->name;
}

static const char *name_in(const struct fc_code *code, const struct module *module,
			   uint64_t vaddr)
{
	size_t at = fc_bisect(module->rows.at, module->rows.nr, row, row->vaddr < vaddr);
	if (at == module->rows.nr || module->rows.at[at].vaddr != vaddr)
		return NULL;
	return name_of(code, &module->rows.at[at]);
}

const char *fc_code_name_at(const struct fc_code *code, uint64_t address)
{
	const char *found = NULL;
	fc_vec_each (&code->maps, map) {
		fc_vec_each (&code->modules, module) {
			const char *name = module->id == map->module
						   ? name_in(code, module, address - map->taddr)
						   : NULL;
			if (name && found && strcmp(name, found) != 0)
				return NULL;
			found = name ? name : found;
		}
	}
	return found;
}

static const char *name_at(const void *ctx, uint64_t address)
{
	return fc_code_name_at(ctx, address);
}

struct fc_value_code fc_code_for_values(const struct fc_code *code)
{
	return (struct fc_value_code){ name_at, code };
}
