/* SPDX-License-Identifier: Apache-2.0 */
/* html_names.c - numbers the functions and words of the page, and writes its strings. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/printable.h"
#include "show/export/html/html_data.h"
#include "show/export/quoted.h"

#define MAX_STRING 300 /* bytes */

void fc_html_string(struct fc_stream *out, const char *text)
{
	size_t len = strlen(text), end = 0;

	if (len <= MAX_STRING) {
		fc_quote_json(out, text, len);
		return;
	}
	/* Not within a character. */
	while (end < MAX_STRING) {
		size_t nr = fc_utf8_len(text + end, len - end);
		end += nr ? nr : 1;
	}
	fc_auto_free char *cut = fc_asprintf("%.*s…", (int)end, text);
	fc_quote_json(out, cut, strlen(cut));
}

int64_t fc_html_word(struct fc_html_names *names, const char *word)
{
	for (size_t i = 0; i < names->words.nr; i++)
		if (!strcmp(names->words.at[i], word))
			return -1 - (int64_t)i;
	fc_vec_push(&names->words, word);
	return -(int64_t)names->words.nr;
}

int64_t fc_html_number(struct fc_html_names *names, uint32_t func)
{
	if (fc_graph_is_pseudo(func))
		return fc_html_word(names,
				    fc_stacks_name(names->data->stacks, NULL, func).name);
	if (func < names->nr_numbers && names->number[func])
		return (int64_t)names->number[func] - 1;
	return fc_html_word(names, "[another function]");
}
