/* SPDX-License-Identifier: Apache-2.0 */
/* functions_table.c - the table of functions: what the trace says of each, and its sums. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/order.h"
#include "base/path.h"
#include "base/vec.h"
#include "calls/kinds.h"
#include "read/query/cell.h"
#include "read/query/sheet.h"
#include "read/query/values.h"

const char fc_functions_schema[] = "CREATE TABLE functions(\n"
				   "  id INTEGER,\n"
				   "  name TEXT,\n"
				   "  module TEXT,\n"
				   "  module_id INTEGER,\n"
				   "  vaddr INTEGER,\n"
				   "  size INTEGER,\n"
				   "  state TEXT,\n"
				   "  why TEXT,\n"
				   "  calls INTEGER,\n"
				   "  counted INTEGER,\n"
				   "  total_ns INTEGER,\n"
				   "  self_ns INTEGER,\n"
				   "  wait_ns INTEGER,\n"
				   "  self_wait_ns INTEGER,\n"
				   "  min_ns INTEGER,\n"
				   "  avg_ns INTEGER,\n"
				   "  max_ns INTEGER,\n"
				   "  p50_ns INTEGER,\n"
				   "  p99_ns INTEGER,\n"
				   "  first_ns INTEGER,\n"
				   "  last_ns INTEGER,\n"
				   "  longest_ns INTEGER,\n"
				   "  longest_strand INTEGER)";

enum {
	FUNC_ID,
	FUNC_NAME,
	FUNC_MODULE,
	FUNC_MODULE_ID,
	FUNC_VADDR,
	FUNC_SIZE,
	FUNC_STATE,
	FUNC_WHY,
	FUNC_CALLS,
	FUNC_COUNTED,
	FUNC_TOTAL,
	FUNC_SELF,
	FUNC_WAIT,
	FUNC_SELF_WAIT,
	FUNC_MIN,
	FUNC_AVG,
	FUNC_MAX,
	FUNC_P50,
	FUNC_P99,
	FUNC_FIRST,
	FUNC_LAST,
	FUNC_LONGEST,
	FUNC_LONGEST_STRAND,
};

/* info NULL: the trace has only its name. */
struct function {
	uint32_t id;
	const struct fc_func_info *info;
	const struct fc_module_info *of;
};

/* Functions without an id have no calls: they come first. */
static int by_id(const void *a, const void *b)
{
	const struct function *x = a, *y = b;
	return fc_order(x->id, y->id) ?: fc_order(x->info, y->info);
}

static int functions_open(struct fc_query *query, void **rows, size_t *nr)
{
	struct fc_reader *reader = query->reader;
	FC_VEC(struct function) found = { 0 };

	for (size_t i = 0; i < fc_reader_nr_modules(reader); i++) {
		const struct fc_module_info *module = fc_reader_module(reader, i);
		for (size_t k = 0; k < module->nr_funcs; k++)
			if (!module->funcs[k].id)
				fc_vec_push(&found,
					    (struct function){ 0, &module->funcs[k], module });
	}
	for (uint32_t id = 1; id <= fc_reader_max_func(reader); id++) {
		struct fc_func_ref ref = fc_reader_func(reader, id);
		if (ref.info || strcmp(ref.name, "?"))
			fc_vec_push(&found, (struct function){ id, ref.info, ref.of });
	}
	fc_vec_sort(&found, by_id);
	*rows = found.at;
	*nr = found.nr;
	return 0;
}

static int64_t functions_id(const void *rows, size_t row)
{
	return ((const struct function *)rows)[row].id;
}

static int function_when(const struct fc_query *query, const struct fc_report_row *sum,
			 int column, sqlite3_context *ctx)
{
	const struct fc_report_when *when = &sum->when;
	bool is_known = sum->nr_timed;

	if (column == FUNC_LONGEST_STRAND)
		return fc_cell_int(ctx, is_known, when->longest_strand);
	return fc_cell_tsc(ctx, query, is_known,
			   column == FUNC_FIRST	 ? when->first_tsc
			   : column == FUNC_LAST ? when->last_tsc
						 : when->longest_tsc);
}

static int function_sums(struct fc_query *query, uint32_t id, int column, sqlite3_context *ctx)
{
	static const struct fc_report_row none;
	const struct fc_report_row *sum = NULL;
	int err = id ? fc_query_sums_func(query->sums, id, column >= FUNC_P50, &sum) : 0;
	if (err)
		return err;
	sum = sum ? sum : &none;
	if (column >= FUNC_FIRST)
		return function_when(query, sum, column, ctx);
	const uint64_t cells[] = { sum->calls,	 sum->counted,	    sum->total_ns, sum->self_ns,
				   sum->wait_ns, sum->self_wait_ns, sum->min_ns,   sum->avg_ns,
				   sum->max_ns,	 sum->p50_ns,	    sum->p99_ns };
	bool is_known = column < FUNC_WAIT  ? true
			: column < FUNC_MIN ? fc_reader_off_funcs(query->reader) != NULL
					    : sum->nr_timed;
	return fc_cell_int(ctx, is_known, fc_int64(cells[column - FUNC_CALLS]));
}

/* Such a function has a name only if it has a symbol. */
static int unhooked_name(const struct function *func, sqlite3_context *ctx)
{
	if (func->info->name)
		return fc_cell_string(ctx, func->info->name);
	sqlite3_result_text(
		ctx,
		sqlite3_mprintf("%s+0x%llx", fc_base_name(func->of->path), func->info->vaddr),
		-1, sqlite3_free);
	return 0;
}

static int functions_cell(struct fc_query *query, const void *rows, size_t row, int column,
			  sqlite3_context *ctx)
{
	const struct function *func = (const struct function *)rows + row;
	const struct fc_func_info *info = func->info;

	if (column >= FUNC_CALLS)
		return function_sums(query, func->id, column, ctx);
	switch (column) {
	case FUNC_ID:
		return fc_cell_int(ctx, func->id, func->id);
	case FUNC_NAME:
		return func->id ? fc_cell_func(ctx, query, func->id) : unhooked_name(func, ctx);
	case FUNC_MODULE:
		return func->id ? fc_cell_module(ctx, query, func->id)
				: fc_cell_string(ctx, fc_base_name(func->of->path));
	case FUNC_STATE:
		return fc_cell_string(ctx, info ? fc_how_word(info->how) : NULL);
	case FUNC_MODULE_ID:
		return fc_cell_int(ctx, info, info ? func->of->id : 0);
	case FUNC_WHY:
		return fc_cell_string(ctx, info ? info->why : NULL);
	case FUNC_VADDR:
		return fc_cell_int(ctx, info, info ? fc_int64(info->vaddr) : 0);
	default:
		return fc_cell_int(ctx, info, info ? fc_int64(info->size) : 0);
	}
}

const struct fc_sheet fc_sheet_functions = { functions_open, functions_cell, FUNC_ID,
					     functions_id };
