/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/view/print_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/csv.h"
#include "base/memory.h"
#include "base/vec.h"
#include "cmd/out/json.h"
#include "cmd/view/table.h"

#define MEASURED_ROWS 1000 /* by which columns of a table are sized */
#define WIDEST	      80   /* of these, and wider ones stick out */

struct cell {
	char *text;
	bool is_number;
};

struct fc_result {
	FILE *out;
	enum fc_result_form form;
	sqlite3_stmt *stmt;
	int nr_columns;
	size_t nr_rows;
	int *widths;
	FC_VEC(struct cell) held; /* of a table's first rows */
	bool is_sized;
	struct fc_json json;
};

struct fc_result *fc_result_create(FILE *out, enum fc_result_form form, sqlite3_stmt *stmt)
{
	struct fc_result *result = fc_alloc(sizeof(*result));
	*result = (struct fc_result){ .out = out,
				      .form = form,
				      .stmt = stmt,
				      .nr_columns = sqlite3_column_count(stmt),
				      .json = { .out = out } };
	result->widths = fc_alloc(((size_t)result->nr_columns + 1) * sizeof(int));
	return result;
}

/* ---- what a cell says ---- */

static char *hex_of(const unsigned char *bytes, int nr, const char *head, const char *tail)
{
	char *text = fc_alloc((size_t)nr * 2 + strlen(head) + strlen(tail) + 1);
	char *at = stpcpy(text, head);
	for (int i = 0; i < nr; i++)
		at += sprintf(at, "%02x", bytes[i]);
	strcpy(at, tail);
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

/* As it is said in each form but for quotes; NULL: a NULL. */
static char *text_of(sqlite3_stmt *stmt, int i)
{
	switch (sqlite3_column_type(stmt, i)) {
	case SQLITE_NULL:
		return NULL;
	case SQLITE_FLOAT:
		return real_of(sqlite3_column_double(stmt, i));
	case SQLITE_BLOB:
		return hex_of(sqlite3_column_blob(stmt, i), sqlite3_column_bytes(stmt, i), "x'",
			      "'");
	default:
		return fc_strdup((const char *)sqlite3_column_text(stmt, i));
	}
}

static bool is_number(sqlite3_stmt *stmt, int i)
{
	int type = sqlite3_column_type(stmt, i);
	return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

/* ---- a table ---- */

/* Bytes that begin a character; what is not UTF-8 counts a byte each. */
static int width_of(const char *text)
{
	int width = 0;
	for (; *text; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}

static void print_cell(const struct fc_result *result, int i, const char *text, bool is_right)
{
	int pad = result->widths[i] - width_of(text);
	bool is_last = i == result->nr_columns - 1;

	if (is_right && pad > 0)
		fprintf(result->out, "%*s", pad, "");
	fc_print_foreign(result->out, text); /* one line, whatever is in it */
	if (!is_right && !is_last && pad > 0)
		fprintf(result->out, "%*s", pad, "");
	fputs(is_last ? "\n" : "  ", result->out);
}

static void print_cells(const struct fc_result *result, const struct cell *cells)
{
	for (int i = 0; i < result->nr_columns; i++)
		print_cell(result, i, cells[i].text ? cells[i].text : "NULL",
			   cells[i].is_number);
}

static void widen(struct fc_result *result, int i, const char *text)
{
	int width = width_of(text);
	if (width > WIDEST)
		width = WIDEST;
	if (width > result->widths[i])
		result->widths[i] = width;
}

/* The columns' names stand as most of what is below them does. */
static void print_head(struct fc_result *result)
{
	for (int i = 0; i < result->nr_columns; i++)
		print_cell(result, i, sqlite3_column_name(result->stmt, i),
			   result->held.nr && result->held.at[i].is_number);
}

static void print_held(struct fc_result *result)
{
	size_t nr = (size_t)result->nr_columns;

	result->is_sized = true;
	for (int i = 0; i < result->nr_columns; i++)
		widen(result, i, sqlite3_column_name(result->stmt, i));
	for (size_t i = 0; i < result->held.nr; i++) {
		const char *text = result->held.at[i].text;
		widen(result, (int)(i % nr), text ? text : "NULL");
	}
	print_head(result);
	for (size_t i = 0; i < result->held.nr; i += nr)
		print_cells(result, result->held.at + i);
	fc_vec_each (&result->held, cell)
		free(cell->text);
	fc_vec_free(&result->held);
}

static void table_row(struct fc_result *result)
{
	size_t before = result->held.nr;

	for (int i = 0; i < result->nr_columns; i++)
		fc_vec_push(&result->held, (struct cell){ text_of(result->stmt, i),
							  is_number(result->stmt, i) });
	if (!result->is_sized && result->nr_rows < MEASURED_ROWS)
		return;
	if (!result->is_sized) {
		print_held(result);
		return;
	}
	print_cells(result, result->held.at + before);
	fc_vec_each (&result->held, cell)
		free(cell->text);
	result->held.nr = 0;
}

/* ---- CSV (RFC 4180, lines end with a newline) ---- */

static void csv_text(FILE *out, const char *text)
{
	size_t len;
	fc_auto_free char *field = fc_csv_field(text, strlen(text), &len);
	fputs(*text ? field : "\"\"", out);
}

static void csv_head(const struct fc_result *result)
{
	for (int i = 0; i < result->nr_columns; i++) {
		fputs(i ? "," : "", result->out);
		csv_text(result->out, sqlite3_column_name(result->stmt, i));
	}
	fputc('\n', result->out);
}

/* A NULL is nothing, an empty text is "". */
static void csv_row(struct fc_result *result)
{
	if (result->nr_rows == 1)
		csv_head(result);
	for (int i = 0; i < result->nr_columns; i++) {
		fc_auto_free char *text = text_of(result->stmt, i);
		fputs(i ? "," : "", result->out);
		if (text && is_number(result->stmt, i))
			fputs(text, result->out);
		else if (text)
			csv_text(result->out, text);
	}
	fputc('\n', result->out);
}

/* ---- JSON ---- */

static void json_cell(struct fc_result *result, int i)
{
	const char *key = sqlite3_column_name(result->stmt, i);
	int type = sqlite3_column_type(result->stmt, i);
	fc_auto_free char *text = NULL;

	if (type == SQLITE_BLOB)
		text = hex_of(sqlite3_column_blob(result->stmt, i),
			      sqlite3_column_bytes(result->stmt, i), "", "");
	else
		text = text_of(result->stmt, i);
	bool is_known = text && (type != SQLITE_FLOAT ||
				 isfinite(sqlite3_column_double(result->stmt, i)));
	if (!is_known)
		fc_json_null(&result->json, key);
	else if (is_number(result->stmt, i))
		fc_json_literal(&result->json, key, text);
	else
		fc_json_string(&result->json, key, text);
}

static void json_row(struct fc_result *result)
{
	if (result->nr_rows == 1)
		fc_json_open(&result->json, NULL, '[');
	fc_json_open(&result->json, NULL, '{');
	for (int i = 0; i < result->nr_columns; i++)
		json_cell(result, i);
	fc_json_close(&result->json, '{');
}

/* ---- rows ---- */

void fc_result_row(struct fc_result *result)
{
	result->nr_rows++;
	if (result->form == FC_RESULT_CSV)
		csv_row(result);
	else if (result->form == FC_RESULT_JSON)
		json_row(result);
	else
		table_row(result);
}

/* Without rows there are still columns. */
static void finish(struct fc_result *result)
{
	if (result->form == FC_RESULT_TABLE && !result->is_sized)
		print_held(result);
	if (result->form == FC_RESULT_CSV && !result->nr_rows)
		csv_head(result);
	if (result->form != FC_RESULT_JSON)
		return;
	if (!result->nr_rows)
		fc_json_open(&result->json, NULL, '[');
	fc_json_close(&result->json, '[');
}

void fc_result_destroy(struct fc_result *result)
{
	if (!result)
		return;
	finish(result);
	fc_vec_free(&result->held);
	free(result->widths);
	free(result);
}
