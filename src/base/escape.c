/* SPDX-License-Identifier: Apache-2.0 */
#include "base/escape.h"

#include <string.h>

#include "base/printable.h"

static void set(struct fc_escaped *ret, const char *text, size_t len)
{
	memcpy(ret->text, text, len);
	ret->len = len;
}

static void set_code(struct fc_escaped *ret, unsigned char c)
{
	static const char hex[] = "0123456789abcdef";
	const char text[6] = { '\\', 'u', '0', '0', hex[c >> 4], hex[c & 15] };
	set(ret, text, sizeof(text));
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
	else
		set(ret, text, nr);
	return nr ? nr : 1;
}
