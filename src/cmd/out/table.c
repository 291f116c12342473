/* SPDX-License-Identifier: Apache-2.0 */
/* table.c - orders, measures and writes the columns of a table. */
#include "cmd/out/table.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/printable.h"
#include "cmd/out/looks.h"
#include "trace/clock.h"

int fc_text_width(const char *text)
{
	int width = 0;

	for (; *text; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80; /* begins a character */
	return width;
}

void fc_print_foreign(FILE *out, const char *text)
{
	const char *end = text;

	while (*end >= ' ' && *end < 0x7f)
		end++;
	if (!*end) { /* as most are */
		fwrite(text, 1, (size_t)(end - text), out);
		return;
	}
	fc_auto_free char *shown = fc_strdup(text);
	fc_make_printable(shown, strlen(shown));
	fputs(shown, out);
}

static void put_blanks(FILE *out, int nr)
{
	for (; nr > 0; nr--)
		putc_unlocked(' ', out);
}

void fc_print_padded(FILE *out, const char *text, int width)
{
	fc_print_foreign(out, text);
	put_blanks(out, width - fc_text_width(text));
}

void fc_show_ns(const void *row, uint64_t ns, char ret[FC_CELL_ROOM])
{
	_Static_assert((int)FC_CELL_ROOM >= (int)FC_CLOCK_TEXT, "there is room for a time");
	fc_clock_ns_cell(ns, ret);
}

void fc_show_seconds(const void *row, uint64_t ns, char ret[FC_CELL_ROOM])
{
	snprintf(ret, FC_CELL_ROOM, "%.3f s", (double)ns / 1e9);
}

enum fc_tone fc_table_tone_dim(const struct fc_table *table, const void *row, uint64_t number)
{
	return FC_TONE_DIM;
}

/* ---- cells ---- */

static struct fc_table_cell cell_of(const struct fc_table_column *column, const void *row)
{
	const char *at = row;

	if (column->through)
		at = *(const char *const *)(at + column->through - 1);
	if (!at)
		return (struct fc_table_cell){ FC_CELL_ABSENT };
	at += column->at;
	switch (column->field) {
	case FC_FIELD_U64:
		return (struct fc_table_cell){ .number = *(const uint64_t *)at };
	case FC_FIELD_U32:
		return (struct fc_table_cell){ .number = *(const uint32_t *)at };
	case FC_FIELD_INT:
		return (struct fc_table_cell){ .number = (uint64_t) * (const int *)at };
	case FC_FIELD_CELL:
		return *(const struct fc_table_cell *)at;
	case FC_FIELD_TEXT:
		at = *(const char *const *)at;
		return (struct fc_table_cell){ at ? FC_CELL_TEXT : FC_CELL_NULL, .text = at };
	default:
		return (struct fc_table_cell){ FC_CELL_NULL };
	}
}

/* ---- as text ---- */

static const struct fc_table_column *shown_column(const struct fc_table *table, size_t nth)
{
	return &table->columns[table->order[nth]];
}

static int gap_before(const struct fc_table *table, size_t nth)
{
	const struct fc_table_column *column = shown_column(table, nth);

	return !nth ? 0 : column->gap ? column->gap : column->most ? 2 : 1;
}

static void print_cell(const struct fc_table *table, size_t nth, const char *text, bool is_left,
		       enum fc_tone tone)
{
	int pad = table->widths[table->order[nth]] - fc_text_width(text);
	bool is_last = nth + 1 == table->nr_shown;

	put_blanks(table->out, gap_before(table, nth) + (is_left || pad < 0 ? 0 : pad));
	if (tone)
		fc_put_tone(table->out, tone);
	fc_print_foreign(table->out, text); /* one line, whatever is in it */
	if (tone)
		fc_put_tone(table->out, FC_TONE_PLAIN);
	put_blanks(table->out, is_left && !is_last ? pad : 0);
	if (is_last)
		fputc('\n', table->out);
}

static void print_head(struct fc_table *table)
{
	for (size_t i = 0; !table->has_head && i < table->nr_shown; i++)
		print_cell(table, i, shown_column(table, i)->head, shown_column(table, i)->most,
			   FC_TONE_BOLD);
	table->has_head = true;
}

static void print_field(const struct fc_table *table, size_t nth, const void *row)
{
	const struct fc_table_column *column = shown_column(table, nth);
	struct fc_table_cell cell = cell_of(column, row);
	bool is_number = cell.kind == FC_CELL_NUMBER || cell.kind == FC_CELL_LITERAL;
	char room[FC_CELL_ROOM] = "-";

	if (!cell.text && column->show)
		column->show(row, cell.number, room);
	else if (!cell.text && is_number)
		snprintf(room, sizeof(room), "%llu", (unsigned long long)cell.number);
	enum fc_tone tone = !cell.text && *room == '-' ? FC_TONE_DIM
			    : column->tone	       ? column->tone(table, row, cell.number)
						       : FC_TONE_PLAIN;
	print_cell(table, nth, cell.text ? cell.text : room,
		   cell.kind == FC_CELL_TEXT || (!is_number && column->most), tone);
}

static void print_row(struct fc_table *table, const void *row)
{
	print_head(table);
	for (size_t i = 0; i < table->nr_shown; i++) {
		if (!shown_column(table, i)->print) {
			print_field(table, i, row);
			continue;
		}
		put_blanks(table->out, gap_before(table, i));
		shown_column(table, i)->print(table, row);
		fputc('\n', table->out);
	}
}

static void measure_row(struct fc_table *table, const void *row)
{
	for (size_t i = 0; i < table->nr_columns; i++) {
		struct fc_table_cell cell = cell_of(&table->columns[i], row);
		int width = cell.kind == FC_CELL_TEXT ? fc_text_width(cell.text) : 0;
		if (width > table->widths[i] && width <= table->columns[i].most)
			table->widths[i] = width;
	}
}

static void order_columns(struct fc_table *table)
{
	const struct fc_table_column *columns = table->columns;

	table->widths = fc_alloc(table->nr_columns * sizeof(*table->widths));
	table->order = fc_alloc(table->nr_columns * sizeof(*table->order));
	for (size_t i = 0; i < table->nr_columns; i++) {
		if (!columns[i].head)
			continue;
		int width = fc_text_width(columns[i].head);
		width = width < FC_TABLE_WIDEST ? width : FC_TABLE_WIDEST;
		table->widths[i] = columns[i].width > width ? columns[i].width : width;
		size_t at = table->nr_shown++;
		for (; at && columns[table->order[at - 1]].place > columns[i].place; at--)
			table->order[at] = table->order[at - 1];
		table->order[at] = i;
	}
}

static void fit_terminal(struct fc_table *table)
{
	int room = fc_looks_width();

	if (!room)
		return;
	for (int rank = 1; rank <= 3; rank++) {
		int width = 20 + gap_before(table, table->nr_shown - 1); /* the last one's */
		size_t nr = 0;
		for (size_t i = 0; i + 1 < table->nr_shown; i++)
			width += gap_before(table, i) + table->widths[table->order[i]];
		if (width <= room)
			return;
		for (size_t i = 0; i < table->nr_shown; i++)
			if (shown_column(table, i)->rank != rank)
				table->order[nr++] = table->order[i];
		table->nr_shown = nr;
	}
}

/* ---- as JSON and CSV ---- */

static void json_field(const struct fc_table *table, const struct fc_table_column *column,
		       const void *row)
{
	struct fc_json *json = table->json;
	struct fc_table_cell cell = cell_of(column, row);

	if (column->json)
		column->json(table, column->key, row);
	else if (cell.kind == FC_CELL_NUMBER)
		fc_json_number(json, column->key, cell.number);
	else if (cell.kind == FC_CELL_TEXT)
		fc_json_string(json, column->key, cell.text);
	else if (cell.kind == FC_CELL_LITERAL)
		fc_json_literal(json, column->key, cell.text);
	else if (cell.kind == FC_CELL_NULL)
		fc_json_null(json, column->key);
}

static void json_row(struct fc_table *table, const void *row)
{
	fc_json_open(table->json, NULL, '{');
	for (size_t i = 0; i < table->nr_columns; i++)
		if (table->columns[i].key)
			json_field(table, &table->columns[i], row);
	fc_json_close(table->json, '{');
}

static void csv_field(const struct fc_table *table, struct fc_table_cell cell)
{
	if (cell.kind == FC_CELL_NUMBER)
		fc_stream_number(table->csv, cell.number);
	else if (cell.kind == FC_CELL_LITERAL)
		fc_stream_text(table->csv, cell.text);
	else if (cell.kind == FC_CELL_TEXT && !*cell.text && table->is_exact)
		fc_stream_literal(table->csv, "\"\"");
	else if (cell.kind == FC_CELL_TEXT)
		fc_csv_quote(table->csv, cell.text, strlen(cell.text));
}

/* NULL: the keys. */
static void csv_row(const struct fc_table *table, const void *row)
{
	const char *before = "";

	for (size_t i = 0; i < table->nr_columns; i++) {
		const struct fc_table_column *column = &table->columns[i];
		struct fc_table_cell key = { FC_CELL_TEXT, .text = column->key };
		if (!column->key)
			continue;
		fc_stream_text(table->csv, before);
		csv_field(table, row ? cell_of(column, row) : key);
		before = ",";
	}
	fc_stream_text(table->csv, table->is_exact ? "\n" : "\r\n");
}

/* ---- rows ---- */

void fc_table_begin(struct fc_table *table)
{
	if (table->form == FC_FORM_TEXT) {
		order_columns(table);
	} else if (table->form == FC_FORM_CSV) {
		table->csv = fc_csv_open(table->out);
		csv_row(table, NULL);
	} else {
		table->own_json.out = table->out;
		table->json = table->json ? table->json : &table->own_json;
		fc_json_open(table->json, table->key, '[');
	}
}

void fc_table_row(struct fc_table *table, const void *row)
{
	if (table->form == FC_FORM_TEXT)
		print_row(table, row);
	else if (table->form == FC_FORM_CSV)
		csv_row(table, row);
	else
		json_row(table, row);
}

void fc_table_end(struct fc_table *table)
{
	if (table->form == FC_FORM_TEXT)
		print_head(table);
	else if (table->form == FC_FORM_CSV)
		fc_csv_close(table->csv);
	else
		fc_json_close(table->json, '[');
	free(table->widths);
	free(table->order);
}

void fc_table_print(struct fc_table *table, const void *rows, size_t nr, size_t size)
{
	const char *row = rows;

	fc_table_begin(table);
	for (size_t i = 0; i < nr && table->form == FC_FORM_TEXT; i++)
		measure_row(table, row + i * size);
	if (table->form == FC_FORM_TEXT && table->fits_terminal)
		fit_terminal(table);
	for (size_t i = 0; i < nr; i++)
		fc_table_row(table, row + i * size);
	fc_table_end(table);
}
