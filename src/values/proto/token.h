/* SPDX-License-Identifier: Apache-2.0 */
/* token.h - the words of C that declarations are made of, one by one. */
#ifndef FC_VALUES_PROTO_TOKEN_H
#define FC_VALUES_PROTO_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

enum fc_token_kind {
	FC_TOKEN_END,
	FC_TOKEN_NAME,
	FC_TOKEN_NUMBER,
	FC_TOKEN_CHAR,	 /* 'a', with its quotes */
	FC_TOKEN_STRING, /* "abc", with its quotes */
	FC_TOKEN_SIGN,	 /* of one or two characters, or "..." */
	FC_TOKEN_DEFINE, /* #define: the name and the value follow, then the line's end */
	FC_TOKEN_EOL,	 /* of a #define */
};

struct fc_token {
	enum fc_token_kind kind;
	const char *at; /* in the text */
	size_t len;
	unsigned line, column; /* from 1 */
};

struct fc_tokens {
	const char *at, *end;
	const char *line_begin;
	unsigned line;
	bool is_define;	  /* the line is that of a #define */
	const char *name; /* of the file, for messages... */
	size_t name_len;
	/* Why there are no more, though there is more text; NULL: nothing is wrong. */
	const char *wrong;
};

/*
 * The text of a file called name, or of what the preprocessor made of it: its line markers say which
 * file and line it is. Comments, #pragma, include guards, and what is for C++ only are passed over.
 */
void fc_tokens_init(struct fc_tokens *tokens, const char *name, const char *text, size_t size);
struct fc_token fc_tokens_next(struct fc_tokens *tokens);

bool fc_token_is(const struct fc_token *token, const char *text);

#endif
