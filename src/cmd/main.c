/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - the table of commands. */
#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/nearest.h"
#include "base/own_stack.h"
#include "capture/target/launch.h"
#include "cmd/options/cmd.h"
#include "cmd/options/options.h"
#include "cmd/out/output.h"
#include "cmd/out/say.h"
#include "version.h"

static const struct fc_cmd *const commands[] = {
	&fc_cmd_record, &fc_cmd_replay, &fc_cmd_why,   &fc_cmd_report, &fc_cmd_requests,
	&fc_cmd_graph,	&fc_cmd_diff,	&fc_cmd_query, &fc_cmd_top,    &fc_cmd_tui,
	&fc_cmd_export, &fc_cmd_import, &fc_cmd_names, &fc_cmd_info,   &fc_cmd_list,
	&fc_cmd_check,	&fc_cmd_detach, &fc_cmd_ctl,   &fc_cmd_dump,   &fc_cmd_completion,
};

#define HELP_WIDTH     80
#define HELP_COLUMN    24 /* where what an option does is said */
#define COMMAND_COLUMN 14

#define NR_COMMANDS (sizeof(commands) / sizeof(commands[0]))

/* "; did you mean report? fctrace help lists them". */
static char *nearest_command(const char *name, const char *rest)
{
	struct fc_nearest nearest;

	fc_nearest_begin(&nearest, name, strlen(name));
	for (size_t i = 0; i < NR_COMMANDS; i++)
		fc_nearest_offer(&nearest, commands[i]->name, strlen(commands[i]->name));
	return fc_nearest_hint(&nearest, "", rest);
}

static const struct fc_cmd *find_command(const char *name)
{
	for (size_t i = 0; i < NR_COMMANDS; i++) {
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	}
	return NULL;
}

/* Text from this column on, in lines of at most HELP_WIDTH. */
static void print_wrapped(FILE *out, size_t column, const char *text)
{
	size_t at = column;

	while (*text) {
		size_t len = strcspn(text, " ");
		if (at > column && at + 1 + len > HELP_WIDTH) {
			fprintf(out, "\n%*s", (int)column, "");
			at = column;
		} else if (at > column) {
			fputc(' ', out);
			at++;
		}
		fwrite(text, 1, len, out);
		at += len;
		text += len;
		text += strspn(text, " ");
	}
	fputc('\n', out);
}

static void print_option(FILE *out, const struct fc_option *option)
{
	char text[64] = "";
	size_t len = 0;

	if (option->letter)
		len += (size_t)snprintf(text, sizeof(text), "-%c", option->letter);
	if (option->name)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s--%s",
					len ? ", " : "", option->name);
	if (option->arg)
		snprintf(text + len, sizeof(text) - len, "%s%s%s",
			 option->may_lack_arg ? "[="
			 : option->name	      ? "="
					      : " ",
			 option->arg, option->may_lack_arg ? "]" : "");
	if (strlen(text) > HELP_COLUMN - 4)
		fprintf(out, "  %s\n%*s", text, HELP_COLUMN, "");
	else
		fprintf(out, "  %-*s  ", HELP_COLUMN - 4, text);
	print_wrapped(out, HELP_COLUMN, option->help);
}

static void print_command(FILE *out, const char *name, const char *summary)
{
	fprintf(out, "  %-11s ", name);
	print_wrapped(out, COMMAND_COLUMN, summary);
}

static void print_commands(FILE *out)
{
	fputs("\nCommands, as in fctrace record ls:\n", out);
	for (size_t i = 0; i < NR_COMMANDS; i++)
		print_command(out, commands[i]->name, commands[i]->summary);
	print_command(out, "help", "this text, or that of a command: fctrace help record");
}

static void print_help(FILE *out, const struct fc_cmd *cmd)
{
	fprintf(out, "fctrace%s%s %s\n%s\n\n", cmd->name ? " " : "", cmd->name ? cmd->name : "",
		cmd->usage, cmd->summary);
	for (size_t i = 0; cmd->options[i]; i++)
		print_option(out, cmd->options[i]);
	if (!cmd->name)
		print_commands(out);
	if (cmd->print_notes)
		cmd->print_notes(out);
	fprintf(out, "\n%s", cmd->notes);
}

static int show_help(const struct fc_cmd *cmd)
{
	FILE *out = fc_output_open();
	print_help(out, cmd);
	return fc_output_close(out, FC_STATUS_OK);
}

static int show_version(void)
{
	FILE *out = fc_output_open();
	fputs("fctrace " FC_VERSION "\n", out);
	return fc_output_close(out, FC_STATUS_OK);
}

static int run(const struct fc_cmd *cmd, int argc, char **argv)
{
	struct fc_settings settings = { 0 };
	int first = fc_options_parse(cmd, argc, argv, &settings);
	int status = FC_STATUS_OK;

	if (first < 0) {
		fc_say("%s", fc_fail_text());
		status = FC_STATUS_USAGE;
	} else if (settings.help) {
		status = show_help(cmd);
	} else if (settings.version) {
		status = show_version();
	} else {
		status = cmd->run(&settings, argc - first, argv + first);
	}
	fc_settings_deinit(&settings);
	return status;
}

/* Whose text `fctrace help WORD` shows; NULL: there is no such command. */
static const struct fc_cmd *find_helped(const char *word)
{
	static const char *const own[] = { "help", "-h", "--help" };

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		if (!strcmp(own[i], word))
			return &fc_cmd_trace;
	}
	return find_command(word);
}

static int help(int argc, char **argv)
{
	const struct fc_cmd *cmd = argc > 1 ? find_helped(argv[1]) : &fc_cmd_trace;

	if (!cmd || argc > 2) {
		const char *word = argv[argc > 2 ? 2 : 1];
		fc_auto_free char *hint = nearest_command(word, "fctrace help lists them");
		fc_say("%s: no such command%s", word, hint);
		return FC_STATUS_USAGE;
	}
	return show_help(cmd);
}

/* Neither a command nor, it seems, a program: most likely a command that was misspelt. */
static bool is_nothing(const char *word)
{
	fc_auto_free char *path = NULL;

	return *word && *word != '-' && !strchr(word, '/') &&
	       fc_launch_find_program(word, &path) == -ENOENT;
}

/*
 * What large files need while they are planned is given back to the kernel at once. glibc would
 * raise its threshold with the first such block that is freed, and keep all later ones.
 */
static void give_memory_back(void)
{
	mallopt(M_MMAP_THRESHOLD, 256 << 10);
}

static void do_nothing(int sig)
{
}

/*
 * A file that has grown as large as is allowed (ulimit -f) must not end fctrace without a word: a write
 * fails then, which is reported. Caught, not ignored: a program that is run starts with the default.
 */
static void catch_file_limit(void)
{
	struct sigaction old, nothing = { .sa_handler = do_nothing, .sa_flags = SA_RESTART };
	if (!sigaction(SIGXFSZ, NULL, &old) && old.sa_handler == SIG_DFL)
		sigaction(SIGXFSZ, &nothing, NULL);
}

static int begin(int argc, char **argv)
{
	catch_file_limit();
	give_memory_back();
	fc_cmd_set(commands, NR_COMMANDS, &fc_cmd_trace);
	if (argc < 2) {
		print_help(stderr, &fc_cmd_trace);
		return FC_STATUS_USAGE;
	}
	if (!strcmp(argv[1], "help"))
		return help(argc - 1, argv + 1);

	/* A program of that name is ./record or -- record. */
	const struct fc_cmd *cmd = find_command(argv[1]);
	if (cmd)
		return run(cmd, argc - 1, argv + 1);
	if (is_nothing(argv[1])) {
		fc_auto_free char *hint = nearest_command(argv[1], "fctrace help lists those");
		fc_say("%s: no such program in $PATH, and no command of fctrace%s", argv[1],
		       hint);
		return FC_STATUS_NOT_FOUND;
	}
	return run(&fc_cmd_trace, argc, argv);
}

int main(int argc, char **argv)
{
	return fc_own_stack_call(begin, argc, argv);
}
