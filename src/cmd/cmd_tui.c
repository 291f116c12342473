/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_tui.c - fctrace tui: a trace to be looked at in the terminal. */
#include "cmd/options/options.h"
#include "show/tui/tui.h"

#include <signal.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "cmd/options/cmd.h"
#include "cmd/options/demangling.h"
#include "cmd/options/span.h"
#include "cmd/out/say.h"
#include "cmd/view/reading.h"

static int find_time(void *ctx, const char *text, uint64_t *tsc)
{
	struct fc_span span = { 0 };
	uint64_t to;
	int err = fc_span_parse_around(text, &span);

	if (err)
		return err;
	span.is_around = false;
	return fc_span_find(&span, ctx, tsc, &to);
}

static int find_range(void *ctx, const char *text, uint64_t *from_tsc, uint64_t *to_tsc)
{
	struct fc_span span = { 0 };
	int err = fc_span_parse(text, &span);
	return err ? err : fc_span_find(&span, ctx, from_tsc, to_tsc);
}

static int run_tui(const struct fc_settings *settings, int argc, char **argv)
{
	struct fc_reader *reader = NULL;
	int status = FC_STATUS_OK;

	if (!fc_reading_open(argc, argv, &reader, &status))
		return status;
	fc_reader_watch(reader, NULL); /* the screen shows itself what takes long */
	struct fc_range range = { 0 };
	if (!fc_reading_has_thread(settings, reader, &status) ||
	    !fc_reading_find_span(settings, reader, &range.from_tsc, &range.to_tsc, &status)) {
		fc_reading_close(reader);
		return status;
	}
	const struct fc_tui_opts opts = {
		.range = range,
		.tid = settings->tid,
		.reader = reader,
		.namer = fc_reading_namer(reader),
		.values = fc_reader_nr_values(reader) ? fc_reading_values(reader) : NULL,
		.path = argc ? argv[0] : FC_DEFAULT_TRACE,
		.find_time = find_time,
		.find_range = find_range,
		.ctx = reader,
	};
	fc_auto_free char *missing = NULL;
	int sig = fc_tui_run(&opts, &missing);
	if (sig < 0) {
		fc_say("%s", fc_fail_text());
		status = FC_STATUS_NO;
	}
	bool is_said = fc_reader_trouble(reader);
	int read_status = fc_reading_close(reader);
	if (missing && !is_said) {
		fc_say("%s", missing);
		read_status = FC_STATUS_INCOMPLETE;
	}
	/* As if it had not been caught. */
	if (sig > 0)
		raise(sig);
	return status ? status : read_status;
}

static const struct fc_option *const options[] = {
	&fc_option_range,    &fc_option_around, &fc_option_tid,
	&fc_option_demangle, &fc_option_help,	NULL,
};

const struct fc_cmd fc_cmd_tui = {
	.name = "tui",
	.usage = "[OPTIONS] [FILE]",
	.summary = "look at a trace in the terminal",
	.options = options,
	.notes = "FILE: a trace that `fctrace record` wrote (default fctrace.data).\n"
		 "F1 lists the keys.\n" FC_NOTES_READ,
	.run = run_tui,
};
