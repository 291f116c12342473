/* SPDX-License-Identifier: Apache-2.0 */
/* protos.c - parses a file of declarations. */
#include "values/proto/protos.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "values/proto/parser.h"

/* #define NAME VALUE: a number, or nothing that is of interest here. */
static void read_define(struct fc_parser *p)
{
	unsigned line = p->token.line;
	fc_parser_next(p);
	struct fc_token name = p->token;
	const char *end = name.at + name.len;
	fc_parser_next(p);
	bool is_call = fc_parser_is(p, "(") && p->token.at == end; /* NAME(...) */
	bool is_number = p->token.kind == FC_TOKEN_NUMBER || p->token.kind == FC_TOKEN_CHAR ||
			 fc_parser_is(p, "-") || fc_parser_is(p, "(");
	if (is_number && !is_call && name.kind == FC_TOKEN_NAME && p->token.line == line) {
		struct fc_tokens tokens = p->tokens;
		struct fc_token token = p->token;
		struct fc_constant constant = fc_parser_expression(p);
		if (!p->err && p->token.kind == FC_TOKEN_EOL) {
			fc_parser_know(p, &name, constant);
		} else if (p->err) { /* it is no number: who uses it is told */
			p->err = 0;
			p->tokens = tokens;
			p->token = token;
		}
	}
	while (p->token.kind != FC_TOKEN_EOL && p->token.kind != FC_TOKEN_END)
		fc_parser_next(p);
	if (p->token.kind == FC_TOKEN_EOL)
		fc_parser_next(p);
}

/* From an opening brace to the one that closes it. */
static void skip_braces(struct fc_parser *p)
{
	unsigned depth = 0;
	do {
		depth += fc_parser_is(p, "{");
		depth -= fc_parser_is(p, "}");
		if (p->token.kind == FC_TOKEN_END)
			fc_parser_expect(p, "}");
		fc_parser_next(p);
	} while (depth && !p->err);
}

static void skip_initializer(struct fc_parser *p)
{
	while (!p->err && p->token.kind != FC_TOKEN_END && !fc_parser_is(p, ";") &&
	       !fc_parser_is(p, ",")) {
		if (fc_parser_is(p, "{"))
			skip_braces(p);
		else
			fc_parser_next(p);
	}
}

static void declare(struct fc_parser *p, const struct fc_specifiers *specifiers,
		    const struct fc_declarator *declarator)
{
	const struct fc_attributes *all[] = { &specifiers->attributes,
					      &declarator->attributes };
	const char *symbol = declarator->attributes.symbol;
	const char *name = fc_parser_text(p, &declarator->name);
	if (specifiers->is_typedef) {
		uint32_t known = fc_types_find_typedef(p->types, name);
		if (!known || fc_types_resolve(p->types, known) !=
				      fc_types_resolve(p->types, declarator->type))
			fc_types_typedef(p->types, name, declarator->type);
		return;
	}
	if (!declarator->is_func)
		return;
	uint32_t func = fc_types_func(p->types, symbol ? symbol : name, declarator->type);
	for (int i = 0; i < 2; i++)
		fc_vec_each (&all[i]->tags, tag)
			fc_types_tag(p->types, func, *tag);
}

/* All names behind specifiers. */
static void read_declarators(struct fc_parser *p, struct fc_specifiers *specifiers)
{
	for (bool is_first = true; !p->err; is_first = false) {
		struct fc_declarator declarator;
		struct fc_token at = p->token;
		fc_parser_declarator(p, specifiers->type, &declarator);
		if (!declarator.name.len)
			fc_parser_fail(p, &at, "a name is missing");
		if (specifiers->attributes.symbol && !declarator.attributes.symbol)
			declarator.attributes.symbol = specifiers->attributes.symbol;
		if (!p->err)
			declare(p, specifiers, &declarator);
		bool is_body = declarator.is_func && is_first && fc_parser_is(p, "{");
		fc_attributes_deinit(&declarator.attributes);
		if (is_body) {
			skip_braces(p);
			return;
		}
		if (fc_parser_take(p, "="))
			skip_initializer(p);
		if (!fc_parser_take(p, ","))
			break;
	}
	fc_parser_expect(p, ";");
}

static void read_assert(struct fc_parser *p)
{
	while (!p->err && p->token.kind != FC_TOKEN_END && !fc_parser_is(p, ";"))
		fc_parser_next(p);
	fc_parser_expect(p, ";");
}

static void read_one(struct fc_parser *p)
{
	struct fc_specifiers specifiers = { 0 };
	if (fc_parser_take(p, ";"))
		return;
	if (p->token.kind == FC_TOKEN_DEFINE) {
		read_define(p);
		return;
	}
	if (fc_parser_is(p, "_Static_assert") || fc_parser_is(p, "static_assert")) {
		read_assert(p);
		return;
	}
	if (!p->grammar->specifiers(p, &specifiers)) {
		fc_parser_fail(p, &p->token, "\"%.*s\" is not known here",
			       FC_PARSER_SHOWN(&p->token));
	} else if (!fc_parser_take(p, ";")) {
		read_declarators(p, &specifiers);
	}
	fc_attributes_deinit(&specifiers.attributes);
}

int fc_protos_read(const char *name, const char *text, size_t size, struct fc_types **ret)
{
	if (size && memchr(text, 0, size))
		return fc_fail(EINVAL, "%s is no text: it has zero bytes", name);
	struct fc_parser parser = { .grammar = &fc_parser_types, .types = fc_types_create() };
	fc_tokens_init(&parser.tokens, name, text, size);
	fc_parser_next(&parser);
	while (!parser.err && parser.token.kind != FC_TOKEN_END)
		read_one(&parser);
	fc_vec_each (&parser.texts, one)
		free(*one);
	fc_vec_free(&parser.texts);
	fc_vec_free(&parser.constants);
	free(parser.slots);
	if (parser.err)
		fc_types_destroy(parser.types);
	else
		*ret = parser.types;
	return parser.err;
}

int fc_protos_open(const char *path, struct fc_types **ret)
{
	enum { MOST = 64 << 20 };
	struct stat st;
	fc_auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st))
		return fc_fail(errno, "cannot read %s: %s", path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return fc_fail(EINVAL, "%s is no file", path);
	if (st.st_size > MOST)
		return fc_fail(EFBIG, "%s is too large for a file of declarations", path);
	fc_auto_free char *text = fc_alloc((size_t)st.st_size + 1);
	ssize_t got = 0, all = 0;
	while (all < st.st_size && (got = read(fd, text + all, (size_t)(st.st_size - all))) > 0)
		all += got;
	if (got < 0)
		return fc_fail(errno, "cannot read %s: %s", path, strerror(errno));
	return fc_protos_read(path, text, (size_t)all, ret);
}
