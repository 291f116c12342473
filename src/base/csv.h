/* SPDX-License-Identifier: Apache-2.0 */
/* csv.h - rows of comma-separated values (RFC 4180), written field by field. */
#ifndef FC_BASE_CSV_H
#define FC_BASE_CSV_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/stream.h"

struct fc_csv {
	struct fc_stream *out;
	bool has_field; /* in this row */
};

static inline void fc_csv_next_field(struct fc_csv *csv)
{
	if (csv->has_field)
		fc_stream_char(csv->out, ',');
	csv->has_field = true;
}

/*
 * Text of len bytes as a field has it; malloc()ed, with a NUL behind it. What is not to be shown
 * becomes '?' (printable.h), but for ends of lines. Spreadsheets take what begins with = + - or @ for a
 * formula: there a ' stands before it.
 */
char *fc_csv_field(const char *text, size_t len, size_t *ret_len);
void fc_csv_quote(struct fc_stream *out, const char *text, size_t len);

void fc_csv_string(struct fc_csv *csv, const char *value);

static inline void fc_csv_number(struct fc_csv *csv, uint64_t value)
{
	fc_csv_next_field(csv);
	fc_stream_number(csv->out, value);
}

/* end: of the line, "\r\n" by the RFC. */
static inline void fc_csv_end_row(struct fc_csv *csv, const char *end)
{
	fc_stream_text(csv->out, end);
	csv->has_field = false;
}

/* Rows that go to a file of stdio's, until it is closed. */
void fc_csv_open(struct fc_csv *csv, FILE *out);
void fc_csv_close(struct fc_csv *csv);

#endif
