/* SPDX-License-Identifier: Apache-2.0 */
/* print_rows.c - turns what an SQLite statement returns into cells of a table. */
#include "cmd/view/print_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/vec.h"

#define MEASURED_ROWS 1000 /* by which columns of a table are sized */

struct fc_result {
	sqlite3_stmt *stmt;
	struct fc_table table;
	struct fc_table_column *columns;
	FC_VEC(struct fc_table_cell) held; /* of the first rows of a table, later of one row */
	size_t nr_rows;			   /* held */
	bool has_begun;
};

struct fc_result *fc_result_create(FILE *out, enum fc_form form, sqlite3_stmt *stmt)
{
	struct fc_result *result = fc_alloc(sizeof(*result));
	size_t nr = (size_t)sqlite3_column_count(stmt);

	*result =
		(struct fc_result){ .stmt = stmt,
				    .columns = fc_alloc(nr * sizeof(struct fc_table_column)) };
	result->table = (struct fc_table){ out, form, result->columns, nr, .is_exact = true };
	for (size_t i = 0; i < nr; i++) {
		const char *name = sqlite3_column_name(stmt, (int)i);
		result->columns[i] =
			(struct fc_table_column){ name, name, FC_FIELD_CELL,
						  i * sizeof(struct fc_table_cell), .gap = 2 };
	}
	return result;
}

/* ---- what a cell says ---- */

static char *text_of(sqlite3_stmt *stmt, int i)
{
	return fc_strdup((const char *)sqlite3_column_text(stmt, i));
}

/* As SQL writes it, x'00ff', or its digits alone. */
static char *hex_of(sqlite3_stmt *stmt, int i, bool is_bare)
{
	const unsigned char *bytes = sqlite3_column_blob(stmt, i);
	int nr = sqlite3_column_bytes(stmt, i);
	char *text = fc_alloc((size_t)nr * 2 + sizeof("x''"));
	char *at = stpcpy(text, is_bare ? "" : "x'");
	for (int k = 0; k < nr; k++)
		at += sprintf(at, "%02x", bytes[k]);
	strcpy(at, is_bare ? "" : "'");
	return text;
}

/* So that it reads back as the same number: as SQLite says it, with all its digits. */
static char *real_of(double v)
{
	for (int digits = 15; digits < 17; digits++) {
		fc_auto_free char *text = fc_asprintf("%.*g", digits, v);
		if (strtod(text, NULL) == v)
			return fc_take(text);
	}
	return fc_asprintf("%.17g", v);
}

/* Its text is the caller's to free. */
static struct fc_table_cell cell_of(const struct fc_result *result, int i)
{
	sqlite3_stmt *stmt = result->stmt;
	bool is_json = result->table.form == FC_FORM_JSON;
	bool is_text = result->table.form == FC_FORM_TEXT;
	struct fc_table_cell null = { FC_CELL_NULL };
	double real = 0;

	switch (sqlite3_column_type(stmt, i)) {
	case SQLITE_NULL:
		return is_text ? (struct fc_table_cell){ FC_CELL_TEXT,
							 .text = fc_strdup("NULL") }
			       : null;
	case SQLITE_FLOAT:
		real = sqlite3_column_double(stmt, i);
		if (is_json && !isfinite(real))
			return null;
		return (struct fc_table_cell){ FC_CELL_LITERAL, .text = real_of(real) };
	case SQLITE_BLOB:
		return (struct fc_table_cell){ FC_CELL_TEXT, .text = hex_of(stmt, i, is_json) };
	case SQLITE_INTEGER:
		return (struct fc_table_cell){ FC_CELL_LITERAL, .text = text_of(stmt, i) };
	default:
		return (struct fc_table_cell){ FC_CELL_TEXT, .text = text_of(stmt, i) };
	}
}

/* ---- rows ---- */

/* A table's columns are as wide as its first rows need; titles stand as the first row does. */
static void size_columns(struct fc_result *result)
{
	size_t nr = result->table.nr_columns;

	for (size_t i = 0; i < result->held.nr; i++) {
		const struct fc_table_cell *cell = &result->held.at[i];
		struct fc_table_column *column = &result->columns[i % nr];
		int width = fc_text_width(cell->text);
		width = width < FC_TABLE_WIDEST ? width : FC_TABLE_WIDEST;
		column->width = width > column->width ? width : column->width;
		if (i < nr)
			column->most = cell->kind == FC_CELL_TEXT;
	}
}

static void print_held(struct fc_result *result)
{
	if (!result->has_begun && result->table.form == FC_FORM_TEXT)
		size_columns(result);
	if (!result->has_begun)
		fc_table_begin(&result->table);
	result->has_begun = true;
	for (size_t i = 0; i < result->held.nr; i += result->table.nr_columns)
		fc_table_row(&result->table, result->held.at + i);
	fc_vec_each (&result->held, cell)
		free((char *)cell->text);
	result->held.nr = 0;
}

void fc_result_row(struct fc_result *result)
{
	bool is_measured = result->table.form == FC_FORM_TEXT;

	for (size_t i = 0; i < result->table.nr_columns; i++)
		fc_vec_push(&result->held, cell_of(result, (int)i));
	if (result->has_begun || !is_measured || ++result->nr_rows == MEASURED_ROWS)
		print_held(result);
}

/* Without rows there are still columns. */
void fc_result_destroy(struct fc_result *result)
{
	if (!result)
		return;
	print_held(result);
	fc_table_end(&result->table);
	fc_vec_free(&result->held);
	free(result->columns);
	free(result);
}
