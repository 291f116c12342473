/* SPDX-License-Identifier: Apache-2.0 */
#include "base/csv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/printable.h"

static bool is_special(const char *text, size_t len)
{
	return memchr(text, '"', len) || memchr(text, ',', len);
}

void fc_csv_quote(struct fc_stream *out, const char *text, size_t len)
{
	fc_auto_free char *shown = memcpy(fc_alloc(len + 1), text, len);
	bool is_quoted = is_special(text, len);

	fc_make_printable(shown, len);
	if (is_quoted)
		fc_stream_char(out, '"');
	for (size_t i = 0; i < len; i++) {
		if (shown[i] == '"')
			fc_stream_char(out, '"');
		fc_stream_char(out, shown[i]);
	}
	if (is_quoted)
		fc_stream_char(out, '"');
}

void fc_csv_string(struct fc_csv *csv, const char *value)
{
	fc_csv_next_field(csv);
	fc_csv_quote(csv->out, value, strlen(value));
}

static int write_file(void *ctx, const void *data, size_t len)
{
	return fwrite(data, 1, len, ctx) == len ? 0 : -EIO;
}

void fc_csv_open(struct fc_csv *csv, FILE *out)
{
	*csv = (struct fc_csv){ .out = fc_alloc(sizeof(*csv->out)) };
	fc_stream_init(csv->out, write_file, out);
}

void fc_csv_close(struct fc_csv *csv)
{
	fc_stream_flush(csv->out);
	fc_stream_deinit(csv->out);
	free(csv->out);
	csv->out = NULL;
}
