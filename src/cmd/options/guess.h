/* SPDX-License-Identifier: Apache-2.0 */
/* guess.h - what a word of a command line may be: of its record, for those who complete it. */
#ifndef FC_CMD_OPTIONS_GUESS_H
#define FC_CMD_OPTIONS_GUESS_H

#include <stdbool.h>

enum fc_guess_kind {
	FC_GUESS_ANY,
	FC_GUESS_WORDS, /* one of these */
	FC_GUESS_LIST,	/* several of these, with commas */
	FC_GUESS_FILES,
	FC_GUESS_TRACES,
	FC_GUESS_FOLDERS,
	FC_GUESS_PIDS,
	FC_GUESS_PID_LIST,
	FC_GUESS_PROGRAM,
};

struct fc_guess {
	enum fc_guess_kind kind;
	char *words; /* of WORDS and LIST, with blanks between; else NULL */
};

struct fc_option;
struct fc_cmd;

/* Of an option's argument; the option takes one. */
struct fc_guess fc_guess_argument(const struct fc_option *option);

/*
 * The words behind a command's options, as its usage has them: "[OPTIONS] [FILE] [SQL]". Other
 * ways to call it, behind a bar, are not looked at. Of what runs a program, it is PROGRAM.
 */
struct fc_operands {
	const struct fc_cmd *cmd;
	const char *at;	  /* in its usage */
	bool is_repeated; /* the one that was told last may come again */
};

struct fc_operands fc_operands_begin(const struct fc_cmd *cmd);
/* False: there are no more, *ret is not touched. */
bool fc_operands_next(struct fc_operands *operands, struct fc_guess *ret);

void fc_guess_free(struct fc_guess *guess);

#endif
