/* SPDX-License-Identifier: Apache-2.0 */
/* print_changes.c - selects the functions that changed, and prints them. */
#include "cmd/view/print_changes.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/csv.h"
#include "base/whole.h"
#include "cmd/out/looks.h"
#include "cmd/out/table.h"
#include "read/sums/stat.h"
#include "trace/clock.h"

enum { VALUE_TEXT = FC_CLOCK_TEXT + 1 }; /* with a sign */

/* ---- what can be shown of a function ---- */

bool fc_changes_need_hist(const struct fc_settings *settings)
{
	bool is_all = settings->json || settings->diff.csv;
	const struct fc_columns *chosen = &settings->diff.fields;

	if (is_all && !settings->diff.flow)
		return true;
	for (size_t i = 0; i < chosen->nr; i++)
		if (chosen->at[i]->need == FC_NEEDS_HIST)
			return true;
	return false;
}

static bool is_time(const struct fc_stat *stat)
{
	return stat->kind != FC_STAT_NUMBER;
}

/* ---- which functions are shown ---- */

bool fc_changes_are_of_module(const struct fc_settings *settings, const char *module)
{
	char **globs = settings->diff.modules;

	for (size_t i = 0; globs && globs[i]; i++)
		if (fc_name_match((struct fc_name){ module, "" }, globs[i]))
			return true;
	return !globs;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* Does it pass -m and --min? */
static bool is_asked(const struct fc_settings *settings, const struct fc_change *change)
{
	return fc_changes_are_of_module(settings, change->name.module) &&
	       distance(change->rows[0].self_ns, change->rows[1].self_ns) >=
		       settings->diff.min_ns;
}

struct counts {
	size_t nr_shown, nr_matter, nr_noise, nr_cut;
	bool is_shown; /* this one */
};

/* Counts it, and says in counts->is_shown whether it is shown. */
static void judge(const struct fc_settings *settings, const struct fc_change *change,
		  struct counts *counts)
{
	bool is_wanted = is_asked(settings, change);
	bool matters = is_wanted && change->matters;
	bool may_show = matters || (is_wanted && settings->diff.all);
	bool has_room = !settings->nr_rows || counts->nr_shown < settings->nr_rows;

	counts->nr_matter += matters;
	counts->nr_noise += is_wanted && !matters;
	counts->is_shown = may_show && has_room;
	counts->nr_shown += counts->is_shown;
	counts->nr_cut += may_show && !has_room;
}

/* ---- text ---- */

static void value_text(const struct fc_stat *field, uint64_t value, const char *sign,
		       char ret[VALUE_TEXT])
{
	char time[FC_CLOCK_TEXT];

	fc_clock_ns_cell(value, time);
	if (is_time(field))
		snprintf(ret, VALUE_TEXT, "%s%s", sign, time);
	else
		snprintf(ret, VALUE_TEXT, "%s%" PRIu64, sign, value);
}

static void percent_text(const struct fc_change *change, uint64_t before, uint64_t after,
			 char ret[VALUE_TEXT])
{
	double percent = before ? 100 * ((double)after - (double)before) / (double)before : 0;

	if (!change->is_there[0] || !change->is_there[1])
		snprintf(ret, VALUE_TEXT, "%s", change->is_there[0] ? "gone" : "new");
	else if (!before)
		snprintf(ret, VALUE_TEXT, "%s", after ? "-" : "0%");
	else if (fabs(percent) >= 1000)
		snprintf(ret, VALUE_TEXT, "x%.0f", (double)after / (double)before);
	else
		snprintf(ret, VALUE_TEXT, "%+.*f%%", fabs(percent) < 9.95 ? 1 : 0, percent);
}

static void print_field(FILE *out, const struct fc_stat *field, const struct fc_change *change,
			bool is_short)
{
	uint64_t before = fc_stat_get(field, &change->rows[0]),
		 after = fc_stat_get(field, &change->rows[1]);
	int width = is_time(field) ? 11 : 9;
	char text[4][VALUE_TEXT];

	value_text(field, before, "", text[0]);
	value_text(field, after, "", text[1]);
	value_text(field, distance(before, after), after < before ? "-" : "+", text[2]);
	percent_text(change, before, after, text[3]);
	fprintf(out, "%*s %*s ", width, change->is_there[0] ? text[0] : "-", width,
		change->is_there[1] ? text[1] : "-");
	if (is_short)
		return;
	/* Fewer calls are as good as less time. */
	if (before != after)
		fc_put_tone(out, after > before ? FC_TONE_RED : FC_TONE_GREEN);
	fprintf(out, "%*s %7s ", width + 1, text[2], text[3]);
	fc_put_tone(out, FC_TONE_PLAIN);
}

static void print_titles(FILE *out, const struct fc_stat *field, bool is_short)
{
	int width = is_time(field) ? 11 : 9;
	char title[24];

	int len = (int)strcspn(field->head, " ");

	snprintf(title, sizeof(title), "%.*s A", len, field->head);
	fprintf(out, "%*s ", width, title);
	snprintf(title, sizeof(title), "%.*s B", len, field->head);
	fprintf(out, "%*s ", width, title);
	if (!is_short)
		fprintf(out, "%*s %7s ", width + 1, "CHANGE", "%");
}

static void print_row(FILE *out, const struct fc_change *change,
		      const struct fc_columns *chosen, bool is_short)
{
	for (size_t i = 0; i < chosen->nr; i++)
		print_field(out, chosen->at[i], change, is_short && !is_time(chosen->at[i]));
	fputc(' ', out);
	fc_print_foreign(out, change->name.name);
	if (*change->name.module && !strchr(change->name.name, '+')) {
		fputs(" (", out);
		fc_print_foreign(out, change->name.module);
		fputc(')', out);
	}
	fputc('\n', out);
}

/* The largest change that more runs would tell from noise, or not; NULL: there is none. */
static const struct fc_change *find_unsure(const struct fc_settings *settings,
					   const struct fc_changes *changes)
{
	const struct fc_change *found = NULL;

	for (size_t i = 0; i < changes->nr; i++) {
		const struct fc_change *change = &changes->at[i];
		if (change->is_unsure && is_asked(settings, change) &&
		    (!found || fabs(change->change_ns) > fabs(found->change_ns)))
			found = change;
	}
	return found;
}

static void print_unsure(FILE *out, const struct fc_change *change)
{
	char time[FC_CLOCK_TEXT];

	if (!change)
		return;
	fc_clock_ns_text(fc_whole(fabs(change->change_ns)), time);
	fputs("Not certain from one run of each: ", out);
	fc_print_foreign(out, change->name.name);
	fprintf(out, " %c%s", change->change_ns < 0 ? '-' : '+', time);
	if (change->rows[0].self_ns)
		fprintf(out, " (%+.0f%%)",
			100 * change->change_ns / (double)change->rows[0].self_ns);
	fputs("; record each several times, then fctrace diff 'a*.data' 'b*.data'\n", out);
}

/* Time that no row of the table has, such as the loader's. */
static void print_apart(FILE *out, const char *what, double a, double b)
{
	char text[2][FC_CLOCK_TEXT];

	if (a < 1000 && b < 1000)
		return;
	fc_clock_ns_text(fc_whole(a), text[0]);
	fc_clock_ns_text(fc_whole(b), text[1]);
	fprintf(out, "Not compared: %s took %s in A, %s in B.\n", what, text[0], text[1]);
}

static void print_noise(FILE *out, const struct fc_settings *settings,
			const struct fc_changes *changes, const struct counts *counts)
{
	const struct fc_noise *noise = &changes->noise;

	if (counts->nr_cut)
		fprintf(out, "%zu more functions changed (-n)\n", counts->nr_cut);
	if (!counts->nr_matter)
		fputs("No function was called more or less often, or changed in its own time "
		      "by more than the noise.\n",
		      out);
	if (counts->nr_noise && !settings->diff.all)
		fprintf(out,
			"%zu %sfunction%s did not change: as many calls, and self times within "
			"the noise (%.0f%%) or too short to matter (1%% of the run)\n",
			counts->nr_noise, counts->nr_matter ? "other " : "",
			counts->nr_noise == 1 ? "" : "s", 100 * noise->least);
	print_unsure(out, find_unsure(settings, changes));
	if (noise->pace > 1.05 || noise->pace < 0.95)
		fprintf(out,
			"Most functions took %.2f times as long in B: the machine may account "
			"for that.\n",
			noise->pace);
	print_apart(out, "the end of the process", changes->apart[0].end_ns,
		    changes->apart[1].end_ns);
	print_apart(out, "the loader", changes->apart[0].loader_ns,
		    changes->apart[1].loader_ns);
}

size_t fc_changes_print(FILE *out, const struct fc_settings *settings,
			const struct fc_changes *changes)
{
	struct fc_columns chosen = settings->diff.fields;
	struct counts counts = { .nr_shown = 0 };
	bool is_short = !chosen.nr;

	if (is_short)
		fc_columns_parse("calls,self", "a field", &chosen);
	for (size_t i = 0; i < changes->nr; i++) {
		judge(settings, &changes->at[i], &counts);
		if (!counts.is_shown)
			continue;
		if (counts.nr_shown == 1) {
			fc_put_tone(out, FC_TONE_BOLD);
			for (size_t k = 0; k < chosen.nr; k++)
				print_titles(out, chosen.at[k],
					     is_short && !is_time(chosen.at[k]));
			fputs(" FUNCTION", out);
			fc_put_tone(out, FC_TONE_PLAIN);
			fputc('\n', out);
		}
		print_row(out, &changes->at[i], &chosen, is_short);
	}
	print_noise(out, settings, changes, &counts);
	return counts.nr_matter;
}

/* ---- CSV: RFC 4180, but for the line ends ---- */

static const char *state_of(const struct fc_change *change)
{
	if (!change->is_there[0])
		return "new";
	if (!change->is_there[1])
		return "gone";
	return change->matters ? "changed" : "same";
}

static void csv_text(FILE *out, const char *text)
{
	size_t len;
	fc_auto_free char *field = fc_csv_field(text, strlen(text), &len);
	fputs(field, out);
}

/* A number that the trace does not tell is left out. */
static bool is_known(const struct fc_stat *stat, const struct fc_report_row *row)
{
	return stat->need != FC_NEEDS_WAITS || row->has_waits;
}

static void csv_stat(FILE *out, const struct fc_stat *stat, const struct fc_report_row *row)
{
	fputc(',', out);
	if (is_known(stat, row))
		fprintf(out, "%" PRIu64, fc_stat_get(stat, row));
}

size_t fc_changes_csv(FILE *out, const struct fc_settings *settings,
		      const struct fc_changes *changes)
{
	struct counts counts = { .nr_shown = 0 };

	fputs("function,module,state", out);
	for (size_t k = 0; k < FC_NR_STATS; k++)
		fprintf(out, ",%s_a,%s_b", fc_stats[k].key, fc_stats[k].key);
	fputs("\n", out);
	for (size_t i = 0; i < changes->nr; i++) {
		const struct fc_change *change = &changes->at[i];
		judge(settings, change, &counts);
		if (!counts.is_shown)
			continue;
		csv_text(out, change->name.name);
		fputc(',', out);
		csv_text(out, change->name.module);
		fprintf(out, ",%s", state_of(change));
		for (size_t k = 0; k < FC_NR_STATS; k++)
			for (int side = 0; side < 2; side++)
				csv_stat(out, &fc_stats[k], &change->rows[side]);
		fputs("\n", out);
	}
	return counts.nr_matter;
}

/* ---- JSON ---- */

static void json_side(struct fc_json *json, const char *key, const struct fc_change *change,
		      int side)
{
	if (!change->is_there[side]) {
		fc_json_null(json, key);
		return;
	}
	fc_json_open(json, key, '{');
	for (size_t k = 0; k < FC_NR_STATS; k++)
		if (is_known(&fc_stats[k], &change->rows[side]))
			fc_json_number(json, fc_stats[k].key,
				       fc_stat_get(&fc_stats[k], &change->rows[side]));
	fc_json_close(json, '{');
}

static void json_signed(struct fc_json *json, const char *key, double value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, fc_whole_signed(value));
	fc_json_literal(json, key, text);
}

static void json_apart(struct fc_json *json, const char *end, const char *loader,
		       const struct fc_changes_apart *apart)
{
	fc_json_number(json, end, fc_whole(apart->end_ns));
	fc_json_number(json, loader, fc_whole(apart->loader_ns));
}

size_t fc_changes_json(struct fc_json *json, const struct fc_settings *settings,
		       const struct fc_changes *changes)
{
	struct counts counts = { .nr_shown = 0 };

	fc_json_number(json, "noise_permille", fc_whole(1000 * changes->noise.least));
	fc_json_number(json, "pace_permille", fc_whole(1000 * changes->noise.pace));
	json_apart(json, "end_ns_a", "loader_ns_a", &changes->apart[0]);
	json_apart(json, "end_ns_b", "loader_ns_b", &changes->apart[1]);
	fc_json_open(json, "functions", '[');
	for (size_t i = 0; i < changes->nr; i++) {
		const struct fc_change *change = &changes->at[i];
		judge(settings, change, &counts);
		if (!counts.is_shown)
			continue;
		fc_json_open(json, NULL, '{');
		fc_json_string(json, "function", change->name.name);
		fc_json_string(json, "module", change->name.module);
		fc_json_string(json, "state", state_of(change));
		json_signed(json, "change_ns", change->change_ns);
		json_side(json, "a", change, 0);
		json_side(json, "b", change, 1);
		fc_json_close(json, '{');
	}
	fc_json_close(json, '[');
	return counts.nr_matter;
}
