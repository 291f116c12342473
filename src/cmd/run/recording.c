/* SPDX-License-Identifier: Apache-2.0 */
/* recording.c - a trace is opened, the program run into it, and the trace closed. */
#include "cmd/run/recording.h"

#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/path.h"
#include "calls/valve.h"
#include "cmd/out/fetching.h"
#include "cmd/out/say.h"
#include "cmd/run/program.h"
#include "cmd/view/reading.h"
#include "read/names/naming.h"

char *fc_recording_typed(const struct fc_settings *settings, char **argv)
{
	char *typed = fc_strdup("");

	for (char **word = settings->typed; word && word < argv; word++)
		fc_append(&typed, "%s%s", *typed ? " " : "", *word);
	return typed;
}

/* The program's records go straight to the writer, or through a sieve if one is wanted. */
static bool run_into(const struct fc_settings *settings, const struct fc_clock *clock,
		     char **argv, struct fc_writer *writer, int *wait_status, int *status)
{
	struct fc_filter_opts opts = fc_settings_filter(settings, clock, NULL);
	struct fc_valve *valve = fc_valve_create(
		writer, clock, fc_settings_filter_anything(settings) ? &opts : NULL);
	bool has_run = fc_program_run(settings, argv, fc_valve_tap(valve), wait_status, status);

	fc_valve_finish(valve, fc_clock_tsc());
	if (has_run && fc_valve_filter(valve))
		fc_settings_say_unmatched(settings, fc_valve_filter(valve));
	fc_valve_destroy(valve);
	return has_run;
}

/* A process id or a program that was mistyped costs nobody the trace before. */
static int close_trace(struct fc_writer *writer, bool has_run, int wait_status,
		       const struct fc_clock *clock, struct fc_writer_sums *sums)
{
	if (!has_run && fc_writer_is_empty(writer)) {
		fc_writer_discard(writer);
		return 0;
	}
	return fc_writer_close(writer, wait_status, clock, sums);
}

static void say_fetched(const struct fc_settings *settings, const struct fc_naming *naming)
{
	if (settings->quiet || !isatty(STDERR_FILENO))
		return;
	fc_vec_each (&naming->modules, module)
		if (module->nr_called_named)
			fc_say("%s: %zu functions that were called are named by %s",
			       fc_base_name(module->of->path), module->nr_called_named,
			       module->from);
}

/* A name that is missing is a pity; the trace is there. */
static void add_names(const struct fc_settings *settings, const char *path)
{
	struct fc_naming_opts opts = { .fetching = &fc_fetching_shown };
	struct fc_naming naming = { 0 };
	struct fc_reader *reader;
	int err = fc_reader_open(path, &reader);

	if (err) {
		fc_say("no names were fetched: %s", fc_fail_text());
		return;
	}
	err = fc_naming_find(reader, &opts, &naming);
	if (!err && naming.names.nr)
		err = fc_postscript_add(path, naming.names.at, naming.names.nr);
	if (err)
		fc_say("%s", fc_fail_text());
	else
		say_fetched(settings, &naming);
	fc_naming_deinit(&naming);
	fc_reader_close(reader);
}

/* Now that nobody waits for fctrace, servers may be asked for names. */
static void fetch_names(const struct fc_settings *settings, const struct fc_recording *made)
{
	struct stat st;

	if (made->sums.nr_nameless && fc_debuginfod_has_servers() && !stat(made->path, &st) &&
	    S_ISREG(st.st_mode))
		add_names(settings, made->path);
}

bool fc_recording_make(const struct fc_settings *settings, char **argv,
		       struct fc_recording *ret, int *status)
{
	int argc = 0;
	while (argv[argc])
		argc++;
	fc_auto_free char *typed = fc_recording_typed(settings, argv);
	struct fc_session session = { .argc = argc, .argv = argv, .options = typed };
	struct fc_writer *writer = NULL;

	*ret = (struct fc_recording){ .path = settings->output ? settings->output
							       : FC_DEFAULT_TRACE };
	fc_program_start_clock(settings, &session.clock);
	if (fc_writer_create(ret->path, &session, &writer)) {
		fc_say("%s", fc_fail_text());
		*status = FC_STATUS_FAILED;
		return false;
	}
	bool has_run =
		run_into(settings, &session.clock, argv, writer, &ret->wait_status, status);
	fc_clock_calibrate(&session.clock);
	int err = close_trace(writer, has_run, ret->wait_status, &session.clock, &ret->sums);
	if (!has_run)
		return false;
	if (err) {
		fc_say("%s", fc_fail_text());
		*status = FC_STATUS_FAILED;
		return false;
	}
	fetch_names(settings, ret);
	uint64_t nr_lost = ret->sums.nr_lost;
	if (nr_lost)
		fc_say("%" PRIu64 " record%s lost; fctrace replay shows where", nr_lost,
		       nr_lost == 1 ? " was" : "s were");
	return true;
}
