/* SPDX-License-Identifier: Apache-2.0 */
#include "base/list.h"

#include <errno.h>
#include <string.h>

#include "base/fail.h"

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
	if (!item.len)
		item = (struct fc_item){ list, strlen(list) };
	return fc_fail(EINVAL, "%.*s: not %s; there are %s", (int)item.len, item.at, what,
		       names);
}
