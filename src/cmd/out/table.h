/* SPDX-License-Identifier: Apache-2.0 */
/*
 * table.h - rows of one struct, printed as text, as JSON, or as CSV.
 *
 *	static const struct fc_table_column columns[] = {
 *		{ "function", "FUNCTION", FC_FIELD(struct row, name), .most = 40, .place = 1 },
 *		{ "calls", "CALLS", FC_FIELD(struct row, calls), .width = 10 },
 *	};
 *
 * prints {"function": "main", "calls": 1}, or "main,1", or "         1  main" below its titles.
 */
#ifndef FC_CMD_OUT_TABLE_H
#define FC_CMD_OUT_TABLE_H

#include "base/csv.h"
#include "base/tone.h"
#include "cmd/out/json.h"

enum fc_form {
	FC_FORM_TEXT,
	FC_FORM_CSV,
	FC_FORM_JSON,
};

struct fc_table_cell {
	enum fc_table_cell_kind {
		FC_CELL_NUMBER,
		FC_CELL_TEXT,
		FC_CELL_LITERAL, /* text that is a number */
		FC_CELL_NULL,
		FC_CELL_ABSENT, /* as NULL, but a row of JSON does not have its key */
	} kind;
	uint64_t number;
	const char *text;
};

enum { FC_CELL_ROOM = 40 };

struct fc_table;
struct fc_table_column {
	const char *key;  /* in JSON and CSV; NULL: for people only */
	const char *head; /* its title as text; NULL: for programs only */
	enum fc_field_kind {
		FC_FIELD_NONE,
		FC_FIELD_U64,
		FC_FIELD_U32,
		FC_FIELD_INT,
		FC_FIELD_TEXT,
		FC_FIELD_CELL,
	} field;
	size_t at;	/* of the row's field, or of that in */
	size_t through; /* what the pointer here + 1 points to, if it is not NULL; 0: none */

	int width; /* as text, at least; the title widens it, too */
	/* Texts stand at the left and widen it up to this; wider ones stick out. 0: numbers. */
	int most;
	int place; /* as text columns with smaller ones come first; else as in the array */
	int gap;   /* blanks before it; 0: two before texts, one before numbers */
	int rank;  /* on a narrow terminal the one with 1 is left out first; 0: never */
	/* As text; NULL: a number in digits. */
	void (*show)(const void *row, uint64_t number, char ret[FC_CELL_ROOM]);
	/* NULL: plain */
	enum fc_tone (*tone)(const struct fc_table *table, const void *row, uint64_t number);
	/* A function that prints the last column's text, or the JSON cell, instead. */
	void (*print)(const struct fc_table *table, const void *row);
	void (*json)(const struct fc_table *table, const char *key, const void *row);
};

#define FC_FIELD(type, member)                                                                 \
	.field = _Generic(((type *)NULL)->member,                                              \
			  uint64_t: FC_FIELD_U64,                                              \
			  uint32_t: FC_FIELD_U32,                                              \
			  int: FC_FIELD_INT,                                                   \
			  char *: FC_FIELD_TEXT,                                               \
			  const char *: FC_FIELD_TEXT),                                        \
	.at = offsetof(type, member)

#define FC_COLUMNS(columns) columns, sizeof(columns) / sizeof((columns)[0])

enum { FC_TABLE_WIDEST = 80 }; /* titles */

/* For show(): nanoseconds as "1.234 ms" and as "0.001 s". */
void fc_show_ns(const void *row, uint64_t ns, char ret[FC_CELL_ROOM]);
void fc_show_seconds(const void *row, uint64_t ns, char ret[FC_CELL_ROOM]);

/* For tone(): what is seldom read. */
enum fc_tone fc_table_tone_dim(const struct fc_table *table, const void *row, uint64_t number);

struct fc_table {
	FILE *out;
	enum fc_form form;
	const struct fc_table_column *columns;
	size_t nr_columns;
	struct fc_json *json; /* an array within this, called key; NULL: JSON of its own */
	const char *key;
	const void *of; /* for print() and json() */
	bool is_exact;	/* CSV: empty texts are "", unlike NULL, and lines end with \n alone */
	bool fits_terminal; /* columns with a rank are left out until the last one has 20 */

	/* its own */
	struct fc_json own_json;
	struct fc_stream *csv;
	int *widths;
	size_t *order, nr_shown; /* columns of text */
	bool has_head;
};

/* Rows of size bytes each, in columns as wide as they need. */
void fc_table_print(struct fc_table *table, const void *rows, size_t nr, size_t size);

/* The same row by row, in columns of their own widths. */
void fc_table_begin(struct fc_table *table);
void fc_table_row(struct fc_table *table, const void *row);
void fc_table_end(struct fc_table *table);

/* Columns that a text takes; what is not UTF-8 counts a byte each. */
int fc_text_width(const char *text);
/* Text from a file or a program, fit for a terminal. */
void fc_print_foreign(FILE *out, const char *text);
/* The same, with spaces behind it up to width. */
void fc_print_padded(FILE *out, const char *text, int width);

#endif
