/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_why.c - fctrace why: where the time went, in a few sentences. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "calls/names.h"
#include "capture/kernel/tracefs.h"
#include "cmd/options/cmd.h"
#include "cmd/options/demangling.h"
#include "cmd/options/options.h"
#include "cmd/out/json.h"
#include "cmd/out/output.h"
#include "cmd/out/say.h"
#include "cmd/out/table.h"
#include "cmd/run/program.h"
#include "cmd/run/recording.h"
#include "cmd/view/reading.h"
#include "read/why/why.h"

enum { DEFAULT_ANSWERS = 6, WIDTH = 80 };

#define ATTACHED_NS (10ull * 1000 * 1000 * 1000) /* -p without --for */

/* ---- text ---- */

/* In lines of this width, with this in front of each but the first; 0: one line. */
static void print_wrapped(FILE *out, const char *text, size_t width, const char *indent)
{
	size_t at = 0;

	while (*text) {
		size_t len = strcspn(text, " "), room = len;
		fc_auto_free char *word = strndup(text, len);
		if (width && at && at + 1 + room > width) {
			fprintf(out, "\n%s", indent);
			at = strlen(indent);
		} else if (at) {
			fputc(' ', out);
			at++;
		}
		fc_print_foreign(out, word);
		at += len;
		text += len;
		text += *text == ' ';
	}
	fputc('\n', out);
}

static void print_sql(FILE *out, const char *sql)
{
	fputs("\n    ", out);
	for (; *sql; sql++)
		fputs(*sql == '\n' ? "\n    " : (char[]){ *sql, 0 }, out);
	fputc('\n', out);
}

static size_t nr_shown(const struct fc_settings *settings, const struct fc_answers *answers)
{
	uint32_t most = fc_count_or(settings->answers.nr, DEFAULT_ANSWERS);
	return most && most < answers->list.nr ? most : answers->list.nr;
}

static void print_text(FILE *out, const struct fc_settings *settings,
		       const struct fc_answers *answers, size_t width)
{
	for (size_t i = 0; i < nr_shown(settings, answers); i++) {
		const struct fc_answer *answer = &answers->list.at[i];
		if (i)
			fputc('\n', out);
		print_wrapped(out, answer->sentence, width, "");
		if (answer->command) {
			fputs("  ", out);
			fc_print_foreign(out, answer->command);
			fputc('\n', out);
		}
		if (settings->answers.show_sql)
			print_sql(out, answer->sql);
	}
}

/* ---- JSON ---- */

static void json_figure(struct fc_json *json, const struct fc_figure *figure)
{
	char text[40];

	switch (figure->kind) {
	case FC_FIGURE_INT:
		snprintf(text, sizeof(text), "%lld", (long long)figure->number);
		fc_json_literal(json, figure->name, text);
		return;
	case FC_FIGURE_REAL:
		snprintf(text, sizeof(text), "%.15g", figure->real);
		fc_json_literal(json, figure->name, text);
		return;
	default:
		fc_json_string(json, figure->name, figure->text);
	}
}

static void print_json(FILE *out, const struct fc_settings *settings, const char *path,
		       const struct fc_answers *answers)
{
	struct fc_json json = { .out = out };

	fc_json_open(&json, NULL, '{');
	fc_json_string(&json, "trace", path);
	fc_json_open(&json, "answers", '[');
	for (size_t i = 0; i < nr_shown(settings, answers); i++) {
		const struct fc_answer *answer = &answers->list.at[i];
		fc_json_open(&json, NULL, '{');
		fc_json_string(&json, "kind", answer->kind);
		fc_json_string(&json, "sentence", answer->sentence);
		fc_json_string(&json, "command", answer->command);
		fc_json_open(&json, "figures", '{');
		fc_vec_each (&answer->figures.list, figure)
			json_figure(&json, figure);
		fc_json_close(&json, '{');
		if (settings->answers.show_sql) {
			fc_json_string(&json, "sql", answer->sql);
			fc_json_number(&json, "took_ns", answer->took_ns);
		}
		fc_json_close(&json, '{');
	}
	fc_json_close(&json, '[');
	fc_json_close(&json, '{');
}

/* ---- a trace ---- */

static bool is_stopped(void *ctx)
{
	return fc_output_is_over();
}

/* FILE, as a shell takes it. */
static char *quoted(const char *path)
{
	struct fc_figures file = { 0 };

	fc_vec_push(&file.list, (struct fc_figure){ .name = "file",
						    .kind = FC_FIGURE_TEXT,
						    .text = (char *)path });
	char *word = fc_figures_sentence(&file, "{file:q}");
	fc_vec_free(&file.list);
	return word;
}

/* What is asked, and what it is compared with. */
struct traces {
	const char *path, *than_path;
	struct fc_reader *reader, *than; /* than: NULL if there is none */
};

/* False: said, *status is set. */
static bool ask(const struct traces *traces, struct fc_answers *answers, int *status)
{
	struct fc_query_opts opts = { .namer = fc_reading_namer(traces->reader),
				      .values = fc_reading_values(traces->reader),
				      .is_stopped = is_stopped };
	struct fc_query *query = NULL;
	bool is_default = !strcmp(traces->path, FC_DEFAULT_TRACE);
	fc_auto_free char *word = is_default ? fc_strdup("") : quoted(traces->path);
	fc_auto_free char *than = traces->than ? quoted(traces->than_path) : NULL;

	if (traces->than) {
		opts.than = traces->than;
		opts.than_namer = fc_reading_namer(traces->than);
	}
	int err = fc_query_open(traces->reader, &opts, &query);
	if (!err)
		err = fc_why_ask(query, word, than, answers);
	fc_query_close(query);
	if (!err || err == -EINTR)
		return true;
	fc_say("%s", fc_fail_text());
	*status = FC_STATUS_FAILED;
	return false;
}

static int show_answers(FILE *out, const struct fc_settings *settings,
			const struct traces *traces, size_t width)
{
	struct fc_answers answers = { 0 };
	int status = FC_STATUS_OK;

	if (!ask(traces, &answers, &status))
		return status;
	if (settings->json)
		print_json(out, settings, traces->path, &answers);
	else if (answers.list.nr)
		print_text(out, settings, &answers, width);
	else
		fc_say("%s: no call was recorded; fctrace info %s says what was hooked",
		       traces->path, traces->path);
	fc_answers_deinit(&answers);
	return status;
}

/* The older trace is open by then: a recording may take its name. */
static int show(FILE *out, const struct fc_settings *settings, struct traces *traces,
		size_t width)
{
	int status = FC_STATUS_OK;

	if (!fc_reading_open(1, (char **)&traces->path, &traces->reader, &status))
		return status;
	status = show_answers(out, settings, traces, width);
	int read_status = fc_reading_close(traces->reader);
	return status ? status : read_status;
}

static size_t width_of(int fd)
{
	return isatty(fd) ? WIDTH : 0;
}

static int show_on_stdout(const struct fc_settings *settings, struct traces *traces)
{
	FILE *out = fc_output_open();

	return fc_output_close(out, show(out, settings, traces, width_of(STDOUT_FILENO)));
}

/* ---- a program ---- */

/* What the sentences need, and what costs little. */
static struct fc_settings for_recording(const struct fc_settings *settings)
{
	static char *sizes[] = { "read", "write", "recv", "send", NULL };
	struct fc_settings own = *settings;

	own.more_results = sizes;
	if (!own.kernel.syscalls && !fc_tracefs_check()) {
		own.kernel.syscalls = own.kernel.is_unasked = true;
		own.kernel.by = FC_SYSCALLS_BY_TRACEFS;
	}
	if (own.nr_pids && !own.for_ns)
		own.for_ns = ATTACHED_NS;
	return own;
}

/* The program's stdout is its own. */
static int run_program(const struct fc_settings *settings, struct traces *traces, int argc,
		       char **argv)
{
	struct fc_settings own = for_recording(settings);
	struct fc_recording made;
	int status = 0;

	if (!fc_settings_has_target(&own, argc))
		return FC_STATUS_USAGE;
	if (!fc_recording_make(&own, argv, &made, &status))
		return status;
	traces->path = made.path;
	fc_auto_free char *moved = fc_asprintf("%s.old", made.path);
	if (traces->than && !strcmp(traces->than_path, made.path))
		traces->than_path = moved;
	if (own.nr_pids)
		return show_on_stdout(settings, traces);
	int shown = show(stderr, settings, traces, width_of(STDERR_FILENO));
	if (shown == FC_STATUS_FAILED)
		return shown;
	return fc_program_end(settings, made.wait_status);
}

/* Which no system would run. */
static bool is_trace(const char *word)
{
	struct stat st;

	return !stat(word, &st) && S_ISREG(st.st_mode) && !(st.st_mode & 0111);
}

static int run(const struct fc_settings *settings, struct traces *traces, int argc, char **argv)
{
	if (settings->nr_pids || (argc && !is_trace(argv[0])))
		return run_program(settings, traces, argc, argv);
	if (argc > 1) {
		fc_say("%s: one trace at a time; options stand before it", argv[1]);
		return FC_STATUS_USAGE;
	}
	traces->path = argc ? argv[0] : FC_DEFAULT_TRACE;
	return show_on_stdout(settings, traces);
}

static int run_why(const struct fc_settings *settings, int argc, char **argv)
{
	struct traces traces = { .than_path = settings->than };
	int status = FC_STATUS_OK;

	if (!fc_reading_open_than(settings, &traces.than, &status))
		return status;
	status = run(settings, &traces, argc, argv);
	int than_status = traces.than ? fc_reading_close(traces.than) : FC_STATUS_OK;
	return status ? status : than_status;
}

static const struct fc_option *const options[] = {
	FC_OPTION('n', NULL, "N", "at most N sentences (default 6; 0: all)",
		  FC_COUNT(answers.nr, "a number of sentences")),
	FC_OPTION(0, "show-sql", NULL, "below each sentence, the query that it answers",
		  FC_FLAG(answers.show_sql)),
	&fc_option_than,
	&fc_option_json,
	&fc_option_pids,
	&fc_option_for,
	&fc_option_trace_file,
	&fc_option_syscalls,
	&fc_option_waits,
	&fc_option_modules,
	&fc_option_libs,
	&fc_option_no_follow,
	&fc_option_budget,
	&fc_option_demangle,
	&fc_option_help,
	NULL,
};

const struct fc_cmd fc_cmd_why = {
	.name = "why",
	.usage = "[OPTIONS] [FILE | PROGRAM [ARGS] | -p PID]",
	.summary = "where the time went, in a few sentences",
	.options = options,
	.runs_program = true,
	.sibling = "record",
	.notes = "FILE: a trace that `fctrace record` wrote (default fctrace.data).\n"
		 "PROGRAM and -p PID are recorded first, a process for 10 s unless --for says\n"
		 "otherwise; what is said about PROGRAM goes to stderr.\n"
		 "Exit status: that of PROGRAM; of FILE and -p PID: 0, or 3 not a usable "
		 "trace,\n"
		 "4 some of the trace is missing (stderr says what). 2 wrong usage, 125 "
		 "fctrace\n"
		 "failed.\n",
	.run = run_why,
};
