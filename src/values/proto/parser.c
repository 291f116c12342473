/* SPDX-License-Identifier: Apache-2.0 */
/* parser.c - the parser's tokens, errors, nesting and constants. */
#include "values/proto/parser.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/fnv.h"
#include "base/memory.h"
#include "base/printable.h"

void fc_parser_fail(struct fc_parser *parser, const struct fc_token *at, const char *fmt, ...)
{
	va_list ap;
	fc_auto_free char *text = NULL;
	if (parser->err)
		return;
	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	if (text)
		fc_make_printable(text, strlen(text));
	fc_auto_free char *name =
		fc_asprintf("%.*s", (int)parser->tokens.name_len, parser->tokens.name);
	fc_make_printable(name, strlen(name));
	parser->err = fc_fail(EINVAL, "%s:%u:%u: %s", name, at->line, at->column,
			      text ? text : "it cannot be read");
	parser->token.kind = FC_TOKEN_END;
	parser->token.len = 0;
}

void fc_parser_next(struct fc_parser *parser)
{
	if (parser->err)
		return;
	parser->token = fc_tokens_next(&parser->tokens);
	if (parser->tokens.wrong) {
		struct fc_token at = parser->token;
		at.line = parser->tokens.line;
		at.column = (unsigned)(parser->tokens.at - parser->tokens.line_begin) + 1;
		fc_parser_fail(parser, &at, "%s", parser->tokens.wrong);
	}
}

bool fc_parser_is(const struct fc_parser *parser, const char *sign)
{
	return parser->token.kind != FC_TOKEN_STRING && fc_token_is(&parser->token, sign);
}

bool fc_parser_take(struct fc_parser *parser, const char *sign)
{
	if (!fc_parser_is(parser, sign))
		return false;
	fc_parser_next(parser);
	return true;
}

void fc_parser_expect(struct fc_parser *parser, const char *sign)
{
	if (fc_parser_take(parser, sign))
		return;
	if (parser->token.kind == FC_TOKEN_END)
		fc_parser_fail(parser, &parser->token, "the file ends where \"%s\" is missing",
			       sign);
	else
		fc_parser_fail(parser, &parser->token, "\"%s\" is missing before \"%.*s\"",
			       sign, FC_PARSER_SHOWN(&parser->token));
}

const char *fc_parser_text(struct fc_parser *parser, const struct fc_token *token)
{
	char *text = fc_alloc(token->len + 1);
	memcpy(text, token->at, token->len);
	fc_vec_push(&parser->texts, text);
	return text;
}

bool fc_parser_enter(struct fc_parser *parser)
{
	if (parser->err)
		return false;
	if (++parser->depth > FC_PARSER_DEEPEST) {
		fc_parser_fail(parser, &parser->token, "too much within each other");
		return false;
	}
	return true;
}

void fc_parser_leave(struct fc_parser *parser)
{
	parser->depth--;
}

/* ---- constants with names ---- */

static uint32_t *slot_of(const struct fc_parser *parser, const struct fc_token *name)
{
	uint64_t hash = FC_FNV_BEGIN;
	for (size_t i = 0; i < name->len; i++)
		hash = fc_fnv(hash, (uint8_t)name->at[i]);
	for (size_t at = hash % parser->nr_slots;; at = (at + 1) % parser->nr_slots) {
		uint32_t place = parser->slots[at];
		if (!place)
			return &parser->slots[at];
		const struct fc_known_constant *known = &parser->constants.at[place - 1];
		if (known->len == name->len && !memcmp(known->name, name->at, name->len))
			return &parser->slots[at];
	}
}

static void make_slots(struct fc_parser *parser)
{
	parser->nr_slots = parser->nr_slots ? parser->nr_slots * 2 : 256;
	free(parser->slots);
	parser->slots = fc_alloc(parser->nr_slots * sizeof(*parser->slots));
	for (size_t i = 0; i < parser->constants.nr; i++) {
		const struct fc_known_constant *known = &parser->constants.at[i];
		struct fc_token name = { .at = known->name, .len = known->len };
		*slot_of(parser, &name) = (uint32_t)i + 1;
	}
}

void fc_parser_know(struct fc_parser *parser, const struct fc_token *name,
		    struct fc_constant constant)
{
	struct fc_known_constant known = { name->at, name->len, constant };
	if (parser->constants.nr * 2 >= parser->nr_slots)
		make_slots(parser);
	uint32_t *slot = slot_of(parser, name);
	if (*slot) {
		parser->constants.at[*slot - 1] = known;
		return;
	}
	fc_vec_push(&parser->constants, known);
	*slot = (uint32_t)parser->constants.nr;
}

const struct fc_constant *fc_parser_constant(const struct fc_parser *parser,
					     const struct fc_token *name)
{
	uint32_t *slot = parser->nr_slots ? slot_of(parser, name) : NULL;
	return slot && *slot ? &parser->constants.at[*slot - 1].constant : NULL;
}
