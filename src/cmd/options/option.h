/* SPDX-License-Identifier: Apache-2.0 */
/*
 * option.h - an option: what it is called, and where its argument goes in the settings.
 *
 *	{ 'D', NULL, "DEPTH", "no calls deeper than DEPTH levels", FC_NUMBER(depth, "a depth") }
 *	{ 0, "json", NULL, "as JSON", FC_FLAG(json) }
 */
#ifndef FC_CMD_OPTIONS_OPTION_H
#define FC_CMD_OPTIONS_OPTION_H

#include "cmd/options/settings.h"

struct fc_option {
	int letter;	  /* 0: has only a name */
	const char *name; /* NULL: has only a letter */
	const char *arg;  /* what its argument is called; NULL: takes none */
	const char *help;
	/*
	 * Sets what it is for, or puts the argument at this offset in the settings: one of both.
	 * -EINVAL with a sentence: not what this option takes.
	 */
	int (*set)(struct fc_settings *settings, const char *arg);
	int (*put)(const struct fc_option *option, void *at, const char *arg);
	size_t at;
	const char *what; /* of a number: as in "a thread id" */
	/*
	 * Where arg does not say it: what the argument may be, as in "a|b|c", or as in
	 * "a,b,c" where it may be several, with commas.
	 */
	const char *words;
	bool may_lack_arg; /* --NAME alone, too: the argument is NULL then */
};

/* One that a single command has, where it stands in that command's list. */
#define FC_OPTION(...)                                                                         \
	&(const struct fc_option)                                                              \
	{                                                                                      \
		__VA_ARGS__                                                                    \
	}

/* Does the next word belong to it? */
static inline bool fc_option_takes_word(const struct fc_option *option)
{
	return option->arg && !option->may_lack_arg;
}

int fc_option_take(const struct fc_option *option, struct fc_settings *settings,
		   const char *arg);

int fc_put_flag(const struct fc_option *option, void *at, const char *arg);
int fc_put_text(const struct fc_option *option, void *at, const char *arg);
int fc_put_file(const struct fc_option *option, void *at, const char *arg);
int fc_put_glob(const struct fc_option *option, void *at, const char *arg);
int fc_put_globs(const struct fc_option *option, void *at, const char *arg);
int fc_put_number(const struct fc_option *option, void *at, const char *arg);
int fc_put_count(const struct fc_option *option, void *at, const char *arg);
int fc_put_word(const struct fc_option *option, void *at, const char *arg);
int fc_put_time(const struct fc_option *option, void *at, const char *arg);
int fc_put_share(const struct fc_option *option, void *at, const char *arg);

/* Does not compile where the member is of another type. */
#define FC_PUT(how, type, member)                                                              \
	.put = (how), .at = _Generic(((struct fc_settings *)0)->member, type                   \
				     : offsetof(struct fc_settings, member))

#define FC_FLAG(member)		FC_PUT(fc_put_flag, bool, member)
#define FC_TEXT(member)		FC_PUT(fc_put_text, const char *, member)
#define FC_FILE(member)		FC_PUT(fc_put_file, const char *, member) /* not empty */
#define FC_GLOB(member)		FC_PUT(fc_put_glob, const char *, member)
#define FC_GLOBS(member)	FC_PUT(fc_put_globs, char **, member) /* one more of them */
#define FC_NUMBER(member, text) FC_PUT(fc_put_number, uint32_t, member), .what = (text)
#define FC_COUNT(member, text)	FC_PUT(fc_put_count, struct fc_count, member), .what = (text)
#define FC_WORD(member)		FC_PUT(fc_put_word, uint32_t, member) /* an enum, in this order */
#define FC_TIME(member)		FC_PUT(fc_put_time, uint64_t, member) /* in ns */
#define FC_SHARE(member)	FC_PUT(fc_put_share, struct fc_share, member)

#endif
