/* SPDX-License-Identifier: Apache-2.0 */
/* guess.c - lists the words that an argument or an operand may be. */
#include "cmd/options/guess.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "cmd/options/cmd.h"
#include "show/export/format.h"

/* Help texts call a thing by one name: so it says what the word may be. */
static const struct {
	const char *name;
	enum fc_guess_kind kind;
} known[] = {
	{ "A", FC_GUESS_TRACES },	    { "B", FC_GUESS_TRACES },
	{ "DIR", FC_GUESS_FOLDERS },	    { "FILE", FC_GUESS_FILES },
	{ "PID", FC_GUESS_PIDS },	    { "PID...", FC_GUESS_PIDS },
	{ "PID[,PID]", FC_GUESS_PID_LIST }, { "PROGRAM", FC_GUESS_PROGRAM },
	{ "TRACE", FC_GUESS_TRACES },
};

/* "a|b[=SIZE]|c" as "a b c". */
static char *spaced(const char *words, char between)
{
	char *ret = fc_strdup(words), *to = ret;
	size_t depth = 0;

	for (const char *from = words; *from; from++) {
		depth += *from == '[';
		if (!depth)
			*to++ = *from == between ? ' ' : *from;
		depth -= *from == ']';
	}
	*to = 0;
	return ret;
}

static char *names_of_formats(void)
{
	char *ret = NULL;

	for (size_t i = 0; fc_formats[i]; i++)
		fc_append(&ret, "%s%s", ret ? " " : "", fc_formats[i]->name);
	return ret;
}

static char *names_of_commands(void)
{
	char *ret = NULL;

	for (size_t i = 0; fc_cmd_at(i); i++)
		fc_append(&ret, "%s%s", ret ? " " : "", fc_cmd_at(i)->name);
	return ret;
}

/* words: as in struct fc_option, or NULL. */
static struct fc_guess guess_of(const char *name, const char *words)
{
	if (words && strchr(words, ','))
		return (struct fc_guess){ FC_GUESS_LIST, spaced(words, ',') };
	if (words)
		return (struct fc_guess){ FC_GUESS_WORDS, spaced(words, '|') };
	if (strchr(name, '|'))
		return (struct fc_guess){ FC_GUESS_WORDS, spaced(name, '|') };
	if (!strcmp(name, "FORMAT"))
		return (struct fc_guess){ FC_GUESS_WORDS, names_of_formats() };
	if (!strcmp(name, "COMMAND"))
		return (struct fc_guess){ FC_GUESS_WORDS, names_of_commands() };
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (!strcmp(known[i].name, name))
			return (struct fc_guess){ known[i].kind, NULL };
	}
	return (struct fc_guess){ FC_GUESS_ANY, NULL };
}

struct fc_guess fc_guess_argument(const struct fc_option *option)
{
	return guess_of(option->arg, option->words);
}

struct fc_operands fc_operands_begin(const struct fc_cmd *cmd)
{
	return (struct fc_operands){ .cmd = cmd,
				     .at = cmd->runs_program ? "PROGRAM" : cmd->usage };
}

/* The next word of a usage without the brackets around it; "" at the end. */
static char *next_word(const char **at)
{
	const char *word = *at + strspn(*at, " [");
	size_t len = strcspn(word, " ");

	*at = word + len;
	while (len && word[len - 1] == ']')
		len--;
	return fc_asprintf("%.*s", (int)len, word);
}

bool fc_operands_next(struct fc_operands *operands, struct fc_guess *ret)
{
	for (;;) {
		fc_auto_free char *word = next_word(&operands->at);
		if (!*word || !strcmp(word, "|"))
			return false;
		if (!strcmp(word, "OPTIONS"))
			continue;
		if (*word == '-') {
			free(next_word(&operands->at));
			continue;
		}
		*ret = guess_of(word, strcmp(word, "COMMAND") ? NULL : operands->cmd->words);
		/* A FILE that is no option's is read. */
		if (ret->kind == FC_GUESS_FILES)
			ret->kind = FC_GUESS_TRACES;
		const char *dots = strstr(word, "...");
		operands->is_repeated = dots && !dots[3];
		return true;
	}
}

void fc_guess_free(struct fc_guess *guess)
{
	free(guess->words);
}
