/* SPDX-License-Identifier: Apache-2.0 */
/* printf(3), with what glibc and C23 add. Of arguments by number ("%2$d") nothing is known. */
#include "capture/agent/values/conversion.h"

/* A zero byte: the end. */
static char look(const char *text, uint32_t nr, uint32_t at)
{
	return at < nr ? text[at] : 0;
}

static bool is_flag(char c)
{
	return c == '-' || c == '+' || c == ' ' || c == '#' || c == '0' || c == '\'' ||
	       c == 'I';
}

/* Digits, or "*". -1: there is no number. */
static int32_t take_number(const char *text, uint32_t nr, uint32_t *at, bool *is_star)
{
	enum { MOST = 1 << 20 };
	int32_t ret = -1;
	*is_star = look(text, nr, *at) == '*';
	*at += *is_star;
	for (char c; !*is_star && (c = look(text, nr, *at)) >= '0' && c <= '9'; ++*at)
		ret = ret < 0 ? c - '0' : ret < MOST ? ret * 10 + (c - '0') : MOST;
	return ret;
}

/* Bytes of a whole number; 16: of a long double. */
static uint8_t take_length(const char *text, uint32_t nr, uint32_t *at)
{
	char c = look(text, nr, *at);
	bool is_twice = (c == 'h' || c == 'l') && look(text, nr, *at + 1) == c;
	switch (c) {
	case 'h':
		*at += 1 + is_twice;
		return is_twice ? 1 : 2;
	case 'l':
	case 'q':
	case 'j':
	case 'z':
	case 'Z':
	case 't':
		*at += 1 + is_twice;
		return 8;
	case 'L':
		++*at;
		return 16;
	default:
		return 4;
	}
}

static uint8_t kind_of(char c, uint8_t length)
{
	switch (c) {
	case 'd':
	case 'i':
	case 'C':
		return FCA_ITEM_SIGNED;
	case 'u':
		return FCA_ITEM_UNSIGNED;
	case 'x':
	case 'X':
	case 'b':
	case 'B':
		return FCA_ITEM_HEX;
	case 'o':
		return FCA_ITEM_OCTAL;
	case 'c':
		return length == 8 ? FCA_ITEM_SIGNED : FCA_ITEM_CHAR;
	case 's':
		return length == 8 ? FCA_ITEM_POINTER : FCA_ITEM_TEXT;
	case 'S':
	case 'p':
	case 'n':
		return FCA_ITEM_POINTER;
	case 'a':
	case 'A':
	case 'e':
	case 'E':
	case 'f':
	case 'F':
	case 'g':
	case 'G':
		return FCA_ITEM_FLOAT;
	default:
		return FCA_ITEM_NONE;
	}
}

static uint8_t size_of(char c, uint8_t kind, uint8_t length)
{
	if (kind == FCA_ITEM_FLOAT)
		return length == 16 ? 16 : 8;
	if (kind == FCA_ITEM_TEXT || kind == FCA_ITEM_POINTER)
		return 8;
	if (kind == FCA_ITEM_CHAR)
		return 1;
	return c == 'c' || c == 'C' ? 4 : length == 16 ? 8 : length;
}

enum conversion_next conversion_next(const char *text, uint32_t nr, uint32_t *at,
				     struct conversion *ret)
{
	*ret = (struct conversion){ .limit = -1 };
	while (*at < nr && text[*at] != '%')
		++*at;
	if (*at >= nr)
		return CONVERSION_END;
	++*at;
	while (is_flag(look(text, nr, *at)))
		++*at;
	take_number(text, nr, at, &ret->has_width);
	if (look(text, nr, *at) == '.') {
		++*at;
		ret->limit = take_number(text, nr, at, &ret->has_limit);
		if (ret->limit < 0 && !ret->has_limit)
			ret->limit = 0;
	}
	uint8_t length = take_length(text, nr, at);
	char c = look(text, nr, (*at)++);
	ret->kind = kind_of(c, length);
	ret->size = size_of(c, ret->kind, length);
	return ret->kind || c == '%' || c == 'm' ? CONVERSION_ONE : CONVERSION_UNKNOWN;
}
