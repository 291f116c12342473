/* SPDX-License-Identifier: Apache-2.0 */
/* escape.h - text as it stands between the quotes of a JSON string. */
#ifndef FC_BASE_ESCAPE_H
#define FC_BASE_ESCAPE_H

#include <stddef.h>

struct fc_escaped {
	char text[6];
	size_t len;
};

/*
 * The first character of text's len bytes, escaped if need be; U+FFFD for a byte that is no
 * UTF-8. Control characters beyond ASCII, and what turns the direction of text around, are
 * escaped as well: JSON is looked at on terminals, too. Returns how many bytes it was, at least 1.
 */
size_t fc_escape_json(const char *text, size_t len, struct fc_escaped *ret);

#endif
