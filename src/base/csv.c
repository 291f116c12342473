/* SPDX-License-Identifier: Apache-2.0 */
/* csv.c - quotes fields, and opens a stream to a FILE. */
#include "base/csv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/printable.h"

static bool is_special(const char *text, size_t len)
{
	return memchr(text, '"', len) || memchr(text, ',', len) || memchr(text, '\n', len);
}

/* What a spreadsheet would reckon, or run. */
static bool is_formula(const char *text, size_t len)
{
	return len && strchr("=+-@", text[0]);
}

/* Line by line: one may be in a field. */
static void make_printable(char *text, size_t len)
{
	for (size_t at = 0; at < len;) {
		const char *end = memchr(text + at, '\n', len - at);
		size_t nr = end ? (size_t)(end - text) - at : len - at;
		fc_make_printable(text + at, nr);
		at += nr + 1;
	}
}

char *fc_csv_field(const char *text, size_t len, size_t *ret_len)
{
	fc_auto_free char *shown = memcpy(fc_alloc(len + 1), text, len);
	bool is_quoted = is_special(text, len);
	char *field = fc_alloc(2 * len + 4), *at = field;

	make_printable(shown, len);
	if (is_quoted)
		*at++ = '"';
	if (is_formula(shown, len))
		*at++ = '\'';
	for (size_t i = 0; i < len; i++) {
		if (shown[i] == '"')
			*at++ = '"';
		*at++ = shown[i];
	}
	if (is_quoted)
		*at++ = '"';
	*ret_len = (size_t)(at - field);
	return field;
}

void fc_csv_quote(struct fc_stream *out, const char *text, size_t len)
{
	size_t nr;
	fc_auto_free char *field = fc_csv_field(text, len, &nr);
	fc_stream_put(out, field, nr);
}

static int write_file(void *ctx, const void *data, size_t len)
{
	return fwrite(data, 1, len, ctx) == len ? 0 : -EIO;
}

struct fc_stream *fc_csv_open(FILE *out)
{
	struct fc_stream *csv = fc_alloc(sizeof(*csv));
	fc_stream_init(csv, write_file, out);
	return csv;
}

void fc_csv_close(struct fc_stream *csv)
{
	fc_stream_flush(csv);
	fc_stream_deinit(csv);
	free(csv);
}
