/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_trace.c - fctrace PROGRAM: the tree of calls while it runs, or with -c their sums. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/list.h"
#include "base/place.h"
#include "cmd/options/cmd.h"
#include "cmd/options/demangling.h"
#include "cmd/options/options.h"
#include "cmd/options/values_options.h"
#include "cmd/out/output.h"
#include "cmd/out/say.h"
#include "cmd/run/live.h"
#include "cmd/run/planned.h"
#include "cmd/run/program.h"
#include "cmd/view/print_report.h"
#include "cmd/view/wait.h"

static int open_output(const struct fc_settings *settings)
{
	if (!settings->output) {
		int fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
		return fd < 0 ? fc_fail(errno, "%s", strerror(errno)) : fd;
	}
	return fc_place_write(settings->output);
}

/* Print why the output failed, unless nobody reads it any more. */
static int end_output(const struct fc_settings *settings, int err, int wait_status)
{
	/* A reader that went away (| head) has seen enough. */
	if (err && err != -EPIPE) {
		fc_say("cannot write to %s: %s%s",
		       settings->output ? settings->output : "stderr", strerror(-err),
		       fc_settings_has_tasks(settings) ? ""
						       : "; the program ran on without it");
		return FC_STATUS_FAILED;
	}
	return fc_program_end(settings, wait_status);
}

static int finish(const struct fc_settings *settings, struct fc_live *live)
{
	int err = fc_live_finish(live);

	if (fc_live_filter(live)) {
		struct fc_namer namer = fc_live_namer(live);
		struct fc_failures_sums failures = fc_filter_failures(fc_live_filter(live));
		fc_settings_say_failures(&failures, &namer);
	}
	if (fc_live_filter(live) && !fc_filter_is_changed(fc_live_filter(live)))
		fc_settings_say_unmatched(settings, fc_live_filter(live));
	return err;
}

static int show_tree(const struct fc_settings *settings, char **argv, int fd)
{
	struct fc_live *live = fc_live_tree(settings, fd);
	int wait_status = 0, status = 0;
	bool has_run = fc_program_run(settings, argv, fc_live_tap(live), &wait_status, &status);
	int err = has_run ? finish(settings, live) : 0;

	fc_live_destroy(live);
	return has_run ? end_output(settings, err, wait_status) : status;
}

static int print_table(const struct fc_settings *settings, struct fc_live *live, int fd)
{
	fc_auto_free char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	struct fc_namer namer = fc_live_namer(live);

	if (!out)
		return -ENOMEM;
	if (settings->edges)
		fc_edge_table_print(out, settings, fc_live_edges(live), &namer);
	else
		fc_report_print(out, settings, fc_live_report(live), fc_live_clock(live),
				&namer);
	fclose(out);
	return fc_write_all(fd, text, len);
}

/* More callers than its table holds, or more threads than there are rings. */
static void say_lost(uint64_t nr)
{
	if (nr)
		fc_say("%" PRIu64 " calls found no place to be counted in and are missing", nr);
}

static int show_table(const struct fc_settings *settings, char **argv, int fd)
{
	struct fc_live *live = fc_live_table(settings);
	int wait_status = 0, status = 0;
	bool has_run = fc_program_run(settings, argv, fc_live_tap(live), &wait_status, &status);
	int err = 0;

	if (has_run) {
		finish(settings, live);
		err = print_table(settings, live, fd);
		say_lost(fc_edge_table_lost(fc_live_edges(live)));
		fc_wait_say_inside(fc_report_waited(fc_live_report(live)), fc_live_clock(live));
	}
	fc_live_destroy(live);
	return has_run ? end_output(settings, err, wait_status) : status;
}

/* What --no-time leaves to be said. */
static bool fits_no_time(const struct fc_settings *settings)
{
	if (!settings->no_time)
		return true;
	if (!settings->summary)
		fc_say("--no-time only counts: it goes with -c");
	else if (fc_settings_filter_anything(settings))
		fc_say("--no-time cannot be combined with -F, -C, -N, -D or -t: it counts "
		       "every call "
		       "that is hooked; -m and --libs choose what is hooked");
	else
		return true;
	return false;
}

/* Without times there is nothing to sort by but these. */
static int check_keys_no_time(const char *keys)
{
	static const char *const known[] = { "calls", "func", "module" };
	struct fc_item item;
	for (const char *p = keys; fc_list_next(&p, &item);) {
		bool is_known = false;
		for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
			is_known |= fc_item_is(item, known[i]);
		if (!is_known)
			return fc_fail(EINVAL,
				       "%.*s: not known with --no-time; sort by calls, func or "
				       "module",
				       (int)item.len, item.at);
	}
	return 0;
}

/* The same of --edges; and what its table, or the other, is sorted by. */
static bool fits_edges(const struct fc_settings *settings)
{
	int err = 0;
	if (settings->edges && !settings->no_time) {
		fc_say("--edges counts calls by caller: it goes with -c --no-time");
		return false;
	}
	if (settings->sort)
		err = settings->edges	  ? fc_edge_table_check_keys(settings->sort)
		      : settings->no_time ? check_keys_no_time(settings->sort)
					  : fc_report_check_live_keys(settings->sort);
	if (err)
		fc_say("-s %s", fc_fail_text());
	return !err;
}

/* As strace's -s has it: bytes of a string. */
static bool is_number(const char *word)
{
	return *word && !word[strspn(word, "0123456789")];
}

static int run_trace(const struct fc_settings *settings, int argc, char **argv)
{
	if (!fc_settings_has_target(settings, argc))
		return FC_STATUS_USAGE;
	if (settings->dry_run)
		return fc_dry_run(settings, argv[0]);
	if (!settings->summary && settings->sort && is_number(settings->sort)) {
		fc_say("-s %s: not a column to sort by; to record more of each string: -S %s",
		       settings->sort, settings->sort);
		return FC_STATUS_USAGE;
	}
	if (!settings->summary && (settings->sort || settings->nr_rows || settings->json)) {
		fc_say("-s, -n and --json are about the table that -c prints");
		return FC_STATUS_USAGE;
	}

	if (!fits_no_time(settings) || !fits_edges(settings))
		return FC_STATUS_USAGE;
	if (settings->loss == FC_LOSS_RING) {
		fc_say("--loss=ring keeps records for a trace file: fctrace record "
		       "--loss=ring");
		return FC_STATUS_USAGE;
	}

	fc_auto_close int fd = open_output(settings);
	if (fd < 0) {
		fc_say("cannot write to %s: %s", settings->output ? settings->output : "stderr",
		       fc_fail_text());
		return FC_STATUS_FAILED;
	}
	return settings->summary ? show_table(settings, argv, fd)
				 : show_tree(settings, argv, fd);
}

static const struct fc_option *const options[] = {
	FC_OPTION('o', NULL, "FILE", "write to FILE instead of stderr", FC_FILE(output)),
	FC_OPTION('c', NULL, NULL, "no lines: a table of functions at the end (-s, -n, --json)",
		  FC_FLAG(summary)),
	FC_OPTION(0, "no-time", NULL, "with -c: only count calls, at a tenth of the cost",
		  FC_FLAG(no_time)),
	FC_OPTION(0, "edges", NULL,
		  "with -c --no-time: count the calls of each caller by itself",
		  FC_FLAG(edges)),
	/* Which keys there are depends on the table: fits_edges() looks. */
	FC_OPTION('s', NULL, "KEYS",
		  "sort by total (default), self, calls, min, avg, max, func or module, or by "
		  "several: -s self,calls; with --no-time by calls (default), func or module; "
		  "with --edges by calls (default), caller or callee",
		  FC_TEXT(sort),
		  .words = "total,self,calls,min,avg,max,func,module,caller,callee"),
	&fc_option_rows,
	&fc_option_color,
	&fc_option_json,
	FC_OPTIONS_TRACE,
	FC_OPTIONS_VALUES,
	&fc_option_long,
	FC_OPTIONS_KERNEL,
	&fc_option_demangle,
	&fc_option_help,
	FC_OPTION('V', "version", NULL, "fctrace's version", FC_FLAG(version)),
	NULL,
};

const struct fc_cmd fc_cmd_trace = {
	.usage = "[OPTIONS] PROGRAM [ARGS] | -p PID | --kthread GLOB | --all-tasks",
	.summary = "show every function call of PROGRAM while it runs",
	.options = options,
	.runs_program = true,
	.sibling = "record",
	.notes = "Examples:\n"
		 "    fctrace -a -C 'open*' PROGRAM     which files it opens, and what opens "
		 "them\n"
		 "    fctrace -Z -p PID                 which calls of a running process fail\n"
		 "    fctrace record PROGRAM && fctrace report -s self    where the time goes\n"
		 "\n"
		 "A program that is called like a command: fctrace -- report, or "
		 "./report.\n" FC_NOTES_RUN,
	.run = run_trace,
};
