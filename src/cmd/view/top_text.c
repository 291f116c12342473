/* SPDX-License-Identifier: Apache-2.0 */
/* top_text.c - formats the numbers, rows and JSON of fctrace top. */
#include "cmd/view/top_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/printable.h"
#include "capture/target/comm.h"
#include "cmd/out/json.h"
#include "cmd/out/table.h"

/* ---- numbers ---- */

struct word {
	char at[24];
};

/* Four digits at most: 12, 0.4, 123.4k, 12.3M */
static struct word number_word(double n, bool is_reckoned)
{
	static const char units[] = " kMGT";
	struct word word;
	int unit = 0;

	while (n >= 10000 && units[unit + 1]) {
		n /= 1000;
		unit++;
	}
	bool is_whole = n >= 1000 || (!unit && n == (double)(uint64_t)n);
	snprintf(word.at, sizeof(word.at), "%s%.*f%.*s", is_reckoned ? "~" : "",
		 is_whole ? 0 : 1, n, unit ? 1 : 0, units + unit);
	return word;
}

static struct word share_word(const struct fc_rate *rate, double share)
{
	struct word word = { "-" };

	if (rate->has_times)
		snprintf(word.at, sizeof(word.at), "%s%.1f", rate->is_times_reckoned ? "~" : "",
			 share * 100);
	return word;
}

/* 850ns, 12.3us, 4.56ms, 1.23s; with + if that is how long it has taken up to now. */
static struct word time_word(uint64_t ns, bool is_open)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	struct word word = { "-" };
	double n = (double)ns;
	int unit = 0;

	while (n >= 999.5 && unit < 3) {
		n /= 1000;
		unit++;
	}
	if (ns)
		snprintf(word.at, sizeof(word.at), "%.*f%s%s",
			 !unit || n >= 99.95 ? 0
			 : n >= 9.995	     ? 1
					     : 2,
			 n, units[unit], is_open ? "+" : "");
	return word;
}

/* ---- lines ---- */

void fc_top_head(const struct fc_top_frame *frame, char ret[FC_TOP_MAX_TEXT])
{
	struct word calls = number_word(frame->calls_per_s, false);

	snprintf(ret, FC_TOP_MAX_TEXT, "%.1f s  %s calls/s  %zu functions",
		 frame->begin_s + frame->seconds, calls.at, frame->rows.nr);
}

void fc_top_marks(const struct fc_top_frame *frame, char ret[FC_TOP_MAX_TEXT])
{
	int len = 0;

	*ret = 0;
	if (frame->nr_counted)
		len += snprintf(ret + len, FC_TOP_MAX_TEXT - (size_t)len, "  %zu only counted",
				frame->nr_counted);
	if (frame->nr_out)
		len += snprintf(ret + len, FC_TOP_MAX_TEXT - (size_t)len, "  %zu unhooked",
				frame->nr_out);
	if (frame->lost)
		snprintf(ret + len, FC_TOP_MAX_TEXT - (size_t)len, "  %" PRIu64 " records lost",
			 frame->lost);
}

/* Why there is less to be known of it; three columns. */
static const char *state_word(const struct fc_rate *rate)
{
	if (rate->state == FC_HOOK_COUNTED)
		return "cnt";
	if (rate->state == FC_HOOK_OUT)
		return "out";
	return rate->is_entry_only ? "ent" : "";
}

void fc_top_row_text(const struct fc_top_row *row, bool has_times, char ret[FC_TOP_MAX_TEXT])
{
	const struct fc_rate *rate = &row->rate;
	struct fc_rate timeless = { 0 };
	const struct fc_rate *times = has_times ? rate : &timeless;

	struct word calls = { "-" };

	if (!rate->is_unseen)
		calls = number_word(row->calls_per_s, rate->is_calls_reckoned);
	snprintf(ret, FC_TOP_MAX_TEXT, "%7s %6s %6s %6s %7s %6s %-3s ", calls.at,
		 share_word(times, row->total).at, share_word(times, row->self).at,
		 time_word(has_times ? row->avg_ns : 0, false).at,
		 time_word(has_times ? row->max_ns : 0, rate->is_max_open).at,
		 number_word((double)rate->calls_ever, false).at,
		 has_times ? state_word(rate) : "");
}

/* A thread's own name, as the kernel has it; "" if it has ended. */
static void thread_name(const struct fc_top_thread *thread, char ret[FC_TOP_MAX_TEXT])
{
	fc_comm_read(thread->tid, ret, FC_TOP_MAX_TEXT);
	fc_make_printable(ret, strlen(ret));
}

void fc_top_thread_text(const struct fc_top_thread *thread, char ret[FC_TOP_MAX_TEXT])
{
	char name[FC_TOP_MAX_TEXT];

	thread_name(thread, name);
	snprintf(ret, FC_TOP_MAX_TEXT, "%7s %6.1f %6u %7d %7d %-15.15s ",
		 number_word(thread->calls_per_s, false).at, thread->busy * 100, thread->depth,
		 thread->tid, thread->pid, name);
}

const char *fc_top_titles(bool by_thread)
{
	return by_thread ? "CALLS/S  BUSY%  DEPTH     TID     PID THREAD          "
			 : "CALLS/S TOTAL%  SELF%    AVG     MAX  CALLS     ";
}

/* ---- blocks ---- */

static size_t at_most(size_t nr, size_t limit)
{
	return limit && limit < nr ? limit : nr;
}

static int widest_name(const struct fc_top_frame *frame, size_t nr)
{
	const int most = 40;
	int width = sizeof("FUNCTION") - 1;

	for (size_t i = 0; i < nr; i++) {
		int len = (int)strlen(frame->rows.at[i].name.name);
		if (len > width)
			width = len < most ? len : most;
	}
	return width;
}

static void print_rows(FILE *out, const struct fc_top_frame *frame, size_t nr)
{
	int width = widest_name(frame, nr);

	fprintf(out, "%s%-*s MODULE\n", fc_top_titles(false), width, "FUNCTION");
	for (size_t i = 0; i < nr; i++) {
		const struct fc_top_row *row = &frame->rows.at[i];
		char text[FC_TOP_MAX_TEXT];
		fc_top_row_text(row, frame->has_times, text);
		fputs(text, out);
		fc_print_padded(out, row->name.name, width);
		fputc(' ', out);
		fc_print_foreign(out, row->name.module);
		fputc('\n', out);
	}
}

static void print_threads(FILE *out, const struct fc_top_frame *frame, size_t nr)
{
	fprintf(out, "%sFUNCTION\n", fc_top_titles(true));
	for (size_t i = 0; i < nr; i++) {
		const struct fc_top_thread *thread = &frame->threads.at[i];
		char text[FC_TOP_MAX_TEXT];
		fc_top_thread_text(thread, text);
		fputs(text, out);
		fc_print_foreign(out, thread->has_name ? thread->name.name : "");
		fputc('\n', out);
	}
}

void fc_top_print_block(FILE *out, const struct fc_top_frame *frame, bool by_thread,
			size_t nr_rows)
{
	char head[FC_TOP_MAX_TEXT], marks[FC_TOP_MAX_TEXT];

	fc_top_head(frame, head);
	fc_top_marks(frame, marks);
	fprintf(out, "fctrace top  %s%s\n", head, marks);
	if (by_thread)
		print_threads(out, frame, at_most(frame->threads.nr, nr_rows));
	else
		print_rows(out, frame, at_most(frame->rows.nr, nr_rows));
	fputc('\n', out);
}

/* ---- JSON ---- */

static void json_decimal(struct fc_json *json, const char *key, double n, bool is_known)
{
	char text[40];

	snprintf(text, sizeof(text), "%.6f", n);
	fc_json_literal(json, key, is_known ? text : "null");
}

static void json_time(struct fc_json *json, const char *key, uint64_t ns, bool is_known)
{
	if (is_known)
		fc_json_number(json, key, ns);
	else
		fc_json_null(json, key);
}

static const char *state_name(const struct fc_rate *rate)
{
	static const char *const names[] = { "recorded", "counted", "unhooked" };
	return rate->state < 3 ? names[rate->state] : "?";
}

static void json_row(struct fc_json *json, const struct fc_top_row *row, bool has_times)
{
	const struct fc_rate *rate = &row->rate;
	bool is_timed = has_times && rate->has_times;

	fc_json_open(json, NULL, '{');
	fc_json_string(json, "function", row->name.name);
	fc_json_string(json, "module", row->name.module);
	fc_json_string(json, "state", has_times ? state_name(rate) : "counted");
	fc_json_bool(json, "entry_only", rate->is_entry_only);
	fc_json_number(json, "calls", rate->seen_calls);
	fc_json_number(json, "calls_ever", rate->calls_ever);
	json_decimal(json, "calls_per_s", row->calls_per_s, !rate->is_unseen);
	fc_json_bool(json, "calls_reckoned", rate->is_calls_reckoned);
	json_decimal(json, "total_share", row->total, is_timed);
	json_decimal(json, "self_share", row->self, is_timed);
	fc_json_bool(json, "times_reckoned", is_timed && rate->is_times_reckoned);
	fc_json_number(json, "timed", rate->nr_timed);
	json_time(json, "avg_ns", row->avg_ns, rate->nr_timed);
	json_time(json, "max_ns", row->max_ns, rate->nr_timed || rate->nr_open);
	fc_json_bool(json, "max_open", rate->is_max_open);
	fc_json_number(json, "open", rate->nr_open);
	fc_json_close(json, '{');
}

static void json_thread(struct fc_json *json, const struct fc_top_thread *thread)
{
	char name[FC_TOP_MAX_TEXT];

	thread_name(thread, name);
	fc_json_open(json, NULL, '{');
	fc_json_number(json, "pid", (uint64_t)thread->pid);
	fc_json_number(json, "tid", (uint64_t)thread->tid);
	fc_json_string(json, "name", name);
	json_decimal(json, "calls_per_s", thread->calls_per_s, true);
	json_decimal(json, "busy_share", thread->busy, true);
	fc_json_number(json, "depth", thread->depth);
	fc_json_string(json, "function", thread->has_name ? thread->name.name : NULL);
	fc_json_close(json, '{');
}

void fc_top_print_json(FILE *out, const struct fc_top_frame *frame, size_t nr_rows)
{
	struct fc_json json = { .out = out, .is_line = true };

	fc_json_open(&json, NULL, '{');
	fc_json_number(&json, "interval", frame->nr);
	json_decimal(&json, "begin_s", frame->begin_s, true);
	json_decimal(&json, "seconds", frame->seconds, true);
	fc_json_bool(&json, "has_times", frame->has_times);
	fc_json_number(&json, "lost", frame->lost);
	fc_json_number(&json, "waited_ns", frame->waited_ns);
	fc_json_open(&json, "functions", '[');
	for (size_t i = 0; i < at_most(frame->rows.nr, nr_rows); i++)
		json_row(&json, &frame->rows.at[i], frame->has_times);
	fc_json_close(&json, '[');
	fc_json_open(&json, "threads", '[');
	for (size_t i = 0; i < frame->threads.nr; i++)
		json_thread(&json, &frame->threads.at[i]);
	fc_json_close(&json, '[');
	fc_json_close(&json, '{');
}
