/* SPDX-License-Identifier: Apache-2.0 */
/*
 * constant.c - evaluates constant expressions.
 *
 * Of 32 or 64 bits, signed or not, as C has them; no overflow passes.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "values/proto/parser.h"

typedef __int128 wide;

static struct fc_constant make(uint64_t value, bool is_unsigned, uint8_t bits)
{
	if (bits == 32)
		value = is_unsigned ? (uint32_t)value : (uint64_t)(int32_t)value;
	return (struct fc_constant){ value, is_unsigned, bits };
}

static wide wide_of(struct fc_constant c)
{
	return c.is_unsigned ? (wide)c.value : (wide)(int64_t)c.value;
}

/* Convert a result to the type of both operands. Signed overflow is an error. */
static struct fc_constant narrow(struct fc_parser *p, const struct fc_token *at, wide value,
				 struct fc_constant a, struct fc_constant b)
{
	uint8_t bits = a.bits > b.bits ? a.bits : b.bits;
	bool is_unsigned =
		(a.is_unsigned && a.bits == bits) || (b.is_unsigned && b.bits == bits);
	wide most = (wide)1 << (bits - 1);
	if (!is_unsigned && (value >= most || value < -most))
		fc_parser_fail(p, at, "the number is too large");
	return make((uint64_t)value, is_unsigned, bits);
}

static struct fc_constant number(struct fc_parser *p)
{
	char text[64];
	char *end;
	struct fc_token token = p->token;
	fc_parser_next(p);
	if (token.len >= sizeof(text)) {
		fc_parser_fail(p, &token, "the number is too long");
		return make(0, false, 32);
	}
	memcpy(text, token.at, token.len);
	text[token.len] = 0;
	bool is_binary = text[0] == '0' && (text[1] == 'b' || text[1] == 'B');
	errno = 0;
	uint64_t value = strtoull(is_binary ? text + 2 : text, &end, is_binary ? 2 : 0);
	bool has_u = strpbrk(end, "uU"), has_l = strpbrk(end, "lL");
	if (errno || strspn(end, "uUlL") != strlen(end) || strlen(end) > 3 || end == text) {
		fc_parser_fail(p, &token, "\"%s\" is no whole number", text);
		return make(0, false, 32);
	}
	bool is_decimal = text[0] != '0';
	if (!has_l && value <= INT32_MAX)
		return make(value, has_u, 32);
	if (!has_l && value <= UINT32_MAX && (has_u || !is_decimal))
		return make(value, true, 32);
	return make(value, has_u || value > INT64_MAX, 64);
}

static struct fc_constant character(struct fc_parser *p)
{
	static const char letters[] = "abtnvfr", codes[] = "\a\b\t\n\v\f\r";
	struct fc_token token = p->token;
	const char *at = token.at + 1, *end = token.at + token.len - 1;
	fc_parser_next(p);
	unsigned value = at < end ? (unsigned char)*at++ : 0;
	if (value == '\\' && at < end) {
		const char *known = strchr(letters, *at);
		char *behind = NULL;
		if (*at == 'x')
			value = (unsigned)strtoul(at + 1, &behind, 16);
		else if (*at >= '0' && *at <= '7')
			value = (unsigned)strtoul(at, &behind, 8);
		else
			value = known ? (unsigned char)codes[known - letters]
				      : (unsigned char)*at;
		at = behind ? behind : at + 1;
	}
	if (at != end || value > 0xff)
		fc_parser_fail(p, &token, "this is not one character");
	return make((uint64_t)(int64_t)(int8_t)value, false, 32);
}

static struct fc_constant conditional(struct fc_parser *p);

/* Behind sizeof or _Alignof. */
static struct fc_constant measure(struct fc_parser *p, bool is_align)
{
	struct fc_token at = p->token;
	fc_parser_expect(p, "(");
	if (!p->grammar->is_type(p)) {
		fc_parser_fail(p, &at, "only of a type is the size known here");
		return make(0, true, 64);
	}
	uint32_t type = p->grammar->type_name(p);
	fc_parser_expect(p, ")");
	uint64_t size =
		is_align ? fc_types_align(p->types, type) : fc_types_size(p->types, type);
	if (!size)
		fc_parser_fail(p, &at, "the size of this type is not known");
	return make(size, true, 64);
}

static struct fc_constant unary(struct fc_parser *p);

static struct fc_constant cast(struct fc_parser *p)
{
	uint32_t type = p->grammar->type_name(p);
	struct fc_token at = p->token;
	fc_parser_expect(p, ")");
	struct fc_constant c = unary(p);
	uint64_t size = fc_types_size(p->types, type);
	bool is_signed = fc_types_is_signed(p->types, type);
	if (size == 8)
		return make(c.value, !is_signed, 64);
	if (size == 4)
		return make(c.value, !is_signed, 32);
	if (size != 1 && size != 2) {
		fc_parser_fail(p, &at, "a constant cannot be of this type");
		return c;
	}
	unsigned shift = 64 - (unsigned)size * 8;
	uint64_t value = c.value << shift;
	return make(is_signed ? (uint64_t)((int64_t)value >> shift) : value >> shift, false,
		    32);
}

static struct fc_constant primary(struct fc_parser *p)
{
	const struct fc_constant *known;
	struct fc_token token = p->token;
	if (token.kind == FC_TOKEN_NUMBER)
		return number(p);
	if (token.kind == FC_TOKEN_CHAR)
		return character(p);
	if (fc_parser_take(p, "(")) {
		if (p->grammar->is_type(p))
			return cast(p);
		struct fc_constant c = conditional(p);
		fc_parser_expect(p, ")");
		return c;
	}
	if (fc_parser_take(p, "sizeof"))
		return measure(p, false);
	if (fc_parser_take(p, "_Alignof") || fc_parser_take(p, "__alignof__") ||
	    fc_parser_take(p, "alignof"))
		return measure(p, true);
	known = token.kind == FC_TOKEN_NAME ? fc_parser_constant(p, &token) : NULL;
	if (!known) {
		fc_parser_fail(p, &token,
			       token.len ? "\"%.*s\" is no constant that is known"
					 : "a constant is missing%.*s",
			       FC_PARSER_SHOWN(&token));
		return make(0, false, 32);
	}
	fc_parser_next(p);
	return *known;
}

static struct fc_constant unary(struct fc_parser *p)
{
	struct fc_token at = p->token;
	struct fc_constant c = make(0, false, 32);
	if (!fc_parser_enter(p))
		return c;
	if (fc_parser_take(p, "-")) {
		c = unary(p);
		c = narrow(p, &at, -wide_of(c), c, c);
	} else if (fc_parser_take(p, "+")) {
		c = unary(p);
	} else if (fc_parser_take(p, "~")) {
		c = unary(p);
		c = make(~c.value, c.is_unsigned, c.bits);
	} else if (fc_parser_take(p, "!")) {
		c = make(!unary(p).value, false, 32);
	} else {
		fc_parser_take(p, "__extension__");
		c = primary(p);
	}
	fc_parser_leave(p);
	return c;
}

/* Operators of two operands, what binds closest first. */
static const struct {
	const char *sign;
	int level;
} binaries[] = {
	{ "*", 1 },  { "/", 1 }, { "%", 1 }, { "+", 2 },  { "-", 2 },  { "<<", 3 },
	{ ">>", 3 }, { "<", 4 }, { ">", 4 }, { "<=", 4 }, { ">=", 4 }, { "==", 5 },
	{ "!=", 5 }, { "&", 6 }, { "^", 7 }, { "|", 8 },  { "&&", 9 }, { "||", 10 },
};

enum { LEVELS = 10 };

static const char *operator_at(const struct fc_parser *p, int level)
{
	for (size_t i = 0; i < sizeof(binaries) / sizeof(binaries[0]); i++)
		if (binaries[i].level == level && fc_parser_is(p, binaries[i].sign))
			return binaries[i].sign;
	return NULL;
}

static struct fc_constant shift(struct fc_parser *p, const struct fc_token *at, bool is_left,
				struct fc_constant a, struct fc_constant b)
{
	if (b.value >= a.bits) {
		fc_parser_fail(p, at, "it is shifted too far");
		return a;
	}
	if (!is_left)
		return make((uint64_t)(wide_of(a) >> b.value), a.is_unsigned, a.bits);
	if (!a.is_unsigned && (int64_t)a.value < 0) {
		fc_parser_fail(p, at, "a negative number is shifted");
		return a;
	}
	/* Into the sign is what headers do: 1 << 31. */
	return make(a.value << b.value, a.is_unsigned, a.bits);
}

static struct fc_constant divide(struct fc_parser *p, const struct fc_token *at, bool is_rest,
				 struct fc_constant a, struct fc_constant b)
{
	struct fc_constant both = narrow(p, at, 0, a, b);
	wide x = wide_of(make(a.value, both.is_unsigned, both.bits));
	wide y = wide_of(make(b.value, both.is_unsigned, both.bits));
	if (!y) {
		fc_parser_fail(p, at, "it is divided by zero");
		return both;
	}
	return narrow(p, at, is_rest ? x % y : x / y, a, b);
}

static struct fc_constant compare(struct fc_parser *p, const struct fc_token *at,
				  const char *sign, struct fc_constant a, struct fc_constant b)
{
	struct fc_constant both = narrow(p, at, 0, a, b);
	wide x = wide_of(make(a.value, both.is_unsigned, both.bits));
	wide y = wide_of(make(b.value, both.is_unsigned, both.bits));
	bool is_equal = sign[1] == '=' && x == y;
	bool ret = sign[0] == '='   ? x == y
		   : sign[0] == '!' ? x != y
		   : sign[0] == '<' ? x < y || is_equal
				    : x > y || is_equal;
	return make(ret, false, 32);
}

static struct fc_constant apply(struct fc_parser *p, const struct fc_token *at,
				const char *sign, struct fc_constant a, struct fc_constant b)
{
	if (!strcmp(sign, "&&"))
		return make(a.value && b.value, false, 32);
	if (!strcmp(sign, "||"))
		return make(a.value || b.value, false, 32);
	if (!strcmp(sign, "<<") || !strcmp(sign, ">>"))
		return shift(p, at, *sign == '<', a, b);
	struct fc_constant both = narrow(p, at, 0, a, b);
	switch (*sign) {
	case '*':
		return narrow(p, at, wide_of(a) * wide_of(b), a, b);
	case '/':
	case '%':
		return divide(p, at, *sign == '%', a, b);
	case '+':
		return narrow(p, at, wide_of(a) + wide_of(b), a, b);
	case '-':
		return narrow(p, at, wide_of(a) - wide_of(b), a, b);
	case '&':
		return make(a.value & b.value, both.is_unsigned, both.bits);
	case '^':
		return make(a.value ^ b.value, both.is_unsigned, both.bits);
	case '|':
		return make(a.value | b.value, both.is_unsigned, both.bits);
	default:
		return compare(p, at, sign, a, b);
	}
}

static struct fc_constant binary(struct fc_parser *p, int level)
{
	if (!level)
		return unary(p);
	struct fc_constant a = binary(p, level - 1);
	const char *sign;
	while ((sign = operator_at(p, level))) {
		struct fc_token at = p->token;
		fc_parser_next(p);
		a = apply(p, &at, sign, a, binary(p, level - 1));
	}
	return a;
}

static struct fc_constant conditional(struct fc_parser *p)
{
	struct fc_constant c = binary(p, LEVELS);
	if (!fc_parser_enter(p))
		return c;
	if (fc_parser_take(p, "?")) {
		struct fc_constant yes = conditional(p);
		fc_parser_expect(p, ":");
		struct fc_constant no = conditional(p);
		c = c.value ? yes : no;
	}
	fc_parser_leave(p);
	return c;
}

struct fc_constant fc_parser_expression(struct fc_parser *parser)
{
	return conditional(parser);
}

uint64_t fc_parser_size(struct fc_parser *parser, uint64_t most)
{
	struct fc_token at = parser->token;
	struct fc_constant c = conditional(parser);
	if (wide_of(c) < 0 || c.value > most) {
		fc_parser_fail(parser, &at, "this number is to be between 0 and %llu",
			       (unsigned long long)most);
		return 0;
	}
	return c.value;
}
