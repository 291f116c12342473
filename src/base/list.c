/* SPDX-License-Identifier: Apache-2.0 */
/* list.c - splits a list at its commas. */
#include "base/list.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/nearest.h"

bool fc_list_next(const char **list, struct fc_item *ret)
{
	if (!*list)
		return false;
	ret->at = *list;
	ret->len = strcspn(*list, ",");
	*list = ret->at[ret->len] ? ret->at + ret->len + 1 : NULL;
	return true;
}

bool fc_item_is(struct fc_item item, const char *word)
{
	return strlen(word) == item.len && !memcmp(word, item.at, item.len);
}

int fc_list_unknown(const char *list, struct fc_item item, const char *what, const char *names)
{
	struct fc_nearest nearest;
	fc_nearest_begin(&nearest, item.at, item.len);
	fc_nearest_offer_list(&nearest, names);
	fc_auto_free char *all = fc_asprintf("there are %s", names);
	fc_auto_free char *hint = fc_nearest_hint(&nearest, "", all);
	if (!item.len)
		item = (struct fc_item){ list, strlen(list) };
	return fc_fail(EINVAL, "%.*s: not %s%s", (int)item.len, item.at, what, hint);
}
