/* SPDX-License-Identifier: Apache-2.0 */
/* parser.h - what the parts of the parser of C declarations share. */
#ifndef FC_VALUES_PROTO_PARSER_H
#define FC_VALUES_PROTO_PARSER_H

#include <stdint.h>

#include "base/pairs.h"
#include "base/vec.h"
#include "values/proto/token.h"
#include "values/types.h"

enum {
	FC_PARSER_DEEPEST = 128, /* declarations within declarations, and so on */
	FC_PARSER_MOST = 65535,	 /* members, parameters: what BTF can tell */
};

/* An integer constant, with the type that C gives it. */
struct fc_constant {
	uint64_t value;
	bool is_unsigned;
	uint8_t bits; /* 32 or 64 */
};

struct fc_known_constant {
	const char *name; /* in the text */
	size_t len;
	struct fc_constant constant;
};

struct fc_parser;
struct fc_specifiers;

/* Types stand within constants, attributes and parameters, and these within types. */
struct fc_type_grammar {
	/* Does a type begin here? */
	bool (*is_type)(const struct fc_parser *parser);
	/* A type without a name, as in a cast. */
	uint32_t (*type_name)(struct fc_parser *parser);
	/* What stands before declarators. False: none are here, and nothing is to be freed. */
	bool (*specifiers)(struct fc_parser *parser, struct fc_specifiers *ret);
};

struct fc_parser {
	const struct fc_type_grammar *grammar; /* fc_parser_types */
	struct fc_tokens tokens;
	struct fc_token token; /* the next */
	struct fc_types *types;
	/* Enumerators and #defines that are numbers, by a hash of their names. */
	FC_VEC(struct fc_known_constant) constants;
	uint32_t *slots; /* places in constants + 1; 0: free */
	size_t nr_slots;
	FC_VEC(char *) texts; /* that the table of types was given */
	unsigned depth;
	unsigned in_params; /* parameters within parameters */
	int err;	    /* 0, or that of the first thing that was wrong */
};

/* The first thing that is wrong is said, with its place; nothing is read from then on. */
__attribute__((format(printf, 3, 4))) void
fc_parser_fail(struct fc_parser *parser, const struct fc_token *at, const char *fmt, ...);

/* A token for "%.*s" in what is said: its first bytes. */
#define FC_PARSER_SHOWN(token) (int)((token)->len < 80 ? (token)->len : 80), (token)->at

void fc_parser_next(struct fc_parser *parser);
bool fc_parser_is(const struct fc_parser *parser, const char *sign);
/* If it is next, it is taken. */
bool fc_parser_take(struct fc_parser *parser, const char *sign);
/* It must be next. */
void fc_parser_expect(struct fc_parser *parser, const char *sign);
/* A copy that lives as long as the parser. */
const char *fc_parser_text(struct fc_parser *parser, const struct fc_token *token);

/* One level deeper; false: that is too deep, and was said. */
bool fc_parser_enter(struct fc_parser *parser);
void fc_parser_leave(struct fc_parser *parser);

void fc_parser_know(struct fc_parser *parser, const struct fc_token *name,
		    struct fc_constant constant);
const struct fc_constant *fc_parser_constant(const struct fc_parser *parser,
					     const struct fc_token *name);

/* A constant expression: C11 6.6. */
struct fc_constant fc_parser_expression(struct fc_parser *parser);
/* One that is at least 0 and at most this. */
uint64_t fc_parser_size(struct fc_parser *parser, uint64_t most);

/* The attributes of a declaration, as far as they matter. */
struct fc_attributes {
	bool is_packed;
	uint64_t align; /* 0: not said */
	uint64_t size;	/* mode(): of the type; 0: not said */
	FC_VEC(const char *) tags;
	const char *symbol; /* what __asm__() calls it; NULL: as it is called */
};

/* All that are here; they are added. */
void fc_parser_attributes(struct fc_parser *parser, struct fc_attributes *ret);
void fc_attributes_deinit(struct fc_attributes *attributes);

/* What stands before declarators: a type, and how its names are declared. */
struct fc_specifiers {
	uint32_t type;
	bool is_typedef;
	struct fc_attributes attributes;
};

extern const struct fc_type_grammar fc_parser_types;

/* A name, and the type that it has. */
struct fc_declarator {
	struct fc_token name; /* len 0: there is none */
	uint32_t type;
	bool is_func; /* type is a FUNC_PROTO */
	struct fc_attributes attributes;
};

void fc_parser_declarator(struct fc_parser *parser, uint32_t base, struct fc_declarator *ret);

#endif
