/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/csv.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/printable.h"

static void begin_field(struct fc_csv *csv)
{
	if (csv->has_field)
		fputc(',', csv->out);
	csv->has_field = true;
}

void fc_csv_string(struct fc_csv *csv, const char *value)
{
	fc_auto_free char *shown = fc_strdup(value);
	bool is_quoted = value[strcspn(value, "\",")];

	begin_field(csv);
	if (is_quoted)
		fputc('"', csv->out);
	fc_make_printable(shown, strlen(shown));
	for (const char *p = shown; *p; p++) {
		if (*p == '"')
			fputc('"', csv->out);
		fputc(*p, csv->out);
	}
	if (is_quoted)
		fputc('"', csv->out);
}

void fc_csv_number(struct fc_csv *csv, uint64_t value)
{
	begin_field(csv);
	fprintf(csv->out, "%llu", (unsigned long long)value);
}

void fc_csv_end_row(struct fc_csv *csv)
{
	fputs("\r\n", csv->out);
	csv->has_field = false;
}
