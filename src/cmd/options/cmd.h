/* SPDX-License-Identifier: Apache-2.0 */
/* cmd.h - a command of fctrace: one record, in its own file. */
#ifndef FC_CMD_OPTIONS_CMD_H
#define FC_CMD_OPTIONS_CMD_H

#include <stdio.h>

#include "cmd/options/option.h"

struct fc_cmd {
	const char *name; /* NULL: the one that runs when no command is named */
	const char *usage;
	const char *summary;
	const struct fc_option *const *options; /* NULL-terminated */
	bool runs_program; /* the first word that is no option begins a program's own words */
	const char *words; /* what COMMAND in usage may be, as in "on|off"; NULL: no such */
	const char *notes; /* lines below the options: exit status… */
	void (*print_notes)(FILE *out); /* lines above notes; NULL: none */

	/* Whose options are easily taken for its own, by name; "": who has none; NULL: nobody's. */
	const char *sibling;
	/* argv: the words behind the options. Returns fctrace's exit status. */
	int (*run)(const struct fc_settings *settings, int argc, char **argv);
};

extern const struct fc_cmd fc_cmd_trace, fc_cmd_record, fc_cmd_replay, fc_cmd_report,
	fc_cmd_info, fc_cmd_list, fc_cmd_check, fc_cmd_detach, fc_cmd_ctl, fc_cmd_dump,
	fc_cmd_graph, fc_cmd_diff, fc_cmd_query, fc_cmd_export, fc_cmd_top, fc_cmd_completion,
	fc_cmd_import, fc_cmd_tui, fc_cmd_why, fc_cmd_requests, fc_cmd_names;

/* Make them known; they stay the caller's. */
void fc_cmd_set(const struct fc_cmd *const *cmds, size_t nr, const struct fc_cmd *without_name);
/* The table of commands, without the nameless one: NULL behind the last. */
const struct fc_cmd *fc_cmd_at(size_t i);
/* NULL: it has none. */
const struct fc_cmd *fc_cmd_sibling(const struct fc_cmd *cmd);

/* Notes on exit status that several commands share. */
#define FC_NOTES_RUN                                                                           \
	"Exit status: that of PROGRAM (0 with -p); killed by a signal, fctrace dies by\n"      \
	"the same. 2 wrong usage, 125 fctrace failed (or could not write its output),\n"       \
	"126 PROGRAM cannot be run, 127 PROGRAM not found.\n"
#define FC_NOTES_READ                                                                          \
	"Exit status: 0; 1 no such thread or function, or output could not be written,\n"      \
	"2 wrong usage, 3 not a usable trace, 4 shown, but some of the trace is missing\n"     \
	"(stderr says what).\n"

#endif
