/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_export.c - fctrace export: a trace in a format that other tools read. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/ending.h"
#include "base/fail.h"
#include "base/nearest.h"
#include "base/place.h"
#include "calls/play.h"
#include "cmd/options/cmd.h"
#include "cmd/options/demangling.h"
#include "cmd/options/options.h"
#include "cmd/options/srclines.h"
#include "cmd/out/amount.h"
#include "cmd/out/output.h"
#include "cmd/out/say.h"
#include "cmd/view/print_unshown.h"
#include "cmd/view/reading.h"
#include "show/export/format.h"

/* Can the format do what was asked for? Says what it cannot. */
static bool can_do(const struct fc_export_settings *settings, const struct fc_format *format)
{
	const struct {
		bool is_asked, is_possible;
		const char *option, *why;
	} asked[] = {
		{ settings->by_calls, format->can_by_calls, "by-calls",
		  "holds no sums by calls" },
		{ settings->by_wait, format->can_by_wait, "wait", "holds no sums of waits" },
		{ settings->by_thread, format->can_by_thread, "by-thread", "holds no stacks" },
		{ settings->min.is_asked, format->can_min, "min", "leaves nothing out" },
		{ fc_srclines_are_asked(), format->can_source, "srcline", "names no sources" },
	};

	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		if (!asked[i].is_asked || asked[i].is_possible)
			continue;
		fc_say("--%s: %s %s", asked[i].option, format->name, asked[i].why);
		return false;
	}
	if (settings->by_wait && settings->by_calls)
		fc_say("--wait and --by-calls: one of both");
	return !settings->by_wait || !settings->by_calls;
}

struct export
{
	const struct fc_settings *settings;
	const struct fc_format *format;
	struct fc_reader *reader;
	struct fc_range range;
	struct fc_exporter *exporter;
	struct fc_stream stream;
	FILE *out; /* stdout, or NULL */
	int fd;	   /* of a file that was asked for, or -1 */
};

static int write_file(void *ctx, const void *data, size_t len)
{
	return fc_write_all(((struct export *)ctx)->fd, data, len);
}

static int write_stdout(void *ctx, const void *data, size_t len)
{
	fc_output_write(data, len);
	return 0;
}

static bool is_enough(void *ctx)
{
	const struct export *export = ctx;

	return fc_output_is_over() || fc_ending_signal() || export->stream.err ||
	       (export->exporter->has_failed && export->exporter->has_failed(export->exporter));
}

static void on_life(void *ctx, const struct fc_life_info *life)
{
	struct export *export = ctx;

	if (export->exporter->life)
		export->exporter->life(export->exporter, life);
}

/* Which format? False: it has been said why none. */
static bool choose(struct export *export)
{
	const struct fc_export_settings *settings = &export->settings->export;

	export->format = settings->format;
	if (!export->format && settings->output)
		export->format = fc_format_of_file(settings->output);
	if (!export->format && settings->output)
		fc_say("%s: its suffix names no format; say one with --format",
		       settings->output);
	else if (!export->format)
		fc_say("no format was named; say --format FORMAT, as fctrace export --help "
		       "lists them");
	else if (export->format->is_folder && !settings->output)
		fc_say("%s is a folder of files; name it with -o FOLDER", export->format->name);
	else if (export->format->is_binary && !settings->output && isatty(STDOUT_FILENO))
		fc_say("%s is not for a terminal; name a file with -o FILE",
		       export->format->name);
	else
		return can_do(settings, export->format);
	return false;
}

static bool is_part(const struct export *export)
{
	return fc_settings_filter_anything(export->settings) || export->range.from_tsc ||
	       export->range.to_tsc;
}

/* It may surprise who sits there: a trace has a byte for a call, or less. Before anything is written. */
static void say_how_large(const struct export *export, const char *trace)
{
	static const uint64_t small = 64 << 20;
	enum { MUCH_LARGER = 50 };
	const struct fc_format *format = export->format;
	uint64_t bytes = fc_reader_nr_calls(export->reader) * format->bytes_per_call;
	char amount[FC_AMOUNT_TEXT];
	struct stat st;

	if (is_part(export) || !isatty(STDERR_FILENO) || bytes < small || stat(trace, &st) ||
	    st.st_size <= 0 || bytes / (uint64_t)st.st_size < MUCH_LARGER)
		return;
	fc_amount_text(bytes, amount);
	fc_say("%s takes about %s for this trace, %" PRIu64
	       " times its size; -r, -F or -t choose "
	       "a part of it, -f perfetto is smaller",
	       format->name, amount, bytes / (uint64_t)st.st_size);
}

/* A trace is not to be lost to a slip of the fingers. */
static bool is_trace(const char *output, const char *trace)
{
	struct stat a, b;

	return !stat(output, &a) && !stat(trace, &b) && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

static bool open_output(struct export *export, const char *trace)
{
	const char *path = export->settings->export.output;

	if (!path) {
		export->out = fc_output_open();
		fc_stream_init(&export->stream, write_stdout, export);
		return true;
	}
	if (is_trace(path, trace)) {
		fc_say("%s is the trace itself; export to another file", path);
		return false;
	}
	fc_stream_init(&export->stream, write_file, export);
	if (export->format->is_folder)
		return true;
	export->fd = fc_place_write(path);
	if (export->fd >= 0)
		return true;
	fc_say("%s cannot be written: %s", path, fc_fail_text());
	fc_stream_deinit(&export->stream);
	return false;
}

/* Write what is gathered; returns the exit status. */
static int close_output(struct export *export)
{
	int err = fc_stream_flush(&export->stream);

	if (export->fd >= 0 && close(export->fd) && !err)
		err = -errno;
	fc_stream_deinit(&export->stream);
	if (export->out)
		return fc_output_close(export->out, FC_STATUS_OK);
	if (!err)
		return FC_STATUS_OK;
	fc_say("%s could not be written whole: %s", export->settings->export.output,
	       strerror(-err));
	return FC_STATUS_NO;
}

static void tell_earlier(struct export *export)
{
	struct fc_exporter *exporter = export->exporter;
	size_t nr = exporter->earlier ? fc_reader_nr_lives(export->reader) : 0;

	for (size_t i = 0; i < nr; i++) {
		const struct fc_life_info *life = fc_reader_life(export->reader, i);
		if (life->tsc < export->range.from_tsc)
			exporter->earlier(exporter, life);
	}
}

/* As often as the format wants it. False: said, *status is set. */
static bool play(struct export *export, int *status)
{
	struct fc_exporter *exporter = export->exporter;
	struct fc_play_opts opts = { .life = on_life,
				     .is_enough = is_enough,
				     .ctx = export,
				     .range = export->range,
				     .choice = { .pid = export->settings->pid,
						 .tid = export->settings->tid } };

	tell_earlier(export);
	do {
		if (!fc_reading_play(export->settings, export->reader, &opts,
				     fc_exporter_sink(exporter), status))
			return false;
	} while (exporter->again && !is_enough(export) &&
		 exporter->again(exporter, &opts.choice));
	return true;
}

/* Nothing more is told. False: said, *status is set. */
static bool end(struct export *export, int *status)
{
	struct fc_exporter *exporter = export->exporter;

	if (!exporter->end || fc_output_is_over() || !exporter->end(exporter))
		return true;
	fc_say("%s", fc_fail_text());
	*status = FC_STATUS_NO;
	return false;
}

static void say_note(const struct fc_exporter *exporter)
{
	const char *note = exporter->note ? exporter->note(exporter) : NULL;

	if (note)
		fc_say("%s", note);
}

static int write_all(struct export *export)
{
	const struct fc_export_settings *settings = &export->settings->export;
	bool is_folder = export->format->is_folder;
	struct fc_export_opts opts = {
		.reader = export->reader,
		.clock = fc_reader_clock(export->reader),
		.namer = fc_reading_namer(export->reader),
		.values = fc_reading_values(export->reader),
		.out = is_folder ? NULL : &export->stream,
		.folder = is_folder ? export->settings->export.output : NULL,
		.is_part = is_part(export),
		.by_calls = settings->by_calls,
		.by_wait = settings->by_wait,
		.by_thread = settings->by_thread,
		.min = settings->min.is_asked ? settings->min.part : -1,
	};
	int status = FC_STATUS_OK;

	export->exporter = export->format->create(&opts);
	if (!export->exporter) {
		fc_say("%s", fc_fail_text());
		return FC_STATUS_NO;
	}
	if (play(export, &status) && end(export, &status))
		say_note(export->exporter);
	export->exporter->destroy(export->exporter);
	return status;
}

/* Does the trace have the thread and the time asked for? Check before a file is overwritten. */
static bool find(struct export *export, int *status)
{
	const struct fc_settings *settings = export->settings;

	if (settings->export.by_wait && !fc_reader_off_funcs(export->reader)) {
		fc_say("--wait: no waits were recorded; fctrace record --waits records when "
		       "threads are off the CPU");
		*status = FC_STATUS_NO;
		return false;
	}
	return fc_reading_has_thread(settings, export->reader, status) &&
	       fc_reading_find_span(settings, export->reader, &export->range.from_tsc,
				    &export->range.to_tsc, status);
}

static void run(struct export *export, const char *trace, int *status)
{
	if (!find(export, status))
		return;
	if (!open_output(export, trace)) {
		*status = FC_STATUS_NO;
		return;
	}
	say_how_large(export, trace);
	*status = write_all(export);
	int out_status = close_output(export);
	*status = *status ? *status : out_status;
	fc_unshown_say(export->reader);
}

/*
 * A folder can be ended at any time, so that others read what is in it: a signal is noted until
 * that is done. It then ends fctrace as if it had not been caught.
 */
static void end_as_asked(const struct export *export, bool is_written)
{
	int sig = fc_ending_signal();

	if (!export->format->is_folder)
		return;
	fc_ending_leave();
	if (!sig)
		return;
	if (is_written)
		fc_say("%s holds what was read of the trace until it was broken off",
		       export->settings->export.output);
	raise(sig);
}

static int run_export(const struct fc_settings *settings, int argc, char **argv)
{
	struct export export = { .settings = settings, .fd = -1 };
	int status = FC_STATUS_OK;

	if (!choose(&export))
		return FC_STATUS_USAGE;
	if (export.format->check && export.format->check()) {
		fc_say("%s", fc_fail_text());
		return FC_STATUS_NO;
	}
	if (!fc_reading_open(argc, argv, &export.reader, &status))
		return status;
	if (export.format->is_folder)
		fc_ending_catch();
	run(&export, argc ? argv[0] : FC_DEFAULT_TRACE, &status);
	int read_status = fc_reading_close(export.reader);
	end_as_asked(&export, !status);
	return status ? status : read_status;
}

static void print_formats(FILE *out)
{
	fputs("\nFormats:\n", out);
	for (size_t i = 0; fc_formats[i]; i++)
		fprintf(out, "  %-12s %s\n", fc_formats[i]->name, fc_formats[i]->about);
}

static int set_format(struct fc_settings *settings, const char *arg)
{
	settings->export.format = fc_format_find(arg);
	if (settings->export.format)
		return 0;
	struct fc_nearest nearest;
	fc_nearest_begin(&nearest, arg, strlen(arg));
	for (size_t i = 0; fc_formats[i]; i++)
		fc_nearest_offer(&nearest, fc_formats[i]->name, strlen(fc_formats[i]->name));
	fc_auto_free char *hint =
		fc_nearest_hint(&nearest, "", "fctrace export --help lists them");
	return fc_fail(EINVAL, "%s: no such format%s", arg, hint);
}

static int set_output(struct fc_settings *settings, const char *arg)
{
	if (!*arg)
		return fc_fail(EINVAL, "the empty word names no file to export to");
	settings->export.output = strcmp(arg, "-") ? arg : NULL;
	return 0;
}

static const struct fc_option *const options[] = {
	FC_OPTION('f', "format", "FORMAT",
		  "one of those below (default: what -o FILE's suffix says)", set_format),
	FC_OPTION('o', "output", "FILE",
		  "the file, or for ctf the folder, to write (default: stdout)", set_output),
	FC_OPTION(0, "by-calls", NULL, "numbers of calls instead of times, in formats that sum",
		  FC_FLAG(export.by_calls)),
	FC_OPTION(0, "wait", NULL,
		  "times off the CPU, of a trace that tells them (record --waits): what waits, "
		  "in flamegraph and folded",
		  FC_FLAG(export.by_wait)),
	FC_OPTION(0, "by-thread", NULL, "stacks of each thread apart, in formats of stacks",
		  FC_FLAG(export.by_thread)),
	FC_OPTION(0, "min", "PERCENT",
		  "in pictures: what has less than this share of the whole is summed (default: "
		  "what could not be seen)",
		  FC_SHARE(export.min)),
	&fc_option_srcline,
	FC_OPTIONS_PART,
	&fc_option_demangle,
	&fc_option_help,
	NULL,
};

const struct fc_cmd fc_cmd_export = {
	.name = "export",
	.usage = "[OPTIONS] [FILE]",
	.summary = "write a trace in a format that other tools read",
	.options = options,
	.notes = "FILE: a trace that `fctrace record` wrote (default "
		 "fctrace.data).\n" FC_NOTES_READ,
	.print_notes = print_formats,
	.run = run_export,
};
