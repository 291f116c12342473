/* SPDX-License-Identifier: Apache-2.0 */
/* modules_table.c - the tables of modules, and of where they were mapped. */
#include "base/memory.h"
#include "base/path.h"
#include "read/query/cell.h"
#include "read/query/sheet.h"

const char fc_modules_schema[] = "CREATE TABLE modules(\n"
				 "  id INTEGER,\n"
				 "  name TEXT,\n"
				 "  path TEXT,\n"
				 "  build_id TEXT,\n"
				 "  functions INTEGER,\n"
				 "  hooked INTEGER,\n"
				 "  entry_only INTEGER,\n"
				 "  skipped INTEGER,\n"
				 "  parts INTEGER)";

static int modules_open(struct fc_query *query, void **rows, size_t *nr)
{
	*rows = fc_alloc(1);
	*nr = fc_reader_nr_modules(query->reader);
	return 0;
}

static uint64_t count_how(const struct fc_module_info *module, int how)
{
	uint64_t nr = 0;
	for (size_t i = 0; i < module->nr_funcs; i++)
		nr += module->funcs[i].how == how;
	return nr;
}

static int modules_cell(struct fc_query *query, const void *rows, size_t row, int column,
			sqlite3_context *ctx)
{
	static const int hows[] = { FC_HOW_HOOKED, FC_HOW_ENTRY_ONLY, FC_HOW_SKIPPED,
				    FC_HOW_PART };
	const struct fc_module_info *module = fc_reader_module(query->reader, row);

	switch (column) {
	case 0:
		return fc_cell_number(ctx, module->id);
	case 1:
		return fc_cell_string(ctx, fc_base_name(module->path));
	case 2:
		return fc_cell_string(ctx, module->path);
	case 3:
		return fc_cell_string(
			ctx, module->build_id && *module->build_id ? module->build_id : NULL);
	case 4:
		return fc_cell_number(ctx, module->nr_funcs);
	default:
		return fc_cell_number(ctx, count_how(module, hows[column - 5]));
	}
}

const struct fc_sheet fc_sheet_modules = { modules_open, modules_cell, -1, NULL };

const char fc_maps_schema[] = "CREATE TABLE maps(\n"
			      "  module_id INTEGER,\n"
			      "  pid INTEGER,\n"
			      "  bias INTEGER,\n"
			      "  at_ns INTEGER)";

static int maps_open(struct fc_query *query, void **rows, size_t *nr)
{
	*rows = fc_alloc(1);
	*nr = fc_reader_nr_maps(query->reader);
	return 0;
}

static int maps_cell(struct fc_query *query, const void *rows, size_t row, int column,
		     sqlite3_context *ctx)
{
	const struct fc_map_info *map = fc_reader_map(query->reader, row);

	if (column == 3)
		return fc_cell_tsc(ctx, query, true, map->tsc);
	return fc_cell_int(ctx, true,
			   column == 0	 ? (int64_t)map->module_id
			   : column == 1 ? map->pid
					 : (int64_t)map->taddr);
}

const struct fc_sheet fc_sheet_maps = { maps_open, maps_cell, -1, NULL };
