/* SPDX-License-Identifier: Apache-2.0 */
/*
 * value_rows.h - a row for each function and what it was given, or what it returned, as text.
 *
 * There may be millions of different ones: once there are so many rows, or their texts are so large,
 * calls with others still share one row a function, and are counted.
 */
#ifndef FC_READ_SUMS_VALUE_ROWS_H
#define FC_READ_SUMS_VALUE_ROWS_H

#include "calls/call.h"
#include "values/recorded.h"

enum {
	FC_ALL_ARGS = UINT8_MAX,
	FC_NO_ARG = FC_ALL_ARGS - 1, /* the result */
};

struct fc_value_rows_opts {
	const struct fc_values *values;
	uint32_t arg;	  /* from 0, or one of these */
	uint32_t max;	  /* rows; 0: FC_VALUE_ROWS */
	size_t max_bytes; /* of texts; 0: FC_VALUE_ROWS_BYTES */
};

enum {
	FC_VALUE_ROWS = 128 * 1024,
	FC_VALUE_ROWS_BYTES = 32 * 1024 * 1024,
};

struct fc_value_row {
	uint32_t func;
	const char *value; /* NULL: not known. Until the next row is made */
};

struct fc_value_rows;
struct fc_value_rows *fc_value_rows_create(const struct fc_value_rows_opts *opts);
void fc_value_rows_destroy(struct fc_value_rows *rows);
/* Dense, from 1. */
uint32_t fc_value_rows_of_call(struct fc_value_rows *rows, const struct fc_call *call);
/* Of calls of which only the function is known. */
uint32_t fc_value_rows_of_func(struct fc_value_rows *rows, uint32_t func);
struct fc_value_row fc_value_rows_get(const struct fc_value_rows *rows, uint32_t row);
/* Calls whose values have no row of their own. */
uint64_t fc_value_rows_nr_others(const struct fc_value_rows *rows);

#endif
