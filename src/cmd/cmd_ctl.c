/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_ctl.c - fctrace ctl: tell a session that runs what to show from now on. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "base/vec.h"
#include "capture/user/user.h"
#include "cmd/options/cmd.h"
#include "cmd/options/options.h"
#include "cmd/out/output.h"
#include "cmd/out/say.h"
#include "cmd/out/table.h"

/* Words, each ended by a NUL. */
struct request {
	FC_VEC(char) bytes;
};

static void add_word(struct request *request, const char *word)
{
	do
		fc_vec_push(&request->bytes, *word);
	while (*word++);
}

static void add_globs(struct request *request, const char *option, char **globs)
{
	for (; globs && *globs; globs++) {
		add_word(request, option);
		add_word(request, *globs);
	}
}

static void add_number(struct request *request, const char *option, uint64_t n)
{
	fc_auto_free char *word = fc_asprintf("%" PRIu64, n);
	if (!n)
		return;
	add_word(request, option);
	add_word(request, word);
}

static void add_filters(struct request *request, const struct fc_settings *settings)
{
	add_word(request, "filter");
	if (settings->clear)
		add_word(request, "clear");
	add_globs(request, "-F", settings->only);
	add_globs(request, "-N", settings->except);
	add_number(request, "-D", settings->depth);
	add_number(request, "-t", settings->min_ns);
}

static const struct command {
	const char *name;
	bool takes_globs;
} commands[] = {
	{ "status", false }, { "on", false },	 { "off", false },
	{ "hook", true },    { "unhook", true },
};

/* False: there is none of that name, or it is given too few words or too many; said. */
static bool is_right(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		const struct command *command = &commands[i];
		if (strcmp(command->name, argv[0]))
			continue;
		if (command->takes_globs == (argc > 1))
			return true;
		fc_say(command->takes_globs
			       ? "%s: no function given: name one or more functions "
				 "or patterns, as in 'parse_*'"
			       : "%s takes no words",
		       argv[0]);
		return false;
	}
	struct fc_nearest nearest;
	fc_nearest_begin(&nearest, argv[0], strlen(argv[0]));
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		fc_nearest_offer(&nearest, commands[i].name, strlen(commands[i].name));
	fc_auto_free char *hint = fc_nearest_hint(&nearest, "", "see fctrace ctl --help");
	fc_say("%s: no such command%s", argv[0], hint);
	return false;
}

static bool has_filters(const struct fc_settings *settings)
{
	return settings->clear || fc_settings_filter_anything(settings);
}

static bool make_request(const struct fc_settings *settings, int argc, char **argv,
			 struct request *ret)
{
	if (argc && has_filters(settings)) {
		fc_say("either a command or filters, not both");
		return false;
	}
	if (has_filters(settings)) {
		add_filters(ret, settings);
		return true;
	}
	if (argc && !is_right(argc, argv))
		return false;
	if (!argc)
		add_word(ret, "status");
	for (int i = 0; i < argc; i++)
		add_word(ret, argv[i]);
	return true;
}

static int ask(int pid, const struct request *request)
{
	fc_auto_free char *answer = NULL;
	int status = FC_STATUS_OK;
	if (fc_user_ask(pid, request->bytes.at, request->bytes.nr, &status, &answer)) {
		fc_say("%s", fc_fail_text());
		return FC_STATUS_NO;
	}
	if (status) {
		fc_say("%s", answer);
		return status;
	}
	FILE *out = fc_output_open();
	for (char *rest = answer, *line; (line = strsep(&rest, "\n"));) {
		fc_print_foreign(out, line);
		fputc('\n', out);
	}
	return fc_output_close(out, FC_STATUS_OK);
}

static int run_ctl(const struct fc_settings *settings, int argc, char **argv)
{
	struct request request = { 0 };
	int pid = 0;

	if (!argc) {
		fc_say("which process? see fctrace ctl --help");
		return FC_STATUS_USAGE;
	}
	if (fc_pid_parse(argv[0], &pid)) {
		fc_say("%s", fc_fail_text());
		return FC_STATUS_USAGE;
	}
	bool ok = make_request(settings, argc - 1, argv + 1, &request);
	int status = ok ? ask(pid, &request) : FC_STATUS_USAGE;
	fc_vec_free(&request.bytes);
	return status;
}

static const struct fc_option *const options[] = {
	FC_OPTIONS_FILTER,
	FC_OPTION(0, "all", NULL, "all calls: the filters before are removed", FC_FLAG(clear)),
	&fc_option_help,
	NULL,
};

const struct fc_cmd fc_cmd_ctl = {
	.name = "ctl",
	.usage = "PID COMMAND | PID FILTERS",
	.summary = "tell an fctrace that runs what to show from now on",
	.options = options,
	.words = "status|on|off|hook|unhook",
	.notes = "PID is a process that is traced, or fctrace itself. Commands:\n"
		 "  status                what is going on (without a command, too)\n"
		 "  off, on               record nothing for now; go on\n"
		 "  hook GLOB...          functions that were unhooked are traced again\n"
		 "  unhook GLOB...        calls of these functions are no longer seen, and "
		 "cost\n"
		 "                        nothing\n"
		 "Filters of one kind replace those of that kind before.\n"
		 "Exit status: 0; 1 nothing is traced there, or it could not be done (stderr\n"
		 "says why), 2 wrong usage.\n",
	.run = run_ctl,
};
