/* SPDX-License-Identifier: Apache-2.0 */
/* value_rows.c - finds the row of a function's value by a hash of its text. */
#include "read/sums/value_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "base/memory.h"
#include "base/vec.h"
#include "calls/call_text.h"

#define OTHERS "<other values>"

struct row {
	uint64_t hash;
	uint32_t func;
	size_t text; /* its place, or NO_TEXT */
};

#define NO_TEXT SIZE_MAX

struct fc_value_rows {
	struct fc_value_rows_opts opts;
	FC_VEC(struct row) rows; /* from 1 on */
	FC_VEC(char) texts;	 /* each ends with a zero */
	uint32_t *slots;	 /* rows, by hash with linear probing; at most half full */
	size_t nr_slots;
	uint64_t nr_others;
	struct fc_value_text text; /* of one call */
};

struct fc_value_rows *fc_value_rows_create(const struct fc_value_rows_opts *opts)
{
	struct fc_value_rows *rows = fc_alloc(sizeof(*rows));
	rows->opts = *opts;
	if (!opts->max)
		rows->opts.max = FC_VALUE_ROWS;
	if (!opts->max_bytes)
		rows->opts.max_bytes = FC_VALUE_ROWS_BYTES;
	return rows;
}

void fc_value_rows_destroy(struct fc_value_rows *rows)
{
	if (!rows)
		return;
	fc_vec_free(&rows->rows);
	fc_vec_free(&rows->texts);
	free(rows->slots);
	free(rows);
}

static const char *text_of(const struct fc_value_rows *rows, const struct row *row)
{
	return row->text == NO_TEXT ? NULL : rows->texts.at + row->text;
}

static bool is(const struct fc_value_rows *rows, const struct row *row, uint64_t hash,
	       uint32_t func, const char *text)
{
	const char *its = text_of(rows, row);
	return row->hash == hash && row->func == func && !its == !text &&
	       (!text || !strcmp(its, text));
}

static void place_row(struct fc_value_rows *rows, uint32_t row)
{
	size_t slot = rows->rows.at[row - 1].hash & (rows->nr_slots - 1);
	while (rows->slots[slot])
		slot = (slot + 1) & (rows->nr_slots - 1);
	rows->slots[slot] = row;
}

static void grow(struct fc_value_rows *rows)
{
	rows->nr_slots = rows->nr_slots ? rows->nr_slots * 2 : 64;
	free(rows->slots);
	rows->slots = fc_alloc(rows->nr_slots * sizeof(*rows->slots));
	for (size_t i = 0; i < rows->rows.nr; i++)
		place_row(rows, (uint32_t)i + 1);
}

static size_t keep(struct fc_value_rows *rows, const char *text)
{
	size_t size = strlen(text) + 1, at = rows->texts.nr;
	fc_vec_reserve(&rows->texts, size);
	memcpy(rows->texts.at + at, text, size);
	rows->texts.nr += size;
	return at;
}

static uint32_t make(struct fc_value_rows *rows, uint64_t hash, uint32_t func, const char *text)
{
	size_t at = text ? keep(rows, text) : NO_TEXT;
	fc_vec_push(&rows->rows, (struct row){ hash, func, at });
	if (rows->rows.nr * 2 > rows->nr_slots)
		grow(rows);
	else
		place_row(rows, (uint32_t)rows->rows.nr);
	return (uint32_t)rows->rows.nr;
}

static uint64_t hash_of(uint32_t func, const char *text)
{
	uint64_t hash = fc_fnv(FC_FNV_BEGIN, func);
	if (text)
		hash = fc_fnv_bytes(fc_fnv(hash, 1), (const uint8_t *)text, strlen(text));
	return hash ^ hash >> 32;
}

/* 0: there is none. */
static uint32_t find(const struct fc_value_rows *rows, uint64_t hash, uint32_t func,
		     const char *text)
{
	if (!rows->nr_slots)
		return 0;
	size_t slot = hash & (rows->nr_slots - 1);
	while (rows->slots[slot] &&
	       !is(rows, &rows->rows.at[rows->slots[slot] - 1], hash, func, text))
		slot = (slot + 1) & (rows->nr_slots - 1);
	return rows->slots[slot];
}

/* Rows without values, and those of others, are as many as there are functions. */
static uint32_t find_or_make(struct fc_value_rows *rows, uint32_t func, const char *text)
{
	uint64_t hash = hash_of(func, text);
	return find(rows, hash, func, text) ?: make(rows, hash, func, text);
}

static bool is_full(const struct fc_value_rows *rows)
{
	return rows->rows.nr >= rows->opts.max || rows->texts.nr >= rows->opts.max_bytes;
}

static bool write_value(struct fc_value_rows *rows, const struct fc_call_values *of)
{
	const struct fc_values *values = rows->opts.values;
	switch (rows->opts.arg) {
	case FC_ALL_ARGS:
		return fc_call_args_text(values, of, &rows->text);
	case FC_NO_ARG:
		return fc_call_result_text(values, of, &rows->text);
	default:
		return fc_values_arg_text(values, fc_call_args(of), fc_call_result(of),
					  rows->opts.arg, &rows->text);
	}
}

uint32_t fc_value_rows_of_call(struct fc_value_rows *rows, const struct fc_call *call)
{
	if (!call->values || !write_value(rows, call->values))
		return find_or_make(rows, call->func, NULL);
	uint64_t hash = hash_of(call->func, rows->text.at);
	uint32_t row = find(rows, hash, call->func, rows->text.at);
	if (row)
		return row;
	if (!is_full(rows))
		return make(rows, hash, call->func, rows->text.at);
	rows->nr_others++;
	return find_or_make(rows, call->func, OTHERS);
}

uint32_t fc_value_rows_of_func(struct fc_value_rows *rows, uint32_t func)
{
	return find_or_make(rows, func, NULL);
}

struct fc_value_row fc_value_rows_get(const struct fc_value_rows *rows, uint32_t row)
{
	if (!row || row > rows->rows.nr)
		return (struct fc_value_row){ 0 };
	return (struct fc_value_row){ rows->rows.at[row - 1].func,
				      text_of(rows, &rows->rows.at[row - 1]) };
}

uint64_t fc_value_rows_nr_others(const struct fc_value_rows *rows)
{
	return rows->nr_others;
}
