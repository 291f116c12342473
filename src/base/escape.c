/* SPDX-License-Identifier: Apache-2.0 */
/* escape.c - escapes a character for JSON. */
#include "base/escape.h"

#include <string.h>

#include "base/printable.h"

static void set(struct fc_escaped *ret, const char *text, size_t len)
{
	memcpy(ret->text, text, len);
	ret->len = len;
}

static void set_code(struct fc_escaped *ret, unsigned int c)
{
	static const char hex[] = "0123456789abcdef";
	const char text[6] = {
		'\\', 'u', hex[c >> 12], hex[c >> 8 & 15], hex[c >> 4 & 15], hex[c & 15]
	};
	set(ret, text, sizeof(text));
}

/* A character of three bytes. */
static unsigned int code_of(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	return (s[0] & 15u) << 12 | (s[1] & 63u) << 6 | (s[2] & 63u);
}

size_t fc_escape_json(const char *text, size_t len, struct fc_escaped *ret)
{
	size_t nr = fc_utf8_len(text, len);
	unsigned char c = (unsigned char)text[0];

	if (!nr)
		set(ret, "\\ufffd", 6);
	else if (nr == 1 && (c == '"' || c == '\\'))
		set(ret, (const char[]){ '\\', text[0] }, 2);
	else if (nr == 1 && (c < 0x20 || c == 0x7f))
		set_code(ret, c);
	else if (nr == 2 && c == 0xc2 && (unsigned char)text[1] < 0xa0)
		set_code(ret, (unsigned char)text[1]);
	else if (nr == 3 && fc_is_steering(text, nr))
		set_code(ret, code_of(text));
	else
		set(ret, text, nr);
	return nr ? nr : 1;
}
