/* SPDX-License-Identifier: Apache-2.0 */
/* csv.h - rows of comma-separated values (RFC 4180), written field by field. */
#ifndef FC_CMD_CSV_H
#define FC_CMD_CSV_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct fc_csv {
	FILE *out;
	bool has_field; /* in this row */
};

/* What is not to be shown of text becomes '?' (base/printable.h). */
void fc_csv_string(struct fc_csv *csv, const char *value);
void fc_csv_number(struct fc_csv *csv, uint64_t value);
void fc_csv_end_row(struct fc_csv *csv);

#endif
