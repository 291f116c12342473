/* SPDX-License-Identifier: Apache-2.0 */
/* print_edges.c - collects the counted pairs of caller and callee, sorts and prints them. */
#include "cmd/view/print_edges.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/list.h"
#include "base/memory.h"
#include "base/path.h"
#include "base/vec.h"
#include "cmd/options/demangling.h"
#include "cmd/out/table.h"

struct row {
	uint64_t calls;
	char *caller, *caller_module;
	char *caller_symbol;
	uint32_t func; /* that was called, and when it is printed: */
	struct fc_name callee;
};

struct fc_edge_table {
	FC_VEC(struct row) rows;
	uint64_t nr_lost;
};

struct fc_edge_table *fc_edge_table_create(void)
{
	return fc_alloc(sizeof(struct fc_edge_table));
}

static void free_row(struct row *row)
{
	free(row->caller);
	free(row->caller_module);
	free(row->caller_symbol);
}

void fc_edge_table_destroy(struct fc_edge_table *table)
{
	if (!table)
		return;
	fc_vec_each (&table->rows, row) {
		free_row(row);
	}
	fc_vec_free(&table->rows);
	free(table);
}

static char *symbol_of_caller(const struct fc_edge *edge)
{
	const struct fc_func_info *func = edge->caller;
	if (!func)
		return fc_strdup("[unknown]");
	if (func->name)
		return fc_strdup(func->name);
	return fc_asprintf("%s+0x%llx", fc_base_name(edge->caller_path),
			   (unsigned long long)func->vaddr);
}

void fc_edge_table_add(struct fc_edge_table *table, const struct fc_edge *edges, size_t nr,
		       uint64_t nr_lost)
{
	table->nr_lost += nr_lost;
	for (size_t i = 0; i < nr; i++) {
		char *symbol = symbol_of_caller(&edges[i]);
		struct row row = {
			.calls = edges[i].calls,
			.caller = fc_readable(symbol, fc_demangle_asked()),
			.caller_symbol = symbol,
			.caller_module = fc_strdup(fc_base_name(edges[i].caller_path)),
			.func = edges[i].callee,
		};
		fc_vec_push(&table->rows, row);
	}
}

uint64_t fc_edge_table_lost(const struct fc_edge_table *table)
{
	return table->nr_lost;
}

/* ---- order ---- */

static int by_calls(const struct row *a, const struct row *b)
{
	return (a->calls < b->calls) - (a->calls > b->calls);
}

static int by_caller(const struct row *a, const struct row *b)
{
	int order = strcmp(a->caller_module, b->caller_module);
	order = order ? order : strcmp(a->caller, b->caller);
	/* Functions that are shown alike are others all the same. */
	return order ? order : strcmp(a->caller_symbol, b->caller_symbol);
}

static int by_callee(const struct row *a, const struct row *b)
{
	int order = strcmp(a->callee.module, b->callee.module);
	return order ? order : strcmp(a->callee.name, b->callee.name);
}

typedef int (*compare)(const struct row *a, const struct row *b);

static const struct {
	const char *name;
	compare compare;
} orders[] = { { "calls", by_calls }, { "caller", by_caller }, { "callee", by_callee } };

enum { NR_ORDERS = sizeof(orders) / sizeof(orders[0]) };

static compare order_of(struct fc_item key)
{
	for (size_t i = 0; i < NR_ORDERS; i++)
		if (fc_item_is(key, orders[i].name))
			return orders[i].compare;
	return NULL;
}

int fc_edge_table_check_keys(const char *keys)
{
	struct fc_item key;
	for (const char *p = keys; fc_list_next(&p, &key);) {
		if (!order_of(key))
			return fc_fail(EINVAL,
				       "%.*s: callers are not sorted by that; say calls, "
				       "caller or callee",
				       (int)key.len, key.at);
	}
	return 0;
}

static int by_keys(const void *a, const void *b, void *ctx)
{
	struct fc_item key;
	int order = 0;
	for (const char *p = ctx; !order && fc_list_next(&p, &key);) {
		compare by = order_of(key);
		order = by ? by(a, b) : 0;
	}
	/* Rows that are alike by all keys come in one order, too. */
	for (size_t i = 0; i < NR_ORDERS && !order; i++)
		order = orders[i].compare(a, b);
	return order;
}

/* ---- output ---- */

/* A part of a function may have had rows of its own: its names are the function's. */
static void merge_rows(struct fc_edge_table *table)
{
	size_t kept = 0;
	if (!table->rows.nr)
		return;
	qsort_r(table->rows.at, table->rows.nr, sizeof(struct row), by_keys, "caller,callee");
	for (size_t i = 1; i < table->rows.nr; i++) {
		struct row *last = &table->rows.at[kept], *row = &table->rows.at[i];
		if (last->func != row->func || by_caller(last, row)) {
			table->rows.at[++kept] = *row;
			continue;
		}
		last->calls += row->calls;
		free_row(row);
	}
	table->rows.nr = kept + 1;
}

#define ROW(member) FC_FIELD(struct row, member)

static const struct fc_table_column columns[] = {
	{ "caller", "CALLER", ROW(caller), .most = 40, .place = 2 },
	{ "caller_module", "MODULE", ROW(caller_module), .most = 40, .place = 1 },
	{ "callee", "CALLEE", ROW(callee.name), .most = 1, .place = 4 },
	{ "callee_module", "MODULE", ROW(callee.module), .most = 40, .place = 3 },
	{ "calls", "CALLS", ROW(calls), .width = 10 },
};

void fc_edge_table_print(FILE *out, const struct fc_settings *settings,
			 struct fc_edge_table *table, const struct fc_namer *namer)
{
	fc_vec_each (&table->rows, row)
		row->callee = namer->name_of(namer->ctx, row->func);
	merge_rows(table);
	const char *keys = settings->sort ? settings->sort : "calls";
	if (table->rows.nr)
		qsort_r(table->rows.at, table->rows.nr, sizeof(struct row), by_keys,
			(void *)keys);
	size_t nr = fc_settings_rows(settings, table->rows.nr);
	struct fc_table printed = { out, settings->json ? FC_FORM_JSON : FC_FORM_TEXT,
				    FC_COLUMNS(columns) };
	fc_table_print(&printed, table->rows.at, nr, sizeof(struct row));
}
