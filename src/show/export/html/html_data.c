/* SPDX-License-Identifier: Apache-2.0 */
/* html_data.c - writes the page's data: functions, session, events. */
#include "show/export/html/html_data.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "read/sums/unshown.h"
#include "show/export/quoted.h"

#define MAX_FUNCTIONS  5000
#define MAX_NAME_BYTES (1 << 20) /* of all functions, as they are written */
#define MAX_ARGS       40

/* ---- pieces ---- */

static void put_key(struct fc_stream *out, const char *key)
{
	fc_stream_char(out, '"');
	fc_stream_text(out, key);
	fc_stream_text(out, "\":");
}

static void put_number(struct fc_stream *out, const char *key, uint64_t n)
{
	put_key(out, key);
	fc_stream_number(out, n);
	fc_stream_char(out, ',');
}

static void put_bool(struct fc_stream *out, const char *key, bool is)
{
	put_key(out, key);
	fc_stream_text(out, is ? "true," : "false,");
}

static void put_string(struct fc_stream *out, const char *key, const char *text)
{
	put_key(out, key);
	fc_html_string(out, text);
	fc_stream_char(out, ',');
}

/* ---- names ---- */

static int init_names(struct fc_html_names *names, struct fc_html_data *data)
{
	*names = (struct fc_html_names){ .data = data };
	int err = fc_report_rows(data->report, "total,calls", fc_reader_clock(data->reader),
				 &data->namer, &names->rows, &names->nr_rows);
	if (err)
		return err;
	for (size_t i = 0; i < names->nr_rows; i++)
		if (names->rows[i].func >= names->nr_numbers)
			names->nr_numbers = names->rows[i].func + 1;
	names->number = fc_alloc(((size_t)names->nr_numbers + 1) * sizeof(*names->number));
	fc_html_values_init(names);
	return 0;
}

static void deinit_names(struct fc_html_names *names)
{
	fc_html_values_deinit(names);
	free(names->rows);
	free(names->number);
	fc_vec_free(&names->words);
}

/* ---- functions ---- */

/* Modules are few: each has its own name pointer. */
static size_t module_number(const char ***modules, size_t *nr, const char *name)
{
	for (size_t i = 0; i < *nr; i++)
		if ((*modules)[i] == name || !strcmp((*modules)[i], name))
			return i;
	*modules = fc_realloc(*modules, (*nr + 1) * sizeof(**modules));
	(*modules)[*nr] = name;
	return (*nr)++;
}

/* [name, module, calls, timed calls, total, self, min, avg, max] */
static void put_row(struct fc_stream *out, const struct fc_report_row *row, size_t module)
{
	const uint64_t columns[] = { module,	   row->calls,	row->nr_timed, row->total_ns,
				     row->self_ns, row->min_ns, row->avg_ns,   row->max_ns };

	fc_stream_char(out, '[');
	fc_html_string(out, row->name.name);
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++) {
		fc_stream_char(out, ',');
		fc_stream_number(out, columns[i]);
	}
	fc_stream_char(out, ']');
}

static uint64_t written(const struct fc_stream *out)
{
	return out->nr_flushed + out->len;
}

static void put_functions(struct fc_html_names *names, struct fc_stream *out)
{
	fc_auto_free const char **modules = NULL;
	size_t nr_modules = 0;
	uint64_t begin = written(out);

	fc_stream_text(out, "\"functions\":[");
	for (size_t i = 0; i < names->nr_rows && i < MAX_FUNCTIONS; i++) {
		const struct fc_report_row *row = &names->rows[i];
		if (written(out) - begin > MAX_NAME_BYTES)
			break;
		if (i)
			fc_stream_text(out, ",\n");
		put_row(out, row, module_number(&modules, &nr_modules, row->name.module));
		names->number[row->func] = (uint32_t)i + 1;
		names->nr_shown++;
	}
	fc_stream_text(out, "],\n\"modules\":[");
	for (size_t i = 0; i < nr_modules; i++) {
		if (i)
			fc_stream_char(out, ',');
		fc_html_string(out, modules[i]);
	}
	fc_stream_text(out, "],\n");
}

/* The sums of the functions that are not shown. */
static void put_other_functions(const struct fc_html_names *names, struct fc_stream *out)
{
	uint64_t calls = 0, self_ns = 0;

	for (size_t i = names->nr_shown; i < names->nr_rows; i++) {
		calls += names->rows[i].calls;
		self_ns += names->rows[i].self_ns;
	}
	fc_stream_text(out, "\"other_functions\":{");
	put_number(out, "functions", names->nr_rows - names->nr_shown);
	put_number(out, "calls", calls);
	put_key(out, "self_ns");
	fc_stream_number(out, self_ns);
	fc_stream_text(out, "},\n");
}

/* ---- what it is of ---- */

static void put_args(const struct fc_reader *reader, struct fc_stream *out)
{
	int nr = fc_reader_argc(reader);

	put_key(out, "args");
	fc_stream_char(out, '[');
	for (int i = 0; i < nr && i < MAX_ARGS; i++) {
		if (i)
			fc_stream_char(out, ',');
		fc_html_string(out, fc_reader_arg(reader, i));
	}
	fc_stream_text(out, nr > MAX_ARGS ? ",\"…\"],\n" : "],\n");
}

static void put_session(const struct fc_html_data *data, struct fc_stream *out)
{
	const struct fc_clock *clock = fc_reader_clock(data->reader);
	struct fc_totals totals;

	fc_reader_totals(data->reader, &totals);
	const char *trouble = fc_reader_trouble(data->reader); /* the totals' as well */
	put_args(data->reader, out);
	put_string(out, "machine", fc_reader_machine(data->reader));
	put_string(out, "trouble", trouble ? trouble : "");
	put_bool(out, "by_calls", data->by_calls);
	put_bool(out, "is_complete", totals.is_complete);
	put_number(out, "began_ms", clock->real0_ns / 1000000);
	put_number(out, "duration_ns", totals.duration_ns);
	put_number(out, "calls", totals.calls);
	/* The trace also counts what has no name, which is never told. */
	put_number(out, "told", data->is_part ? data->nr_told : totals.calls);
	put_number(out, "lost", totals.lost);
	put_number(out, "waited_ns",
		   fc_clock_duration_ns(clock, fc_report_waited(data->report)));
	fc_stream_char(out, '\n');
}

/* ---- what is not there ---- */

static void put_unshown(const struct fc_html_data *data, struct fc_stream *out)
{
	fc_auto_free struct fc_unshown *list = NULL;
	size_t nr = fc_unshown_find(data->reader, &list), nr_out = 0;
	uint64_t counted = 0;

	for (size_t i = 0; i < nr; i++) {
		counted += list[i].counted;
		nr_out += list[i].out_ns > 0;
	}
	put_number(out, "unshown_functions", nr);
	put_number(out, "unseen_functions", nr_out);
	put_number(out, "counted", counted);
}

static void put_left_out(const struct fc_html_names *names, struct fc_stream *out)
{
	const struct fc_html_data *data = names->data;
	const struct fc_clock *clock = fc_reader_clock(data->reader);

	put_unshown(data, out);
	put_number(out, "stacks", fc_stacks_nr(data->stacks));
	put_number(out, "other_stacks_calls",
		   fc_graph_nr_beyond(fc_stacks_graph(data->stacks)));
	put_number(out, "step_ns",
		   fc_clock_duration_ns(clock, fc_timeline_step(data->timeline)));
	put_number(out, "levels", fc_timeline_levels(data->timeline));
	put_number(out, "deeper_calls", fc_timeline_nr_deeper(data->timeline));
	put_number(out, "elsewhere_calls", fc_timeline_nr_elsewhere(data->timeline));
	put_number(out, "valueless_spans", names->nr_valueless);
	put_number(out, "nr_moments", data->nr_moments);
	fc_stream_char(out, '\n');
}

/* [time, what, pid, tid, value, text] */
static void put_moments(const struct fc_html_data *data, struct fc_stream *out)
{
	const struct fc_clock *clock = fc_reader_clock(data->reader);

	fc_stream_text(out, "\"moments\":[");
	for (size_t i = 0; i < data->moments.nr; i++) {
		const struct fc_html_moment *moment = &data->moments.at[i];
		fc_stream_text(out, i ? ",\n[" : "[");
		fc_stream_number(out, fc_clock_ns(clock, moment->tsc));
		fc_stream_char(out, ',');
		fc_html_string(out, moment->what);
		fc_stream_char(out, ',');
		fc_stream_signed(out, moment->pid);
		fc_stream_char(out, ',');
		fc_stream_signed(out, moment->tid);
		fc_stream_char(out, ',');
		fc_stream_signed(out, moment->value);
		fc_stream_char(out, ',');
		fc_html_string(out, moment->text ? moment->text : "");
		fc_stream_char(out, ']');
	}
	fc_stream_text(out, "],\n");
}

static void put_words(const struct fc_html_names *names, struct fc_stream *out)
{
	fc_stream_text(out, "\"words\":[");
	for (size_t i = 0; i < names->words.nr; i++) {
		if (i)
			fc_stream_char(out, ',');
		fc_html_string(out, names->words.at[i]);
	}
	fc_stream_text(out, "]");
}

int fc_html_data_put(struct fc_html_data *data, struct fc_stream *out)
{
	struct fc_html_names names;
	int err = init_names(&names, data);

	if (err)
		return err;
	fc_stream_char(out, '{');
	put_session(data, out);
	put_left_out(&names, out);
	put_moments(data, out);
	put_functions(&names, out);
	put_other_functions(&names, out);
	fc_html_tree_put(&names, out);
	fc_html_tracks_put(&names, out);
	put_words(&names, out);
	fc_stream_char(out, '}');
	deinit_names(&names);
	return 0;
}
