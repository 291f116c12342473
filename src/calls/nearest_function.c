/* SPDX-License-Identifier: Apache-2.0 */
/* nearest_function.c - collects the function names that are most like a mistyped pattern. */
#include "calls/nearest_function.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"

void fc_nearest_begin_glob(struct fc_nearest *nearest, const char *glob)
{
	fc_auto_free char *word = fc_strdup(glob);
	char *to = word;

	for (const char *from = glob; *from; from++) {
		bool is_module_end =
			*from == ':' && from[1] != ':' && (from == glob || from[-1] != ':');
		if (is_module_end)
			to = word;
		else if (!strchr("*?[]\\", *from))
			*to++ = *from;
	}
	fc_nearest_begin(nearest, word, (size_t)(to - word));
}

/* Where the last part of a name begins that has parts, and how long it is. */
static size_t last_part(const char *name, size_t *len)
{
	size_t end = strcspn(name, "(<"), begin = end;

	while (begin && name[begin - 1] != ':')
		begin--;
	*len = end - begin;
	return begin;
}

void fc_nearest_offer_function(struct fc_nearest *nearest, struct fc_name name)
{
	size_t len, begin = last_part(name.name, &len);

	/* Nobody knows what it is called. */
	if (strstr(name.name, "+0x") || !strcmp(name.name, "?"))
		return;
	fc_nearest_offer_as(nearest, name.name + begin, len, name.name);
	if (begin)
		fc_nearest_offer_as(nearest, name.name, strlen(name.name), name.name);
}

struct offering {
	struct fc_nearest nearest;
	const char *glob;
	bool has_match;
};

static void offer(void *to, struct fc_name name)
{
	struct offering *offering = to;
	offering->has_match |= fc_name_match(name, offering->glob);
	fc_nearest_offer_function(&offering->nearest, name);
}

char *fc_nearest_function_hint(const char *glob, const struct fc_namer *namer, const char *rest)
{
	struct offering offering = { .glob = glob };
	fc_nearest_begin_glob(&offering.nearest, glob);
	if (namer && namer->each)
		namer->each(namer->ctx, offer, &offering);
	char *hint = fc_nearest_hint(&offering.nearest, "", rest);
	if (!offering.has_match)
		return hint;
	free(hint);
	return fc_strdup("; such functions exist, but none that is hooked was called; fctrace "
			 "list says which are");
}
