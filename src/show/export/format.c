/* SPDX-License-Identifier: Apache-2.0 */
/* format.c - the table of formats. */
#include "show/export/format.h"

#include <string.h>

extern const struct fc_format fc_format_callgrind;
extern const struct fc_format fc_format_chrome;
extern const struct fc_format fc_format_csv;
extern const struct fc_format fc_format_ctf;
extern const struct fc_format fc_format_dot;
extern const struct fc_format fc_format_flamegraph;
extern const struct fc_format fc_format_folded;
extern const struct fc_format fc_format_html;
extern const struct fc_format fc_format_jsonl;
extern const struct fc_format fc_format_otlp;
extern const struct fc_format fc_format_perfetto;
extern const struct fc_format fc_format_speedscope;

/* One a line. */
/* clang-format off */
const struct fc_format *const fc_formats[] = {
	&fc_format_html,
	&fc_format_flamegraph,
	&fc_format_perfetto,
	&fc_format_chrome,
	&fc_format_speedscope,
	&fc_format_ctf,
	&fc_format_folded,
	&fc_format_callgrind,
	&fc_format_dot,
	&fc_format_otlp,
	&fc_format_jsonl,
	&fc_format_csv,
	NULL,
};
/* clang-format on */

const struct fc_format *fc_format_find(const char *name)
{
	for (size_t i = 0; fc_formats[i]; i++) {
		if (!strcmp(fc_formats[i]->name, name))
			return fc_formats[i];
	}
	/* As a file of it ends: svg. */
	for (size_t i = 0; fc_formats[i]; i++) {
		const char *suffixes[] = { fc_formats[i]->suffix, fc_formats[i]->other_suffix };
		for (size_t k = 0; k < 2; k++)
			if (suffixes[k] && !strcmp(suffixes[k], name))
				return fc_formats[i];
	}
	return NULL;
}

/* A folder's name may end in slashes, as shells complete it. */
static bool has_suffix(const char *path, const char *suffix)
{
	size_t len = strlen(path), suffix_len = strlen(suffix);

	while (len > 1 && path[len - 1] == '/')
		len--;
	return len > suffix_len + 1 && path[len - suffix_len - 1] == '.' &&
	       !memcmp(path + len - suffix_len, suffix, suffix_len);
}

const struct fc_format *fc_format_of_file(const char *path)
{
	const struct fc_format *best = NULL;
	size_t best_len = 0;

	for (size_t i = 0; fc_formats[i]; i++) {
		const char *suffixes[] = { fc_formats[i]->suffix, fc_formats[i]->other_suffix };
		for (size_t k = 0; k < 2; k++) {
			if (!suffixes[k] || !has_suffix(path, suffixes[k]) ||
			    strlen(suffixes[k]) <= best_len)
				continue;
			best = fc_formats[i];
			best_len = strlen(suffixes[k]);
		}
	}
	return best;
}
