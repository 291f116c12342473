/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_import.c - fctrace import: a trace of what uftrace recorded. */
#include <errno.h>
#include <inttypes.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "cmd/options/cmd.h"
#include "cmd/options/options.h"
#include "cmd/out/say.h"
#include "cmd/out/work.h"
#include "cmd/view/reading.h"
#include "read/import/import.h"

#define DEFAULT_FOLDER "uftrace.data" /* as uftrace's */

static void say_left_out(void *ctx, const char *sentence)
{
	fc_say("%s", sentence);
}

static bool show(void *ctx, const struct fc_progress *progress)
{
	fc_work_show("importing", progress, progress->begin_ns);
	return false;
}

static int write_trace(struct fc_import *import, const char *folder, const char *output)
{
	fc_auto_free char *typed = fc_asprintf("import %s", folder);
	struct fc_progress progress = { .look = show, .begin_ns = fc_clock_mono_ns() };
	struct fc_import_opts opts = {
		.output = output, .options = typed, .say = say_left_out, .progress = &progress
	};
	struct fc_import_sums sums;
	int err = fc_import_write(import, &opts, &sums);

	fc_say_passing(NULL);
	if (err) {
		fc_say("%s", fc_fail_text());
		return err == -ENODATA ? FC_STATUS_UNUSABLE : FC_STATUS_NO;
	}
	return sums.is_partial ? FC_STATUS_INCOMPLETE : FC_STATUS_OK;
}

static int run_import(const struct fc_settings *settings, int argc, char **argv)
{
	const char *folder = argc ? argv[0] : DEFAULT_FOLDER;
	const char *output = settings->output ? settings->output : FC_DEFAULT_TRACE;
	struct fc_import *import = NULL;

	if (argc > 1) {
		fc_say("%s: import takes one folder", argv[1]);
		return FC_STATUS_USAGE;
	}
	if (fc_import_open(folder, &import)) {
		fc_say("%s", fc_fail_text());
		return FC_STATUS_UNUSABLE;
	}
	int status = write_trace(import, folder, output);
	fc_import_close(import);
	return status;
}

static const struct fc_option *const options[] = {
	&fc_option_trace_file,
	&fc_option_help,
	NULL,
};

const struct fc_cmd fc_cmd_import = {
	.name = "import",
	.usage = "[-o FILE] [DIR]",
	.summary = "make a trace of what uftrace recorded",
	.options = options,
	.notes =
		"DIR: a folder that `uftrace record` wrote (default uftrace.data).\n"
		"Exit status: 0; 1 the trace could not be written, 2 wrong usage,\n"
		"3 not a usable recording, 4 imported, but some of it is damaged and left out\n"
		"(stderr says what).\n",
	.run = run_import,
};
