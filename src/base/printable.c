/* SPDX-License-Identifier: Apache-2.0 */
/* printable.c - decodes UTF-8, and replaces what must not reach a terminal. */
#include "base/printable.h"

#include <stdbool.h>
#include <string.h>

/* Unicode 15, table 3-7: no overlong forms, no surrogates, nothing beyond U+10FFFF. */
static const struct form {
	unsigned char first, last, low, high; /* lead byte; second byte */
	unsigned char len;
} forms[] = {
	{ 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 },
	{ 0xe1, 0xec, 0x80, 0xbf, 3 }, { 0xed, 0xed, 0x80, 0x9f, 3 },
	{ 0xee, 0xef, 0x80, 0xbf, 3 }, { 0xf0, 0xf0, 0x90, 0xbf, 4 },
	{ 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
};

static bool is_whole(const struct form *form, const unsigned char *s, size_t len)
{
	if (len < form->len || s[1] < form->low || s[1] > form->high)
		return false;
	for (size_t i = 2; i < form->len; i++)
		if ((s[i] & 0xc0) != 0x80)
			return false;
	return true;
}

size_t fc_utf8_len(const char *text, size_t len)
{
	const unsigned char *s = (const unsigned char *)text;

	if (!len)
		return 0;
	if (*s < 0x80)
		return 1;
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (*s >= forms[i].first && *s <= forms[i].last)
			return is_whole(&forms[i], s, len) ? forms[i].len : 0;
	return 0;
}

bool fc_is_steering(const char *text, size_t len)
{
	const unsigned char *s = (const unsigned char *)text;
	if (len == 2)
		return s[0] == 0xc2 && s[1] < 0xa0;
	if (len != 3 || s[0] != 0xe2)
		return false;
	return (s[1] == 0x80 && s[2] >= 0xa8 && s[2] <= 0xae) ||
	       (s[1] == 0x81 && s[2] >= 0xa6 && s[2] <= 0xa9);
}

void fc_make_printable(char *text, size_t len)
{
	for (size_t i = 0; i < len;) {
		unsigned char *at = (unsigned char *)text + i;
		if (*at >= 0x20 && *at < 0x7f) {
			i++;
			continue;
		}
		size_t nr = fc_utf8_len(text + i, len - i);
		if (nr < 2 || fc_is_steering(text + i, nr))
			memset(at, '?', nr ? nr : 1);
		i += nr ? nr : 1;
	}
}
