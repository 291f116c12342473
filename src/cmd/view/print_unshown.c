/* SPDX-License-Identifier: Apache-2.0 */
/* print_unshown.c - prints the table of functions that were counted or not seen for a time. */
#include "cmd/view/print_unshown.h"

#include <inttypes.h>

#include "base/cleanup.h"
#include "cmd/out/say.h"
#include "cmd/out/table.h"
#include "cmd/view/reading.h"
#include "read/sums/unshown.h"

struct row {
	struct fc_unshown of;
	struct fc_name func;
	const char *at_end;
};

static const char *state_name(int state)
{
	static const char *const names[] = {
		[FC_HOOK_RECORDED] = "shown",
		[FC_HOOK_COUNTED] = "counted",
		[FC_HOOK_OUT] = "unseen",
	};
	return state >= 0 && state <= FC_HOOK_OUT ? names[state] : "?";
}

#define ROW(member) FC_FIELD(struct row, member)

static const struct fc_table_column columns[] = {
	{ "function", "FUNCTION", ROW(func.name), .most = 1, .place = 1 },
	{ "module", NULL, ROW(func.module) },
	{ "counted", "COUNTED", ROW(of.counted), .width = 12 },
	{ "since_ns", "SINCE", ROW(of.since_ns), .width = 12, .show = fc_show_seconds },
	{ "counted_for_ns", "COUNTED FOR", ROW(of.count_ns), .width = 12,
	  .show = fc_show_seconds },
	{ "unseen_for_ns", "UNSEEN FOR", ROW(of.out_ns), .width = 12, .show = fc_show_seconds },
	{ "changes", NULL, ROW(of.nr_changes) },
	{ "at_end", "AT END", ROW(at_end), .most = 1, .width = 7 },
};

static void print_rows(struct fc_table *table, struct fc_reader *reader,
		       const struct fc_unshown *list, size_t nr)
{
	struct fc_namer namer = fc_reading_namer(reader);

	fc_table_begin(table);
	for (size_t i = 0; i < nr; i++) {
		struct row row = { list[i], namer.name_of(namer.ctx, list[i].func),
				   state_name(list[i].state) };
		fc_table_row(table, &row);
	}
	fc_table_end(table);
}

void fc_unshown_print(FILE *out, struct fc_reader *reader)
{
	fc_auto_free struct fc_unshown *list = NULL;
	size_t nr = fc_unshown_find(reader, &list);
	struct fc_table table = { out, FC_FORM_TEXT, FC_COLUMNS(columns) };

	if (!nr)
		return;
	fputs("\nNot all calls of these are shown:\n", out);
	print_rows(&table, reader, list, nr);
}

void fc_unshown_json(struct fc_json *json, struct fc_reader *reader)
{
	fc_auto_free struct fc_unshown *list = NULL;
	size_t nr = fc_unshown_find(reader, &list);
	struct fc_table table = { NULL, FC_FORM_JSON, FC_COLUMNS(columns), json, "unshown" };
	uint64_t counted = 0;

	for (size_t i = 0; i < nr; i++)
		counted += list[i].counted;
	fc_json_number(json, "counted", counted);
	print_rows(&table, reader, list, nr);
}

void fc_unshown_add(struct fc_reader *reader, struct fc_report *report)
{
	for (uint32_t func = 1; func <= fc_reader_max_func(reader); func++)
		fc_report_add_counted(report, func, fc_reader_counted(reader, func));
}

void fc_unshown_say(struct fc_reader *reader)
{
	fc_auto_free struct fc_unshown *list = NULL;
	size_t nr = fc_unshown_find(reader, &list), nr_out = 0;
	uint64_t counted = 0;

	for (size_t i = 0; i < nr; i++) {
		counted += list[i].counted;
		nr_out += list[i].out_ns > 0;
	}
	if (nr)
		fc_say("of %zu functions not all calls are shown: %" PRIu64
		       " were only counted, and %zu functions were not seen at all for some "
		       "time; fctrace info lists them",
		       nr, counted, nr_out);
}
