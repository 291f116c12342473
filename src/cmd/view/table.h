/* SPDX-License-Identifier: Apache-2.0 */
/* table.h - the table of functions: `report`, and -c at the end of a run. */
#ifndef FC_CMD_VIEW_TABLE_H
#define FC_CMD_VIEW_TABLE_H

#include <stdio.h>

#include "cmd/options/options.h"
#include "read/sums/report.h"

/* Sorted, cut and shown as settings say (-s, -n, --json). */
void fc_table_print(FILE *out, const struct fc_settings *settings,
		    const struct fc_report *report, const struct fc_clock *clock,
		    const struct fc_namer *namer);

/* Text from a file or a program, fit for a terminal. */
void fc_print_foreign(FILE *out, const char *text);
/* The same, with spaces behind it up to width. */
void fc_print_padded(FILE *out, const char *text, int width);
/* A column's width is at least that of text; what is longer than most sticks out. */
void fc_print_widen(int *width, const char *text, size_t most);
/* A column of 12 with a duration. */
void fc_print_duration(FILE *out, bool is_known, uint64_t ns);

#endif
