/* SPDX-License-Identifier: Apache-2.0 */
/* condition.c - parses conditions, and evaluates them on a call's values. */
#include "values/condition/condition_private.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"

static const char mark[] = "@if:";

enum { DEEPEST = 32 };

struct reading {
	const char *text, *at; /* all of it; what is next */
	struct fc_condition *condition;
	unsigned depth;
	int err; /* 0, or that of the first thing that was wrong */
};

__attribute__((format(printf, 3, 4))) static void fail(struct reading *reading, const char *at,
						       const char *format, ...)
{
	va_list ap;
	va_start(ap, format);
	if (!reading->err)
		reading->err = fc_fail_at(reading->text, at, format, ap);
	va_end(ap);
}

static void skip_space(struct reading *reading)
{
	while (isspace((unsigned char)*reading->at))
		reading->at++;
}

static bool is_letter(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

/* The next is this sign, which may be the begin of no longer one of these. */
static bool take_sign(struct reading *reading, const char *sign)
{
	skip_space(reading);
	size_t len = strlen(sign);
	bool is_next = !strncmp(reading->at, sign, len);
	reading->at += is_next ? len : 0;
	return is_next;
}

static bool take_word(struct reading *reading, const char *word)
{
	skip_space(reading);
	size_t len = strlen(word);
	bool is_next = !strncmp(reading->at, word, len) && !is_letter(reading->at[len]);
	reading->at += is_next ? len : 0;
	return is_next;
}

/* What is next, for a sentence. */
static const char *next_text(const struct reading *reading)
{
	static __thread char text[24];
	if (!*reading->at)
		return "the end";
	snprintf(text, sizeof(text), "\"%.16s\"", reading->at);
	return text;
}

/* A name as in C; NULL: none is next. */
static char *take_name(struct reading *reading)
{
	const char *begin = reading->at;
	if (isdigit((unsigned char)*begin) || !is_letter(*begin))
		return NULL;
	while (is_letter(*reading->at))
		reading->at++;
	return fc_asprintf("%.*s", (int)(reading->at - begin), begin);
}

/* ---- constants ---- */

/* The byte that a backslash stands before. */
static char take_escaped(struct reading *reading)
{
	static const char letters[] = "abtnvfr0", bytes[] = "\a\b\t\n\v\f\r";
	char c = *reading->at ? *reading->at++ : '\\';
	const char *found = strchr(letters, c);
	return found && c ? bytes[found - letters] : c;
}

/* In a pattern a backslash is the pattern's, unless it is before a quotation mark. */
static char *take_text(struct reading *reading, bool is_glob)
{
	const char *begin = reading->at;
	char *ret = fc_alloc(strlen(begin) + 1);
	size_t nr = 0;
	reading->at++;
	while (*reading->at && *reading->at != '"') {
		char c = *reading->at++;
		if (c == '\\' && (!is_glob || *reading->at == '"'))
			c = take_escaped(reading);
		ret[nr++] = c;
	}
	if (!*reading->at)
		fail(reading, begin, "a text without its closing quotation mark");
	else
		reading->at++;
	return ret;
}

static void take_char(struct reading *reading, struct fc_word *ret)
{
	const char *begin = reading->at++;
	char c = *reading->at ? *reading->at++ : 0;
	if (c == '\\')
		c = take_escaped(reading);
	if (*reading->at != '\'') {
		fail(reading, begin, "not a char: a text stands in \"...\"");
		return;
	}
	reading->at++;
	ret->is_negative = c < 0;
	ret->number = (uint64_t)(c < 0 ? -c : c);
}

static bool is_real(const char *at)
{
	if (at[0] == '0' && (at[1] == 'x' || at[1] == 'X'))
		return false;
	at += strspn(at, "0123456789");
	return *at == '.' || *at == 'e' || *at == 'E';
}

static void take_number(struct reading *reading, struct fc_word *ret)
{
	static const char units[] = "KMG";
	const char *begin = reading->at;
	char *end = NULL;
	errno = 0;
	ret->is_real = is_real(begin);
	if (ret->is_real)
		ret->real = strtold(begin, &end);
	else
		ret->number = strtoull(begin, &end, 0);
	reading->at = end;
	const char *unit = *end ? strchr(units, toupper((unsigned char)*end)) : NULL;
	unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
	reading->at += unit ? 1 : 0;
	if (errno || ret->number > UINT64_MAX >> shift)
		fail(reading, begin, "too large a number");
	else if (end == begin || is_letter(*reading->at) || *reading->at == '.')
		fail(reading, begin,
		     "not a number; say it as 100, -1, 0x1f, 0644, 64K, 1M or 0.5");
	ret->number <<= shift;
	ret->real *= (long double)(1ull << shift);
}

static void take_one_word(struct reading *reading, struct fc_word *ret)
{
	skip_space(reading);
	ret->is_negative = take_sign(reading, "-");
	const char *begin = reading->at;
	if (isdigit((unsigned char)*begin) || *begin == '.') {
		take_number(reading, ret);
	} else if (*begin == '\'' && !ret->is_negative) {
		take_char(reading, ret);
	} else {
		ret->name = take_name(reading);
		if (!ret->name)
			fail(reading, begin,
			     "found %s; expected a number, a name or a \"text\"",
			     next_text(reading));
	}
}

static bool is_next_or(struct reading *reading)
{
	skip_space(reading);
	return reading->at[0] == '|' && reading->at[1] != '|';
}

static void take_words(struct reading *reading, struct fc_operand *ret)
{
	const char *begin = reading->at;
	do {
		reading->at += ret->nr ? 1 : 0;
		if (ret->nr == FC_MOST_WORDS) {
			fail(reading, begin, "more than %d joined with |", FC_MOST_WORDS);
			return;
		}
		take_one_word(reading, &ret->word[ret->nr++]);
	} while (!reading->err && is_next_or(reading));
	for (uint32_t i = 0; ret->nr > 1 && i < ret->nr; i++)
		if (ret->word[i].is_real)
			fail(reading, begin, "| joins whole numbers");
}

/* ---- terms ---- */

static size_t push(struct reading *reading, const struct fc_term *term)
{
	struct fc_condition *condition = reading->condition;
	if (condition->terms.nr == FC_MOST_TERMS)
		fail(reading, reading->at, "more than %d terms", FC_MOST_TERMS);
	fc_vec_push(&condition->terms, *term);
	return condition->terms.nr - 1;
}

static bool take_compare(struct reading *reading, enum fc_compare *ret)
{
	static const struct {
		const char *sign;
		enum fc_compare compare;
	} signs[] = {
		{ "==", FC_EQ }, { "!=", FC_NE }, { "!~", FC_UNLIKE }, { "<=", FC_LE },
		{ ">=", FC_GE }, { "<", FC_LT },  { ">", FC_GT },      { "~", FC_LIKE },
	};
	skip_space(reading);
	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
		if (!take_sign(reading, signs[i].sign))
			continue;
		*ret = signs[i].compare;
		return true;
	}
	if (*reading->at == '=')
		fail(reading, reading->at, "what is equal is asked by ==");
	return false;
}

/* What is compared is known already; a sign and a constant may follow. */
static void take_comparison(struct reading *reading, size_t at)
{
	enum fc_compare compare;
	if (!take_compare(reading, &compare))
		return;
	struct fc_operand value = { 0 };
	skip_space(reading);
	bool is_glob = compare == FC_LIKE || compare == FC_UNLIKE;
	struct fc_term *term = &reading->condition->terms.at[at];
	if (*reading->at == '"' && !term->has_mask)
		value.text = take_text(reading, is_glob);
	else if (is_glob)
		fail(reading, reading->at, "found %s; ~ takes a pattern in \"...\"",
		     next_text(reading));
	else
		take_words(reading, &value);
	term->compare = compare;
	term->value = value;
}

/* "st.st_size", "p->next"; the fields are told apart by dots. */
static char *take_path(struct reading *reading)
{
	char *ret = take_name(reading);
	while (ret && !reading->err &&
	       (*reading->at == '.' || !strncmp(reading->at, "->", 2))) {
		reading->at += *reading->at == '.' ? 1 : 2;
		char *field = take_name(reading);
		if (field)
			fc_append(&ret, ".%s", field);
		else
			fail(reading, reading->at, "found %s; expected a field's name",
			     next_text(reading));
		free(field);
	}
	return ret;
}

static size_t take_value(struct reading *reading)
{
	struct fc_term term = { .kind = FC_TERM_COMPARE };
	skip_space(reading);
	term.is_behind = take_sign(reading, "*");
	term.name = take_path(reading);
	if (!term.name)
		fail(reading, reading->at,
		     "found %s; expected a parameter's name, arg1, ret or errno",
		     next_text(reading));
	skip_space(reading);
	if (reading->at[0] == '&' && reading->at[1] != '&') {
		reading->at++;
		term.has_mask = true;
		take_words(reading, &term.mask);
	}
	size_t ret = push(reading, &term);
	take_comparison(reading, ret);
	return ret;
}

static size_t take_or(struct reading *reading);

static size_t take_nested(struct reading *reading)
{
	if (++reading->depth > DEEPEST) {
		fail(reading, reading->at, "more than %d within each other", DEEPEST);
		return 0;
	}
	const char *begin = reading->at;
	size_t ret = take_or(reading);
	if (!reading->err && !take_sign(reading, ")"))
		fail(reading, reading->at,
		     "found %s; expected an operator, or the ) of column %td",
		     next_text(reading), begin - reading->text);
	/* "(flags & 3) == 1" */
	const struct fc_term *term = reading->err ? NULL : &reading->condition->terms.at[ret];
	if (term && term->kind == FC_TERM_COMPARE && term->compare == FC_IS_SET)
		take_comparison(reading, ret);
	reading->depth--;
	return ret;
}

static size_t take_not(struct reading *reading)
{
	struct fc_term term = { .kind = FC_TERM_NOT };
	if (reading->err)
		return 0;
	if (take_sign(reading, "("))
		return take_nested(reading);
	if (!take_word(reading, "not") && !take_sign(reading, "!"))
		return take_value(reading);
	if (++reading->depth > DEEPEST) {
		fail(reading, reading->at, "more than %d within each other", DEEPEST);
		return 0;
	}
	term.left = take_not(reading);
	reading->depth--;
	return push(reading, &term);
}

static size_t take_and(struct reading *reading)
{
	struct fc_term term = { .kind = FC_TERM_AND, .left = take_not(reading) };
	while (!reading->err && (take_word(reading, "and") || take_sign(reading, "&&"))) {
		term.right = take_not(reading);
		term.left = push(reading, &term);
	}
	return term.left;
}

static size_t take_or(struct reading *reading)
{
	struct fc_term term = { .kind = FC_TERM_OR, .left = take_and(reading) };
	while (!reading->err && (take_word(reading, "or") || take_sign(reading, "||"))) {
		term.right = take_and(reading);
		term.left = push(reading, &term);
	}
	return term.left;
}

size_t fc_condition_glob_size(const char *text)
{
	const char *found = strstr(text, mark);
	return found ? (size_t)(found - text) : strlen(text);
}

int fc_condition_read(const char *text, struct fc_condition **ret)
{
	const char *found = strstr(text, mark);
	*ret = NULL;
	if (!found)
		return 0;
	struct reading reading = { .text = text,
				   .at = found + strlen(mark),
				   .condition = fc_alloc(sizeof(**ret)) };
	take_or(&reading);
	skip_space(&reading);
	if (*reading.at)
		fail(&reading, reading.at, "found %s; expected \"and\", \"or\" or the end",
		     next_text(&reading));
	if (reading.err)
		fc_condition_destroy(reading.condition);
	else
		*ret = reading.condition;
	return reading.err;
}

/* One more, to know that it does not go on. */
uint32_t fc_condition_text_size(const struct fc_condition *condition)
{
	size_t most = 0;
	fc_vec_each (&condition->terms, term) {
		size_t nr = term->value.text ? strlen(term->value.text) + 1 : 0;
		most = nr > most ? nr : most;
	}
	return (uint32_t)(most < FC_VALUE_TEXT ? most : FC_VALUE_TEXT);
}

static void constant_deinit(struct fc_operand *constant)
{
	for (uint32_t i = 0; i < constant->nr; i++)
		free(constant->word[i].name);
	free(constant->text);
}

void fc_condition_destroy(struct fc_condition *condition)
{
	if (!condition)
		return;
	fc_vec_each (&condition->terms, term) {
		free(term->name);
		constant_deinit(&term->mask);
		constant_deinit(&term->value);
	}
	fc_vec_free(&condition->terms);
	free(condition);
}
