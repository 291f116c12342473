/* SPDX-License-Identifier: Apache-2.0 */
/* peers.c - a table of options of other tracers, and what to use here instead. */
#include "cmd/options/peers.h"

#include <stdbool.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "cmd/options/cmd.h"

struct peer {
	int letter;
	const char *hint;
};

/* Options that run a program: fctrace, record, top. */
static const struct peer tracing[] = {
	{ 'f', "child processes are followed already (--no-follow leaves them untraced)" },
	{ 'u', "to trace a program as another user, run all of it so: sudo -u USER fctrace "
	       "PROGRAM" },
	{ 'E', "to change the environment of the program: env NAME=VALUE fctrace PROGRAM" },
	{ 'T', "the duration of each call is shown already" },
	{ 'r', "to see the time since the line before: fctrace record PROGRAM, then fctrace "
	       "replay -f +delta" },
	{ 'g', "callers are recorded with every call already: fctrace record PROGRAM, then "
	       "fctrace graph, or fctrace report --callers FUNCTION" },
	{ 'P', "to see only calls with some path: -F 'open@if:path ~ \"/etc/*\"'" },
	{ 'l', "to trace the functions of one library: -m 'libz*'" },
	{ 'v', "--long shows each argument on a line, -S 1000 records longer strings" },
};

/* Options of the commands that read a trace. */
static const struct peer reading[] = {
	{ 'i', "name the trace without an option" },
	{ 'd', "name the trace without an option" },
	{ 'g',
	  "fctrace graph shows who calls whom, fctrace report --callers FUNCTION who calls "
	  "one function" },
	{ 'o', "redirect the output: >FILE" },
	{ 'p', "--pid PID chooses a process" },
	{ 'a', "arguments and results are shown where they are recorded: fctrace record -a" },
	{ 'A', "arguments are shown where they are recorded: fctrace record -A GLOB" },
	{ 'R', "results are shown where they are recorded: fctrace record -R GLOB" },
	{ 'y', "where descriptors lead is shown where it is recorded: fctrace record -y" },
	{ 'S', "how much of a string is recorded: fctrace record -S SIZE" },
};

static char *find(const struct peer *peers, size_t nr, int letter)
{
	for (size_t i = 0; i < nr; i++)
		if (peers[i].letter == letter)
			return fc_strdup(peers[i].hint);
	return NULL;
}

/* "trace=open,close" as " -F open -F close"; NULL: it is not as simple as that. */
static char *globs_of(const char *expression)
{
	static const char name[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789_*?";
	const char *equals = strchr(expression, '=');
	size_t key = equals ? (size_t)(equals - expression) : 0;
	char *ret = NULL;

	if (equals && !(key == 1 && *expression == 't') &&
	    !(key == 5 && !strncmp(expression, "trace", 5)))
		return NULL;
	for (const char *at = equals ? equals + 1 : expression; *at;) {
		size_t len = strspn(at, name);
		if (!len || (at[len] && at[len] != ',')) {
			free(ret);
			return NULL;
		}
		fc_append(&ret, " -F '%.*s'", (int)len, at);
		at += len + (at[len] == ',');
	}
	return ret;
}

static char *chosen_calls(const char *expression)
{
	fc_auto_free char *globs = expression ? globs_of(expression) : NULL;

	return fc_asprintf(
		"to see chosen calls with their arguments: -a%s; to see system calls: "
		"--syscalls",
		globs ? globs : " -F 'open*'");
}

char *fc_peers_hint(const struct fc_cmd *cmd, int letter, const char *arg)
{
	if (cmd->runs_program && letter == 'e')
		return chosen_calls(arg);
	if (cmd->runs_program)
		return find(tracing, sizeof(tracing) / sizeof(tracing[0]), letter);
	if (cmd->usage && strstr(cmd->usage, "[FILE"))
		return find(reading, sizeof(reading) / sizeof(reading[0]), letter);
	return NULL;
}
