/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/view/print_unshown.h"

#include <inttypes.h>

#include "base/cleanup.h"
#include "cmd/out/say.h"
#include "cmd/view/reading.h"
#include "cmd/view/table.h"
#include "read/sums/unshown.h"

static const char *state_name(int state)
{
	static const char *const names[] = {
		[FC_HOOK_RECORDED] = "shown",
		[FC_HOOK_COUNTED] = "counted",
		[FC_HOOK_OUT] = "unseen",
	};
	return state >= 0 && state <= FC_HOOK_OUT ? names[state] : "?";
}

void fc_unshown_print(FILE *out, struct fc_reader *reader)
{
	fc_auto_free struct fc_unshown *list = NULL;
	size_t nr = fc_unshown_find(reader, &list);
	struct fc_namer namer = fc_reading_namer(reader);

	if (!nr)
		return;
	fprintf(out, "\nNot all calls of these are shown:\n%12s %12s %12s %12s  %-8s %s\n",
		"COUNTED", "SINCE", "COUNTED FOR", "UNSEEN FOR", "AT END", "FUNCTION");
	for (size_t i = 0; i < nr; i++) {
		struct fc_name func = namer.name_of(namer.ctx, list[i].func);
		fprintf(out, "%12" PRIu64 " %10.3f s %10.3f s %10.3f s  %-8s ", list[i].counted,
			(double)list[i].since_ns / 1e9, (double)list[i].count_ns / 1e9,
			(double)list[i].out_ns / 1e9, state_name(list[i].state));
		fc_print_foreign(out, func.name);
		fputc('\n', out);
	}
}

void fc_unshown_json(struct fc_json *json, struct fc_reader *reader)
{
	fc_auto_free struct fc_unshown *list = NULL;
	size_t nr = fc_unshown_find(reader, &list);
	struct fc_namer namer = fc_reading_namer(reader);
	uint64_t counted = 0;

	for (size_t i = 0; i < nr; i++)
		counted += list[i].counted;
	fc_json_number(json, "counted", counted);
	fc_json_open(json, "unshown", '[');
	for (size_t i = 0; i < nr; i++) {
		struct fc_name func = namer.name_of(namer.ctx, list[i].func);
		fc_json_open(json, NULL, '{');
		fc_json_string(json, "function", func.name);
		fc_json_string(json, "module", func.module);
		fc_json_number(json, "counted", list[i].counted);
		fc_json_number(json, "since_ns", list[i].since_ns);
		fc_json_number(json, "counted_for_ns", list[i].count_ns);
		fc_json_number(json, "unseen_for_ns", list[i].out_ns);
		fc_json_number(json, "changes", list[i].nr_changes);
		fc_json_string(json, "at_end", state_name(list[i].state));
		fc_json_close(json, '{');
	}
	fc_json_close(json, '[');
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
