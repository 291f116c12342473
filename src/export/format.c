/* SPDX-License-Identifier: Apache-2.0 */
#include "export/format.h"

#include <string.h>

extern const struct fc_format fc_format_jsonl;

const struct fc_format *const fc_formats[] = {
	&fc_format_jsonl,
	NULL,
};

const struct fc_format *fc_format_find(const char *name)
{
	for (size_t i = 0; fc_formats[i]; i++) {
		if (!strcmp(fc_formats[i]->name, name))
			return fc_formats[i];
	}
	return NULL;
}

static bool has_suffix(const char *path, const char *suffix)
{
	size_t len = strlen(path), suffix_len = strlen(suffix);

	return len > suffix_len + 1 && path[len - suffix_len - 1] == '.' &&
	       !strcmp(path + len - suffix_len, suffix);
}

const struct fc_format *fc_format_of_file(const char *path)
{
	const struct fc_format *best = NULL;

	for (size_t i = 0; fc_formats[i]; i++) {
		const char *suffix = fc_formats[i]->suffix;
		if (!suffix || !has_suffix(path, suffix))
			continue;
		if (!best || strlen(suffix) > strlen(best->suffix))
			best = fc_formats[i];
	}
	return best;
}
