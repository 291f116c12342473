/* SPDX-License-Identifier: Apache-2.0 */
/* items.h - what was fetched of the arguments that stand for "...", one by one. */
#ifndef FC_VALUES_ITEMS_H
#define FC_VALUES_ITEMS_H

#include "capture/agent/fetch.h"
#include "values/text.h"

struct fc_value_item {
	enum fca_item kind;
	struct fc_value_bytes value;
	struct fc_value_bytes text; /* of FCA_ITEM_TEXT */
};

/* How many of the nr words these items take; fewer are there if the mark is damaged. */
uint32_t fc_value_items_words(const uint64_t *words, uint32_t nr, uint32_t nr_items);

/* The one at *at among all, which is moved behind it. False: there is no more. */
bool fc_value_item_next(const struct fc_value_bytes *all, size_t *at,
			struct fc_value_item *ret);
/* The number of one that is whole. False: it is none. */
bool fc_value_item_number(const struct fc_value_item *item, int64_t *ret);
void fc_value_item_text(struct fc_value_text *text, const struct fc_value_item *item);

#endif
