/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_names.c - fctrace names: names for the functions of a trace that have none. */
#include "base/fail.h"
#include "base/path.h"
#include "calls/wanted.h"
#include "cmd/options/cmd.h"
#include "cmd/options/options.h"
#include "cmd/out/fetching.h"
#include "cmd/out/output.h"
#include "cmd/out/say.h"
#include "cmd/view/reading.h"
#include "read/names/naming.h"

static void say_passed(const char *sentence)
{
	fc_say("passed over: %s", sentence);
}

static void print_found(FILE *out, const struct fc_named_module *module)
{
	const char *file = fc_base_name(module->of->path);

	fprintf(out, "%s: %zu functions named", file, module->nr_named);
	if (module->nr_called)
		fprintf(out, ", among them %zu of the %zu that were called",
			module->nr_called_named, module->nr_called);
	fprintf(out, ", from %s\n", module->from);
}

static void print_missing(FILE *out, const struct fc_named_module *module)
{
	const char *file = fc_base_name(module->of->path);

	fprintf(out, "%s: %zu functions that were called have no name; ", file,
		module->nr_called);
	if (module->of->build_id[0])
		fprintf(out, "no file with symbols for build-id %s was found\n",
			module->of->build_id);
	else
		fprintf(out, "%s has no build-id to find a debug file by\n", module->of->path);
}

/* Is any function that was called still without a name? */
static bool print(const struct fc_naming *naming)
{
	FILE *out = fc_output_open();
	bool is_any = false;

	fc_vec_each (&naming->modules, module) {
		if (module->from)
			print_found(out, module);
		else if (module->nr_called)
			print_missing(out, module);
		is_any |= module->nr_called_named < module->nr_called;
	}
	if (!naming->modules.nr)
		fputs("all functions that were called have names\n", out);
	fc_output_close(out, FC_STATUS_OK);
	return is_any;
}

static int write_names(const struct fc_settings *settings, const char *path,
		       const struct fc_naming *naming)
{
	int err = settings->output
			  ? fc_postscript_copy(path, settings->output, naming->names.at,
					       naming->names.nr)
			  : fc_postscript_add(path, naming->names.at, naming->names.nr);

	if (err)
		fc_say("%s", fc_fail_text());
	return err;
}

static int name(const struct fc_settings *settings, const char *path, struct fc_reader *reader)
{
	struct fc_naming_opts opts = { .debug = settings->debug,
				       .say = say_passed,
				       .fetching = &fc_fetching_shown };
	struct fc_naming naming;
	int status = FC_STATUS_OK;

	if (fc_naming_find(reader, &opts, &naming)) {
		fc_say("%s", fc_fail_text());
		return FC_STATUS_NO;
	}
	if (naming.names.nr && write_names(settings, path, &naming))
		status = FC_STATUS_NO;
	else if (print(&naming) && !naming.names.nr)
		status = FC_STATUS_NO;
	if (!naming.names.nr && settings->output) {
		fc_say("%s was not written: there are no names to add", settings->output);
		status = FC_STATUS_NO;
	}
	fc_naming_deinit(&naming);
	return status;
}

static int run_names(const struct fc_settings *settings, int argc, char **argv)
{
	struct fc_reader *reader = NULL;
	int status = FC_STATUS_OK;

	if (!fc_reading_open(argc, argv, &reader, &status))
		return status;
	status = name(settings, argc ? argv[0] : FC_DEFAULT_TRACE, reader);
	int read_status = fc_reading_close(reader);
	return status ? status : read_status;
}

static int add_debug(struct fc_settings *settings, const char *path)
{
	fc_globs_push(&settings->debug, path);
	return 0;
}

static const struct fc_option *const options[] = {
	FC_OPTION(0, "debug", "PATH",
		  "take names from this file, or from the debug files in this folder; several "
		  "times if wanted",
		  add_debug),
	FC_OPTION('o', NULL, "NEW", "write a trace with the names to NEW; FILE stays as it is",
		  FC_FILE(output)),
	&fc_option_help,
	NULL,
};

const struct fc_cmd fc_cmd_names = {
	.name = "names",
	.usage = "[OPTIONS] [FILE]",
	.summary = "give names to functions of stripped files, once a trace is recorded",
	.options = options,
	.notes =
		"FILE: a trace that `fctrace record` wrote (default fctrace.data). Names come\n"
		"from files with the same build-id: debug files, or what was not stripped.\n"
		"Exit status: 0; 1 no names were found, a file of --debug is of another "
		"program,\n"
		"or the trace could not be written, 2 wrong usage, 3 not a usable trace,\n"
		"4 named, but some of the trace is missing (stderr says what).\n",
	.run = run_names,
};
