/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_completion.c - fctrace completion: what a shell needs to complete the words of fctrace.
 *
 * That is a script: the table of commands as functions in the shell's language, and behind it
 * what asks them, from completion/.
 */
#include <ctype.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "cmd/options/cmd.h"
#include "cmd/options/guess.h"
#include "cmd/options/options.h"
#include "cmd/out/output.h"
#include "cmd/out/say.h"

static const char script_bash[] = {
#include "completion_bash.h"
};
static const char script_zsh[] = {
#include "completion_zsh.h"
};
static const char script_fish[] = {
#include "completion_fish.h"
};

static const struct fc_option *const no_options[] = { NULL };

/* A word that main.c knows, and no command of its table. */
static const struct fc_cmd help = {
	.name = "help",
	.usage = "[COMMAND]",
	.summary = "how fctrace or a command is used",
	.options = no_options,
};

static size_t nr_named(void)
{
	size_t nr = 0;

	while (fc_cmd_at(nr))
		nr++;
	return nr;
}

/* The commands, then help, then that without a name, which scripts call fctrace; then NULL. */
static const struct fc_cmd *row_at(size_t i)
{
	const struct fc_cmd *const more[] = { &help, &fc_cmd_trace, NULL };
	size_t nr = nr_named();

	return i < nr ? fc_cmd_at(i) : more[i - nr];
}

static const char *name_of(const struct fc_cmd *cmd)
{
	return cmd->name ? cmd->name : "fctrace";
}

/* The part of a help text that fits a list of choices: up to its first detail. */
static size_t short_length(const char *text)
{
	enum { ENOUGH = 24 };

	for (size_t i = 1; text[i]; i++) {
		bool is_enough = text[i] == ':' && text[i + 1] == ' ' && i >= ENOUGH;
		if (is_enough || text[i] == ';')
			return i;
		if (text[i] == ' ' && text[i + 1] == '(')
			return i;
	}
	return strlen(text);
}

/* Text with each of these characters behind a backslash. */
static char *escaped(const char *text, size_t len, const char *these)
{
	char *ret = fc_alloc(2 * len + 1), *to = ret;

	for (size_t i = 0; i < len; i++) {
		if (strchr(these, text[i]))
			*to++ = '\\';
		*to++ = text[i];
	}
	return ret;
}

/* In single quotes, for bash and zsh. */
static void quote(FILE *out, const char *text)
{
	fputc('\'', out);
	for (; *text; text++)
		fputs(*text == '\'' ? "'\\''" : (char[]){ *text, 0 }, out);
	fputc('\'', out);
}

static void quote_fish(FILE *out, const char *text)
{
	fc_auto_free char *inside = escaped(text, strlen(text), "\\'");
	fprintf(out, "'%s'", inside);
}

/* bash: functions that print what there is, a case each. */

static void print_kind_bash(FILE *out, const struct fc_guess *guess)
{
	static const char *const names[] = {
		[FC_GUESS_ANY] = "any",		[FC_GUESS_WORDS] = "words",
		[FC_GUESS_LIST] = "list",	[FC_GUESS_FILES] = "files",
		[FC_GUESS_TRACES] = "traces",	[FC_GUESS_FOLDERS] = "folders",
		[FC_GUESS_PIDS] = "pids",	[FC_GUESS_PID_LIST] = "pid_list",
		[FC_GUESS_PROGRAM] = "program",
	};

	fprintf(out, "echo '%s%s%s' ;;\n", names[guess->kind], guess->words ? " " : "",
		guess->words ? guess->words : "");
}

static void print_options_bash(FILE *out, const struct fc_cmd *cmd)
{
	fprintf(out, "\t%s) echo '", name_of(cmd));
	for (size_t i = 0; cmd->options[i]; i++) {
		const struct fc_option *option = cmd->options[i];
		if (option->letter)
			fprintf(out, "%s-%c", i ? " " : "", option->letter);
		if (option->name)
			fprintf(out, "%s--%s%s", i || option->letter ? " " : "", option->name,
				fc_option_takes_word(option) ? "=" : "");
	}
	fputs("' ;;\n", out);
}

/* The option as a pattern of case: "record -o" | "record --output" */
static void print_pattern_bash(FILE *out, const struct fc_cmd *cmd,
			       const struct fc_option *option)
{
	if (option->letter)
		fprintf(out, "'%s -%c'", name_of(cmd), option->letter);
	if (option->name)
		fprintf(out, "%s'%s --%s'", option->letter ? " | " : "", name_of(cmd),
			option->name);
}

static void print_arguments_bash(FILE *out, const struct fc_cmd *cmd)
{
	for (size_t i = 0; cmd->options[i]; i++) {
		if (!fc_option_takes_word(cmd->options[i]))
			continue;
		struct fc_guess guess = fc_guess_argument(cmd->options[i]);
		fputc('\t', out);
		print_pattern_bash(out, cmd, cmd->options[i]);
		fputs(") ", out);
		print_kind_bash(out, &guess);
		fc_guess_free(&guess);
	}
}

static void print_operands_bash(FILE *out, const struct fc_cmd *cmd)
{
	struct fc_operands operands = fc_operands_begin(cmd);
	struct fc_guess guess;

	for (int i = 0; fc_operands_next(&operands, &guess); i++) {
		fprintf(out, operands.is_repeated ? "\t'%s '*) " : "\t'%s %d') ", name_of(cmd),
			i);
		print_kind_bash(out, &guess);
		fc_guess_free(&guess);
	}
}

static void print_function_bash(FILE *out, const char *name, const char *key, const char *about,
				void (*print_cases)(FILE *out, const struct fc_cmd *cmd))
{
	const struct fc_cmd *cmd;

	fprintf(out, "# %s\n%s()\n{\n\tcase $%s in\n", about, name, key);
	for (size_t row = 0; (cmd = row_at(row)); row++)
		print_cases(out, cmd);
	fputs("\tesac\n}\n\n", out);
}

static void print_names(FILE *out)
{
	for (size_t i = 0; fc_cmd_at(i); i++)
		fprintf(out, "%s ", fc_cmd_at(i)->name);
	fputs("help", out);
}

/* Those behind whose options a program's words begin, each behind a blank. */
static void print_runners(FILE *out)
{
	const struct fc_cmd *cmd;

	for (size_t row = 0; (cmd = row_at(row)); row++) {
		if (cmd->runs_program)
			fprintf(out, " %s", name_of(cmd));
	}
}

static void print_bash(FILE *out)
{
	fputs("_fctrace_commands='", out);
	print_names(out);
	fputs("'\n_fctrace_runners='", out);
	print_runners(out);
	fputs(" '\n\n", out);
	print_function_bash(out, "_fctrace_options", "1", "COMMAND: its options",
			    print_options_bash);
	print_function_bash(out, "_fctrace_argument", "1",
			    "'COMMAND OPTION': its argument, if any", print_arguments_bash);
	print_function_bash(out, "_fctrace_operand", "1", "'COMMAND N': its Nth word, from 0",
			    print_operands_bash);
}

/* zsh: a function for each command, with the words of _arguments, see zshcompsys(1). */

static void print_action_zsh(FILE *out, const struct fc_guess *guess)
{
	static const char *const actions[] = {
		[FC_GUESS_ANY] = " ",
		[FC_GUESS_FILES] = "_files",
		[FC_GUESS_TRACES] = "_fctrace_traces",
		[FC_GUESS_FOLDERS] = "_files -/",
		[FC_GUESS_PIDS] = "_fctrace_pids",
		[FC_GUESS_PID_LIST] = "_sequence _fctrace_pids",
		[FC_GUESS_PROGRAM] = "_fctrace_program",
	};

	if (guess->kind == FC_GUESS_WORDS)
		fprintf(out, "(%s)", guess->words);
	else if (guess->kind == FC_GUESS_LIST)
		fprintf(out, "_sequence compadd - %s", guess->words);
	else
		fputs(actions[guess->kind], out);
}

static void print_spec_zsh(FILE *out, const char *spelled, const struct fc_option *option)
{
	fc_auto_free char *about = escaped(option->help, short_length(option->help), "\\[]:");
	fc_auto_free char *spec = fc_asprintf("*%s[%s]", spelled, about);

	fputs("\t\t", out);
	quote(out, spec);
	if (fc_option_takes_word(option)) {
		fc_auto_free char *arg = escaped(option->arg, strlen(option->arg), "\\:");
		struct fc_guess guess = fc_guess_argument(option);
		fprintf(out, "':%s:", arg);
		print_action_zsh(out, &guess);
		fputc('\'', out);
		fc_guess_free(&guess);
	}
	fputs(" \\\n", out);
}

static void print_option_zsh(FILE *out, const struct fc_option *option)
{
	if (option->letter) {
		fc_auto_free char *spelled = fc_asprintf(
			"-%c%s", option->letter, fc_option_takes_word(option) ? "+" : "");
		print_spec_zsh(out, spelled, option);
	}
	if (option->name) {
		fc_auto_free char *spelled = fc_asprintf(
			"--%s%s", option->name, fc_option_takes_word(option) ? "=" : "");
		print_spec_zsh(out, spelled, option);
	}
}

static void print_operands_zsh(FILE *out, const struct fc_cmd *cmd)
{
	struct fc_operands operands = fc_operands_begin(cmd);
	struct fc_guess guess;

	while (fc_operands_next(&operands, &guess)) {
		fprintf(out, "\t\t'%s: :", operands.is_repeated ? "*" : "");
		print_action_zsh(out, &guess);
		fputs("' \\\n", out);
		fc_guess_free(&guess);
	}
}

static void print_command_zsh(FILE *out, const struct fc_cmd *cmd)
{
	fprintf(out, "_fctrace_of_%s()\n{\n\t_arguments -s -S %s\\\n", name_of(cmd),
		cmd->runs_program ? "-A '-*' " : "");
	for (size_t i = 0; cmd->options[i]; i++)
		print_option_zsh(out, cmd->options[i]);
	if (cmd->runs_program)
		fputs("\t\t'(-)1: :_fctrace_program' '*::program:_normal'\n}\n\n", out);
	else {
		print_operands_zsh(out, cmd);
		fputs("\t\t&& return 0\n\treturn 1\n}\n\n", out);
	}
}

static void print_zsh(FILE *out)
{
	const struct fc_cmd *cmd;

	fputs("_fctrace_names=' ", out);
	print_names(out);
	fputs(" '\n\n_fctrace_commands()\n{\n\tlocal -a commands=(\n", out);
	for (size_t row = 0; (cmd = row_at(row)); row++) {
		if (!cmd->name)
			continue;
		fc_auto_free char *entry = fc_asprintf("%s:%s", cmd->name, cmd->summary);
		fputs("\t\t", out);
		quote(out, entry);
		fputc('\n', out);
	}
	fputs("\t)\n\t_describe -t commands 'fctrace command' commands\n}\n\n", out);
	for (size_t row = 0; (cmd = row_at(row)); row++)
		print_command_zsh(out, cmd);
}

/* fish: the calls of complete(1), each for the command that the words before name. */

static void print_action_fish(FILE *out, const struct fc_guess *guess)
{
	static const char *const actions[] = {
		[FC_GUESS_ANY] = "-x",
		[FC_GUESS_FILES] = "-r -F",
		[FC_GUESS_TRACES] = "-x -a '(__fctrace_traces)'",
		[FC_GUESS_FOLDERS] = "-x -a '(__fish_complete_directories)'",
		[FC_GUESS_PIDS] = "-x -a '(__fish_complete_pids)'",
		[FC_GUESS_PID_LIST] = "-x -a '(__fish_complete_list , __fish_complete_pids)'",
		[FC_GUESS_PROGRAM] = "-F -a '(__fctrace_program)'",
	};

	if (guess->kind == FC_GUESS_WORDS)
		fprintf(out, "-x -a '%s'", guess->words);
	else if (guess->kind == FC_GUESS_LIST)
		fprintf(out, "-x -a '(__fctrace_list %s)'", guess->words);
	else
		fputs(actions[guess->kind], out);
}

static void print_option_fish(FILE *out, const struct fc_cmd *cmd,
			      const struct fc_option *option)
{
	fc_auto_free char *about =
		fc_asprintf("%.*s", (int)short_length(option->help), option->help);

	fprintf(out, "complete -c fctrace -n '__fctrace_may_option %s'", name_of(cmd));
	if (option->letter)
		fprintf(out, " -s %c", option->letter);
	if (option->name)
		fprintf(out, " -l %s", option->name);
	if (fc_option_takes_word(option)) {
		struct fc_guess guess = fc_guess_argument(option);
		fputc(' ', out);
		print_action_fish(out, &guess);
		fc_guess_free(&guess);
	}
	fputs(" -d ", out);
	quote_fish(out, about);
	fputc('\n', out);
}

static void print_operands_fish(FILE *out, const struct fc_cmd *cmd)
{
	struct fc_operands operands = fc_operands_begin(cmd);
	struct fc_guess guess;

	for (int i = 0; fc_operands_next(&operands, &guess); i++) {
		fprintf(out, "complete -c fctrace -n '__fctrace_is_at %s %d%s' ", name_of(cmd),
			i, operands.is_repeated ? " -" : "");
		print_action_fish(out, &guess);
		fputc('\n', out);
		fc_guess_free(&guess);
	}
}

/* The options that take a word: asked when words are counted. */
static void print_takers_fish(FILE *out, const struct fc_cmd *cmd)
{
	for (size_t i = 0; cmd->options[i]; i++) {
		const struct fc_option *option = cmd->options[i];
		if (fc_option_takes_word(option) && option->letter)
			fprintf(out, " '%s -%c'", name_of(cmd), option->letter);
		if (fc_option_takes_word(option) && option->name)
			fprintf(out, " '%s --%s'", name_of(cmd), option->name);
	}
}

static void print_fish(FILE *out)
{
	const struct fc_cmd *cmd;

	fputs("set -g __fctrace_commands ", out);
	print_names(out);
	fputs("\nset -g __fctrace_runners", out);
	print_runners(out);
	fputs("\nset -g __fctrace_takers", out);
	for (size_t row = 0; (cmd = row_at(row)); row++)
		print_takers_fish(out, cmd);
	fputs("\n\ncomplete -c fctrace -f\n", out);
	for (size_t row = 0; (cmd = row_at(row)); row++) {
		if (cmd->name) {
			fprintf(out, "complete -c fctrace -n __fctrace_is_first -a %s -d ",
				cmd->name);
			quote_fish(out, cmd->summary);
			fputc('\n', out);
		}
		for (size_t i = 0; cmd->options[i]; i++)
			print_option_fish(out, cmd, cmd->options[i]);
		print_operands_fish(out, cmd);
	}
	fputc('\n', out);
}

static const struct shell {
	const char *name;
	const char *head; /* the first line; NULL: it needs none */
	void (*print_table)(FILE *out);
	const char *script;
} shells[] = {
	{ "bash", NULL, print_bash, script_bash },
	{ "zsh", "#compdef fctrace\n", print_zsh, script_zsh },
	{ "fish", NULL, print_fish, script_fish },
};

static void print_shell(FILE *out, const struct shell *shell)
{
	fprintf(out,
		"%s# SPDX-License-Identifier: Apache-2.0\n"
		"# fctrace's words for %s, made by: fctrace completion %s\n\n",
		shell->head ? shell->head : "", shell->name, shell->name);
	shell->print_table(out);
	fputs(shell->script, out);
}

static int run_completion(const struct fc_settings *settings, int argc, char **argv)
{
	if (argc != 1) {
		fc_say("%s bash, zsh or fish", argc ? "one shell:" : "which shell?");
		return FC_STATUS_USAGE;
	}
	for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++) {
		if (strcmp(shells[i].name, argv[0]))
			continue;
		FILE *out = fc_output_open();
		print_shell(out, &shells[i]);
		return fc_output_close(out, FC_STATUS_OK);
	}
	fc_say("%s: no shell that is known here; there are bash, zsh and fish", argv[0]);
	return FC_STATUS_USAGE;
}

static const struct fc_option *const options[] = {
	&fc_option_help,
	NULL,
};

const struct fc_cmd fc_cmd_completion = {
	.name = "completion",
	.usage = "bash|zsh|fish",
	.summary = "print a script that completes fctrace's words",
	.options = options,
	.notes = "For this shell only:  source <(fctrace completion bash)\n"
		 "                      source <(fctrace completion zsh), behind compinit\n"
		 "                      fctrace completion fish | source\n"
		 "make install and the package put them where the shells look.\n"
		 "Exit status: 0; 1 output could not be written, 2 wrong usage.\n",
	.run = run_completion,
};
