/* SPDX-License-Identifier: Apache-2.0 */
/* list.h - words with commas between them, as in "calls,total". */
#ifndef FC_BASE_LIST_H
#define FC_BASE_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct fc_item {
	const char *at;
	size_t len;
};

/*
 * The next word, which may be empty, and *list behind it; false: that was all.
 *
 *	for (const char *p = list; fc_list_next(&p, &item);)
 */
bool fc_list_next(const char **list, struct fc_item *ret);

bool fc_item_is(struct fc_item item, const char *word);

/*
 * -EINVAL: "WORD: not WHAT; there are NAMES" (the whole list where the word is empty), and before these
 * the ones that are most like it.
 */
int fc_list_unknown(const char *list, struct fc_item item, const char *what, const char *names);

#endif
