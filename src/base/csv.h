/* SPDX-License-Identifier: Apache-2.0 */
/* csv.h - rows of comma-separated values (RFC 4180), field by field. */
#ifndef FC_BASE_CSV_H
#define FC_BASE_CSV_H

#include <stddef.h>
#include <stdio.h>

#include "base/stream.h"

/*
 * Text of len bytes as a field has it; malloc()ed, with a NUL behind it. What is not to be shown
 * becomes '?' (printable.h), but for ends of lines. Spreadsheets take what begins with = + - or @ for a
 * formula: there a ' stands before it.
 */
char *fc_csv_field(const char *text, size_t len, size_t *ret_len);
void fc_csv_quote(struct fc_stream *out, const char *text, size_t len);

/* A stream that goes to a file of stdio's; closed before the file is. */
struct fc_stream *fc_csv_open(FILE *out);
void fc_csv_close(struct fc_stream *csv);

#endif
