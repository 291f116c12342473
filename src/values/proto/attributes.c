/* SPDX-License-Identifier: Apache-2.0 */
/*
 * attributes.c - parses what compilers are told beside C: packed, aligned, and what says something of values.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "values/proto/parser.h"

void fc_attributes_deinit(struct fc_attributes *attributes)
{
	fc_vec_free(&attributes->tags);
}

/* As gcc has them, with and without underscores around. */
static struct fc_token plain_name(struct fc_token name)
{
	if (name.len > 4 && !memcmp(name.at, "__", 2) &&
	    !memcmp(name.at + name.len - 2, "__", 2)) {
		name.at += 2;
		name.len -= 4;
	}
	return name;
}

/* Everything up to the parenthesis that closes the one that was taken. */
static void skip_parens(struct fc_parser *p)
{
	unsigned depth = 1;
	while (depth && !p->err) {
		if (p->token.kind == FC_TOKEN_END) {
			fc_parser_expect(p, ")");
			return;
		}
		depth += fc_parser_is(p, "(");
		depth -= fc_parser_is(p, ")");
		fc_parser_next(p);
	}
}

/* A tag: "format(printf,2,3)". What stands in it is words and numbers. */
static const char *take_tag(struct fc_parser *p, const struct fc_token *name)
{
	char text[256];
	size_t nr = name->len < 64 ? name->len : 64;
	memcpy(text, name->at, nr);
	if (fc_parser_take(p, "(")) {
		text[nr++] = '(';
		while (!fc_parser_is(p, ")") && p->token.kind != FC_TOKEN_END && !p->err) {
			struct fc_token word = plain_name(p->token);
			if (word.len > 64 || nr + word.len + 2 > sizeof(text)) {
				fc_parser_fail(p, &p->token, "this attribute is too long");
				break;
			}
			memcpy(text + nr, word.at, word.len);
			nr += word.len;
			fc_parser_next(p);
		}
		fc_parser_expect(p, ")");
		text[nr++] = ')';
	}
	struct fc_token tag = { .at = text, .len = nr };
	return fc_parser_text(p, &tag);
}

/* annotate("fails(-1)") is a tag of any text. */
static const char *take_annotation(struct fc_parser *p)
{
	fc_parser_expect(p, "(");
	struct fc_token string = p->token;
	if (string.kind != FC_TOKEN_STRING || string.len < 3) {
		fc_parser_fail(p, &string, "a text in quotation marks is missing");
		return "";
	}
	string.at++;
	string.len -= 2;
	fc_parser_next(p);
	fc_parser_expect(p, ")");
	return fc_parser_text(p, &string);
}

static uint64_t take_align(struct fc_parser *p)
{
	enum { MOST = 1 << 28, LARGEST = 16 };
	if (!fc_parser_take(p, "("))
		return LARGEST;
	struct fc_token at = p->token;
	uint64_t align = p->grammar->is_type(p)
				 ? fc_types_align(p->types, p->grammar->type_name(p))
				 : fc_parser_size(p, MOST);
	fc_parser_expect(p, ")");
	if (align & (align - 1))
		fc_parser_fail(p, &at, "an alignment is a power of two");
	return align;
}

static uint64_t take_mode(struct fc_parser *p)
{
	static const struct {
		const char *name;
		uint64_t size;
	} modes[] = {
		{ "QI", 1 }, { "byte", 1 }, { "HI", 2 },   { "SI", 4 },	     { "SF", 4 },
		{ "DI", 8 }, { "DF", 8 },   { "word", 8 }, { "pointer", 8 }, { "TI", 16 }
	};
	fc_parser_expect(p, "(");
	struct fc_token name = plain_name(p->token);
	fc_parser_next(p);
	fc_parser_expect(p, ")");
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (fc_token_is(&name, modes[i].name))
			return modes[i].size;
	return 0;
}

static bool is_kept(const struct fc_token *name)
{
	static const char *const kept[] = { "format",	    "access",
					    "fd_arg",	    "fd_arg_read",
					    "fd_arg_write", "nonnull",
					    "flag_enum",    "null_terminated_string_arg" };
	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
		if (fc_token_is(name, kept[i]))
			return true;
	return false;
}

static void take_attribute(struct fc_parser *p, struct fc_attributes *ret)
{
	struct fc_token name = plain_name(p->token);
	if (p->token.kind != FC_TOKEN_NAME) {
		fc_parser_fail(p, &p->token, "the name of an attribute is missing");
		return;
	}
	fc_parser_next(p);
	if (fc_token_is(&name, "packed"))
		ret->is_packed = true;
	else if (fc_token_is(&name, "aligned"))
		ret->align = take_align(p);
	else if (fc_token_is(&name, "mode"))
		ret->size = take_mode(p);
	else if (fc_token_is(&name, "annotate"))
		fc_vec_push(&ret->tags, take_annotation(p));
	else if (is_kept(&name))
		fc_vec_push(&ret->tags, take_tag(p, &name));
	else if (fc_parser_take(p, "("))
		skip_parens(p);
}

/* __asm__("name" "more") */
static void take_symbol(struct fc_parser *p, struct fc_attributes *ret)
{
	fc_auto_free char *name = fc_strdup("");
	struct fc_token at = p->token;
	fc_parser_expect(p, "(");
	while (p->token.kind == FC_TOKEN_STRING) {
		char *more =
			fc_asprintf("%s%.*s", name, (int)p->token.len - 2, p->token.at + 1);
		free(name);
		name = more;
		fc_parser_next(p);
	}
	fc_parser_expect(p, ")");
	if (!name[0])
		fc_parser_fail(p, &at, "a symbol has no name");
	struct fc_token all = { .at = name, .len = strlen(name) };
	ret->symbol = fc_parser_text(p, &all);
}

static void take_list(struct fc_parser *p, struct fc_attributes *ret)
{
	fc_parser_expect(p, "(");
	fc_parser_expect(p, "(");
	while (!p->err && !fc_parser_is(p, ")")) {
		if (!fc_parser_take(p, ","))
			take_attribute(p, ret);
	}
	fc_parser_expect(p, ")");
	fc_parser_expect(p, ")");
}

void fc_parser_attributes(struct fc_parser *p, struct fc_attributes *ret)
{
	while (!p->err) {
		if (fc_parser_take(p, "__attribute__") || fc_parser_take(p, "__attribute"))
			take_list(p, ret);
		else if (fc_parser_take(p, "__asm__") || fc_parser_take(p, "__asm") ||
			 fc_parser_take(p, "asm"))
			take_symbol(p, ret);
		else if (fc_parser_take(p, "_Alignas") || fc_parser_take(p, "alignas"))
			ret->align = take_align(p);
		else if (!fc_parser_take(p, "__extension__"))
			break;
	}
}
