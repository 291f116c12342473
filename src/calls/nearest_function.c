/* SPDX-License-Identifier: Apache-2.0 */
#include "calls/nearest_function.h"

#include <stdbool.h>
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

static void offer(void *to, struct fc_name name)
{
	fc_nearest_offer_function(to, name);
}

void fc_nearest_offer_functions(struct fc_nearest *nearest, const struct fc_namer *namer)
{
	if (namer->each)
		namer->each(namer->ctx, offer, nearest);
}
