/* SPDX-License-Identifier: Apache-2.0 */
/*
 * print_rows.h - rows of a query, written as they come: aligned, as CSV, or as JSON.
 *
 * A table's columns are as wide as its first rows need; memory does not grow with the rows.
 */
#ifndef FC_CMD_VIEW_PRINT_ROWS_H
#define FC_CMD_VIEW_PRINT_ROWS_H

#include <sqlite3.h>
#include <stdio.h>

#include "cmd/out/table.h"

struct fc_result;
/* The columns are those of stmt, which outlives the result. */
struct fc_result *fc_result_create(FILE *out, enum fc_form form, sqlite3_stmt *stmt);
/* The row that stmt is on. */
void fc_result_row(struct fc_result *result);
/* No more rows: write what is held back. Destroying NULL is fine. */
void fc_result_destroy(struct fc_result *result);

#endif
