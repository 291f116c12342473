/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_record.c - fctrace record: write a program's calls to a trace file. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/crash.h"
#include "base/fail.h"
#include "base/memory.h"
#include "cmd/options/cmd.h"
#include "cmd/options/options.h"
#include "cmd/options/values_options.h"
#include "cmd/out/amount.h"
#include "cmd/out/say.h"
#include "cmd/run/blackbox.h"
#include "cmd/run/planned.h"
#include "cmd/run/program.h"
#include "cmd/run/recording.h"
#include "cmd/view/reading.h"
#include "cmd/view/wait.h"
#include "trace/writer.h"

/* Not one that somebody has ended, by Ctrl-C say. */
static bool has_crashed(int wait_status)
{
	int sig = wait_status >= 0 && WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0;

	return fc_is_fault(sig) || sig == SIGABRT || sig == SIGSYS || sig == SIGTRAP;
}

/* A pipe or a device is not read again. */
static bool is_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode);
}

/* Which command to run next. */
static const char *next_command(const struct fc_settings *settings,
				const struct fc_writer_sums *sums, int wait_status)
{
	if (!sums->nr_calls)
		return "fctrace info"; /* which says why there is nothing */
	if (has_crashed(wait_status))
		return "fctrace replay --last 50";
	return settings->only_failed ? "fctrace replay -Z" : "fctrace report -s self";
}

/* Somebody sits there: what came of it, and what to do with it. */
static void say_end(const struct fc_settings *settings, const char *path,
		    const struct fc_writer_sums *sums, int wait_status)
{
	bool is_default = !strcmp(path, FC_DEFAULT_TRACE);
	char size[FC_AMOUNT_TEXT], lost[64] = "none lost";

	if (settings->quiet || !isatty(STDERR_FILENO))
		return;
	fc_amount_text(sums->bytes, size);
	if (sums->nr_lost)
		snprintf(lost, sizeof(lost), "%" PRIu64 " records lost", sums->nr_lost);
	fc_auto_free char *next =
		is_file(path) ? fc_asprintf("; next: %s%s%s",
					    next_command(settings, sums, wait_status),
					    is_default ? "" : " ", is_default ? "" : path)
			      : fc_strdup("");
	fc_say("%s: %" PRIu64 " call%s, %s, %s%s", path, sums->nr_calls,
	       sums->nr_calls == 1 ? "" : "s", size, lost, next);
}

static int record(const struct fc_settings *settings, char **argv)
{
	struct fc_recording made;
	int status = 0;

	if (!fc_recording_make(settings, argv, &made, &status))
		return status;
	say_end(settings, made.path, &made.sums, made.wait_status);
	return fc_program_end(settings, made.wait_status);
}

/* From wherever somebody looks at it. */
static char *absolute(const char *path)
{
	fc_auto_free char *folder = *path == '/' ? NULL : get_current_dir_name();

	return folder ? fc_asprintf("%s/%s", folder, path) : fc_strdup(path);
}

/* The newest records only, to be written when something happens. */
static int keep(const struct fc_settings *settings, int argc, char **argv)
{
	const char *path = settings->output ? settings->output : FC_DEFAULT_TRACE;
	fc_auto_free char *typed = fc_recording_typed(settings, argv);
	struct fc_session session = { .argc = argc, .argv = argv, .options = typed };
	struct fc_blackbox *box = NULL;
	int wait_status = 0, status = 0;

	fc_program_start_clock(settings, &session.clock);
	if (fc_blackbox_create(settings, &session, path, &box)) {
		fc_say("%s", fc_fail_text());
		return FC_STATUS_FAILED;
	}
	fc_auto_free char *whole = absolute(path);
	struct fc_user_opts opts = fc_program_opts(settings);
	opts.trace_path = whole;
	bool has_run = fc_program_run_as(settings, &opts, argv, fc_blackbox_tap(box),
					 &wait_status, &status);
	bool has_failed = fc_blackbox_has_failed(box);
	fc_blackbox_destroy(box);
	if (!has_run)
		return status;
	return has_failed ? FC_STATUS_FAILED : fc_program_end(settings, wait_status);
}

static int run_record(const struct fc_settings *settings, int argc, char **argv)
{
	if (!fc_settings_has_target(settings, argc))
		return FC_STATUS_USAGE;
	if (settings->dry_run)
		return fc_dry_run(settings, argv[0]);
	return settings->loss == FC_LOSS_RING ? keep(settings, argc, argv)
					      : record(settings, argv);
}

static const struct fc_option *const options[] = {
	&fc_option_trace_file,
	FC_OPTIONS_TRACE,
	FC_OPTIONS_VALUES,
	&fc_option_locks,
	FC_OPTIONS_KERNEL,
	&fc_option_dump_on,
	FC_OPTION('q', "quiet", NULL,
		  "on a terminal, too, do not say at the end what was recorded",
		  FC_FLAG(quiet)),
	&fc_option_help,
	NULL,
};

const struct fc_cmd fc_cmd_record = {
	.name = "record",
	.usage = "[OPTIONS] PROGRAM [ARGS] | -p PID | --kthread GLOB | --all-tasks",
	.summary = "run PROGRAM and write its calls to a trace",
	.options = options,
	.runs_program = true,
	.sibling = "",
	.notes = FC_NOTES_RUN,
	.run = run_record,
};
