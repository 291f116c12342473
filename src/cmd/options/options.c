/* SPDX-License-Identifier: Apache-2.0 */
/*
 * options.c - reads a command line by the options of its command, and explains what is wrong.
 */
#include "cmd/options/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "cmd/options/cmd.h"
#include "cmd/options/peers.h"

/* The records above as getopt_long() wants them: val is the index of the option + 1000. */
struct getopt_tables {
	char *letters;
	struct option *names; /* the last is zeroed */
};

#define FIRST_NAME 1000

static void make_tables(const struct fc_cmd *cmd, struct getopt_tables *tables)
{
	size_t nr = 0, nr_names = 0;
	while (cmd->options[nr])
		nr++;
	tables->letters = fc_alloc(strlen("+:") + strlen("x:") * nr + 1);
	tables->names = fc_alloc((nr + 1) * sizeof(*tables->names));
	char *letter = stpcpy(tables->letters, cmd->runs_program ? "+:" : ":");

	for (int i = 0; cmd->options[i]; i++) {
		const struct fc_option *option = cmd->options[i];
		if (option->letter) {
			*letter++ = (char)option->letter;
			if (option->arg)
				*letter++ = ':';
		}
		if (option->name)
			tables->names[nr_names++] =
				(struct option){ option->name,
						 !option->arg		? no_argument
						 : option->may_lack_arg ? optional_argument
									: required_argument,
						 NULL, FIRST_NAME + i };
	}
	*letter = 0;
}

static const struct fc_option *find_option(const struct fc_cmd *cmd, int val)
{
	for (int i = 0; cmd->options[i]; i++) {
		if (val == FIRST_NAME + i || (val && val == cmd->options[i]->letter))
			return cmd->options[i];
	}
	return NULL;
}

/* As the user would write it: -F, --libs. */
static char *spelled(const struct fc_option *option, int val)
{
	return val >= FIRST_NAME ? fc_asprintf("--%s", option->name)
				 : fc_asprintf("-%c", option->letter);
}

/* word: --NAME or --NAME=..., or letter if that is not 0. */
static bool knows_option(const struct fc_cmd *cmd, int letter, const char *word)
{
	const char *name = word + strspn(word, "-");
	size_t len = strcspn(name, "=");
	for (int i = 0; cmd && cmd->options[i]; i++) {
		const struct fc_option *option = cmd->options[i];
		if (letter ? option->letter == letter
			   : option->name && strlen(option->name) == len &&
				     !strncmp(option->name, name, len))
			return true;
	}
	return false;
}

/* As the user would call it. */
static char *called(const struct fc_cmd *cmd)
{
	return cmd->name ? fc_asprintf("fctrace %s", cmd->name) : fc_strdup("fctrace");
}

/* "; did you mean --json? See fctrace report --help". */
static char *nearest_name(const struct fc_cmd *cmd, const char *word, const char *rest)
{
	const char *name = word + strspn(word, "-");
	struct fc_nearest nearest;

	fc_nearest_begin(&nearest, name, strcspn(name, "="));
	for (int i = 0; cmd->options[i]; i++)
		if (cmd->options[i]->name)
			fc_nearest_offer(&nearest, cmd->options[i]->name,
					 strlen(cmd->options[i]->name));
	return fc_nearest_hint(&nearest, "--", rest);
}

/* Whose option it is: the sibling's, or of a name any other command's; NULL: nobody's. */
static const struct fc_cmd *find_owner(const struct fc_cmd *cmd, int letter, const char *word)
{
	const struct fc_cmd *sibling = fc_cmd_sibling(cmd);

	if (knows_option(sibling, letter, word))
		return sibling;
	for (size_t i = 0; !letter && fc_cmd_at(i); i++)
		if (knows_option(fc_cmd_at(i), letter, word))
			return fc_cmd_at(i);
	return NULL;
}

/* The word that may be the argument of a letter: behind it, or the next one. */
static const char *argument_of(int letter, char **argv)
{
	const char *last = argv[optind - 1], *next = argv[optind];

	if (last[0] == '-' && last[1] == letter && !last[2])
		return next;
	return next && next[0] == '-' && next[1] == letter ? next + 2 : NULL;
}

static int unknown_option(const struct fc_cmd *cmd, int letter, const char *option,
			  const char *arg)
{
	fc_auto_free char *own = called(cmd);
	const struct fc_cmd *owner = find_owner(cmd, letter, option);
	if (owner) {
		fc_auto_free char *other = called(owner);
		return fc_fail(EINVAL, "%s: an option of %s, not of %s; see %s --help", option,
			       other, own, other);
	}
	fc_auto_free char *rest = fc_asprintf("see %s --help", own);
	if (!letter) {
		fc_auto_free char *hint = nearest_name(cmd, option, rest);
		return fc_fail(EINVAL, "%s: unknown option%s", option, hint);
	}
	fc_auto_free char *peers = fc_peers_hint(cmd, letter, arg);
	return fc_fail(EINVAL, "%s: unknown option; %s", option, peers ? peers : rest);
}

static int bad_option(const struct fc_cmd *cmd, int found, char **argv)
{
	bool is_letter = optopt > 0 && optopt < FIRST_NAME;
	fc_auto_free char *option =
		is_letter ? fc_asprintf("-%c", optopt) : fc_strdup(argv[optind - 1]);
	fc_auto_free char *own = called(cmd);

	if (found == ':')
		return fc_fail(EINVAL, "%s wants an argument; see %s --help", option, own);
	if (!is_letter && strchr(option, '=') && optopt)
		return fc_fail(EINVAL, "%s: this option takes no argument; see %s --help",
			       option, own);
	return unknown_option(cmd, is_letter ? optopt : 0, option,
			      is_letter ? argument_of(optopt, argv) : NULL);
}

static int take_all(const struct fc_cmd *cmd, const struct getopt_tables *tables, int argc,
		    char **argv, struct fc_settings *settings)
{
	int val;

	settings->typed = argv + 1;
	opterr = 0;
	optind = 0; /* glibc: start anew */
	while ((val = getopt_long(argc, argv, tables->letters, tables->names, NULL)) != -1) {
		if (val == '?' || val == ':')
			return bad_option(cmd, val, argv);
		const struct fc_option *option = find_option(cmd, val);
		int err = fc_option_take(option, settings, optarg);
		if (err) {
			fc_auto_free char *name = spelled(option, val);
			fc_auto_free char *text = fc_strdup(fc_fail_text());
			return fc_fail(-err, "%s %s", name, text);
		}
	}
	return optind;
}

int fc_options_parse(const struct fc_cmd *cmd, int argc, char **argv,
		     struct fc_settings *settings)
{
	struct getopt_tables tables;
	make_tables(cmd, &tables);
	int ret = take_all(cmd, &tables, argc, argv, settings);
	free(tables.letters);
	free(tables.names);
	return ret;
}
