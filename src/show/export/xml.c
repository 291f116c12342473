/* SPDX-License-Identifier: Apache-2.0 */
/* xml.c - escapes text for XML. */
#include "show/export/xml.h"

#include <stdbool.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/printable.h"

static const char *entity_of(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

/* XML 1.0, 2.2: U+FFFE and U+FFFF are no characters. */
static bool is_no_character(const char *p, size_t len)
{
	return len == 3 && !memcmp(p, "\xef\xbf", 2) && ((unsigned char)p[2] & 0xfe) == 0xbe;
}

void fc_quote_xml(struct fc_stream *out, const char *text, size_t len)
{
	fc_auto_free char *shown = fc_alloc(len + 1);

	memcpy(shown, text, len);
	fc_make_printable(shown, len);
	for (size_t i = 0, nr; i < len; i += nr) {
		nr = fc_utf8_len(shown + i, len - i);
		nr = nr ? nr : 1;
		const char *entity = nr == 1 ? entity_of(shown[i]) : NULL;
		if (entity)
			fc_stream_text(out, entity);
		else if (is_no_character(shown + i, nr))
			fc_stream_char(out, '?');
		else
			fc_stream_put(out, shown + i, nr);
	}
}
