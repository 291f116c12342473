/* SPDX-License-Identifier: Apache-2.0 */
/* token.c - splits C source into tokens. */
#include "values/proto/token.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void fc_tokens_init(struct fc_tokens *tokens, const char *name, const char *text, size_t size)
{
	*tokens = (struct fc_tokens){
		.at = text,
		.end = text + size,
		.line_begin = text,
		.line = 1,
		.name = name,
		.name_len = strlen(name),
	};
}

bool fc_token_is(const struct fc_token *token, const char *text)
{
	return token->len == strlen(text) && !memcmp(token->at, text, token->len);
}

static char look(const struct fc_tokens *t, size_t i)
{
	return (size_t)(t->end - t->at) > i ? t->at[i] : 0;
}

static void begin_line(struct fc_tokens *t)
{
	t->line++;
	t->line_begin = t->at;
}

static void skip_line(struct fc_tokens *t)
{
	while (t->at < t->end && *t->at != '\n') {
		bool goes_on = *t->at == '\\' && look(t, 1) == '\n';
		t->at += goes_on ? 2 : 1;
		if (goes_on)
			begin_line(t);
	}
}

/* False: it has no end. */
static bool skip_comment(struct fc_tokens *t)
{
	t->at += 2;
	while (t->at < t->end && !(*t->at == '*' && look(t, 1) == '/'))
		if (*t->at++ == '\n')
			begin_line(t);
	if (t->at == t->end) {
		t->wrong = "a comment does not end";
		return false;
	}
	t->at += 2;
	return true;
}

/* Blanks within a line. */
static void skip_blanks(struct fc_tokens *t)
{
	while (t->at < t->end && (*t->at == ' ' || *t->at == '\t'))
		t->at++;
}

static struct fc_token take_word(struct fc_tokens *t)
{
	struct fc_token word = { .at = t->at };
	skip_blanks(t);
	word.at = t->at;
	while (t->at < t->end && (isalnum((unsigned char)*t->at) || *t->at == '_'))
		t->at++;
	word.len = (size_t)(t->at - word.at);
	return word;
}

/* # 12 "file.h": what follows is line 12 of that file. */
static void take_line_marker(struct fc_tokens *t, const struct fc_token *number)
{
	unsigned long line = strtoul(number->at, NULL, 10);
	skip_blanks(t);
	if (look(t, 0) == '"') {
		const char *name = ++t->at;
		while (t->at < t->end && *t->at != '"' && *t->at != '\n')
			t->at++;
		t->name = name;
		t->name_len = (size_t)(t->at - name);
	}
	skip_line(t);
	t->line = (unsigned)line - 1;
}

/* Up to the #endif of an #ifdef that is not for C. */
static void skip_region(struct fc_tokens *t)
{
	int depth = 1;
	while (t->at < t->end && depth) {
		skip_line(t);
		if (t->at < t->end)
			t->at++;
		begin_line(t);
		skip_blanks(t);
		if (look(t, 0) != '#')
			continue;
		t->at++;
		struct fc_token word = take_word(t);
		depth += fc_token_is(&word, "if") || fc_token_is(&word, "ifdef") ||
			 fc_token_is(&word, "ifndef");
		depth -= fc_token_is(&word, "endif");
	}
	skip_line(t);
}

/* Behind a #. True: what follows is a token. */
static bool take_directive(struct fc_tokens *t)
{
	struct fc_token word = take_word(t);
	if (fc_token_is(&word, "line"))
		word = take_word(t);
	if (word.len && isdigit((unsigned char)*word.at)) {
		take_line_marker(t, &word);
		return false;
	}
	if (fc_token_is(&word, "define")) {
		t->is_define = true;
		return true;
	}
	if (fc_token_is(&word, "ifdef")) {
		struct fc_token name = take_word(t);
		if (fc_token_is(&name, "__cplusplus")) {
			skip_region(t);
			return false;
		}
	} else if (!word.len || fc_token_is(&word, "pragma") || fc_token_is(&word, "ifndef") ||
		   fc_token_is(&word, "endif") || fc_token_is(&word, "undef")) {
		skip_line(t);
		return false;
	}
	t->wrong = "this is for the preprocessor: give what \"cpp -P FILE\" prints";
	t->at = word.at;
	return false;
}

static bool is_line_begin(const struct fc_tokens *t)
{
	const char *at = t->line_begin;
	while (at < t->at && (*at == ' ' || *at == '\t'))
		at++;
	return at == t->at;
}

/* Skip blanks and comments. False: something is wrong. */
static bool skip_between(struct fc_tokens *t)
{
	while (t->at < t->end && !t->wrong) {
		char c = *t->at;
		if (c == '\n' && t->is_define)
			break;
		if (c == '\n') {
			t->at++;
			begin_line(t);
		} else if (c == '\\' && look(t, 1) == '\n') {
			t->at += 2;
			begin_line(t);
		} else if (isspace((unsigned char)c)) {
			t->at++;
		} else if (c == '/' && look(t, 1) == '*') {
			skip_comment(t);
		} else if (c == '/' && look(t, 1) == '/') {
			skip_line(t);
		} else if (c == '#' && is_line_begin(t)) {
			t->at++;
			if (take_directive(t))
				break;
		} else {
			break;
		}
	}
	return !t->wrong;
}

static void take_quoted(struct fc_tokens *t, char quote)
{
	t->at++;
	while (t->at < t->end && *t->at != quote && *t->at != '\n')
		t->at += *t->at == '\\' && t->at + 1 < t->end ? 2 : 1;
	if (t->at >= t->end || *t->at != quote)
		t->wrong = "a quotation does not end";
	else
		t->at++;
}

/* A number as the preprocessor has it: also what is none. */
static void take_number(struct fc_tokens *t)
{
	while (t->at < t->end) {
		bool has_sign = (*t->at == '+' || *t->at == '-') && strchr("eEpP", t->at[-1]);
		if (!isalnum((unsigned char)*t->at) && *t->at != '_' && *t->at != '.' &&
		    *t->at != '\'' && !has_sign)
			break;
		t->at++;
	}
}

static void take_sign(struct fc_tokens *t)
{
	static const char *const pairs[] = { "<<", ">>", "<=", ">=", "==",
					     "!=", "&&", "||", "##", "->" };
	if (!strncmp(t->at, "...", (size_t)(t->end - t->at) < 3 ? 0 : 3) &&
	    t->end - t->at >= 3) {
		t->at += 3;
		return;
	}
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		if (*t->at == pairs[i][0] && look(t, 1) == pairs[i][1]) {
			t->at += 2;
			return;
		}
	t->at++;
}

struct fc_token fc_tokens_next(struct fc_tokens *t)
{
	bool was_define = t->is_define, is_good = skip_between(t);
	struct fc_token ret = { .at = t->at, .line = t->line };
	ret.column = (unsigned)(t->at - t->line_begin) + 1;
	if (!is_good || t->at >= t->end) {
		t->is_define = false;
		return ret;
	}
	char c = *t->at;
	if (t->is_define && !was_define) {
		ret.kind = FC_TOKEN_DEFINE;
		return ret;
	}
	if (t->is_define && c == '\n') {
		t->is_define = false;
		ret.kind = FC_TOKEN_EOL;
		return ret;
	}
	if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)look(t, 1)))) {
		ret.kind = FC_TOKEN_NUMBER;
		t->at++;
		take_number(t);
	} else if (isalpha((unsigned char)c) || c == '_' || c == '$' || (c & 0x80)) {
		ret.kind = FC_TOKEN_NAME;
		while (t->at < t->end && (isalnum((unsigned char)*t->at) || *t->at == '_' ||
					  *t->at == '$' || (*t->at & 0x80)))
			t->at++;
	} else if (c == '"' || c == '\'') {
		ret.kind = c == '"' ? FC_TOKEN_STRING : FC_TOKEN_CHAR;
		take_quoted(t, c);
	} else {
		ret.kind = FC_TOKEN_SIGN;
		take_sign(t);
	}
	ret.len = (size_t)(t->at - ret.at);
	if (t->wrong)
		ret.kind = FC_TOKEN_END;
	return ret;
}
