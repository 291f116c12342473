/* SPDX-License-Identifier: Apache-2.0 */
/* items.c - decodes the variadic arguments of a mark. */
#include "values/items.h"

#include <string.h>

enum { WORD = 8 };

static size_t padded(size_t bytes)
{
	return (bytes + WORD - 1) / WORD * WORD;
}

uint32_t fc_value_items_words(const uint64_t *words, uint32_t nr, uint32_t nr_items)
{
	uint32_t at = 0;
	for (uint32_t i = 0; i < nr_items && at < nr; i++)
		at += 1 + (uint32_t)padded(words[at] & FCA_GOT_BYTES) / WORD;
	return at < nr ? at : nr;
}

/* A word and the bytes behind it. False: they are not there. */
static bool take(const struct fc_value_bytes *all, size_t *at, uint32_t *kind,
		 struct fc_value_bytes *ret)
{
	uint64_t word;
	if (*at > all->nr || all->nr - *at < WORD)
		return false;
	memcpy(&word, all->at + *at, WORD);
	size_t nr = word & FCA_GOT_BYTES;
	if (nr > all->nr - *at - WORD)
		return false;
	*kind = fca_item_kind(word);
	*ret = (struct fc_value_bytes){ all->at + *at + WORD, nr,    !(word & FCA_GOT_NONE),
					word & FCA_GOT_MORE,  false, word & FCA_GOT_MASKED };
	*at += WORD + padded(nr);
	return true;
}

bool fc_value_item_next(const struct fc_value_bytes *all, size_t *at, struct fc_value_item *ret)
{
	uint32_t kind;
	*ret = (struct fc_value_item){ 0 };
	if (!take(all, at, &kind, &ret->value))
		return false;
	ret->kind = kind;
	size_t next = *at;
	if (kind == FCA_ITEM_TEXT && take(all, &next, &kind, &ret->text)) {
		if (kind == FCA_ITEM_BYTES)
			*at = next;
		else
			ret->text.is_there = false;
	}
	return true;
}

bool fc_value_item_number(const struct fc_value_item *item, int64_t *ret)
{
	size_t nr = item->value.nr;
	uint64_t number = fc_value_number(&item->value, nr);
	bool is_signed = item->kind == FCA_ITEM_SIGNED || item->kind == FCA_ITEM_CHAR;
	*ret = is_signed ? fc_value_extend(number, (uint32_t)nr * 8) : (int64_t)number;
	return nr && nr <= WORD && item->kind != FCA_ITEM_FLOAT &&
	       item->kind != FCA_ITEM_NONE && item->kind < FCA_ITEM_BYTES &&
	       (is_signed || number <= INT64_MAX);
}

void fc_value_item_text(struct fc_value_text *text, const struct fc_value_item *item)
{
	uint64_t number = fc_value_number(&item->value, item->value.nr);
	bool is_float = item->kind == FCA_ITEM_FLOAT;
	if (!item->value.nr || item->value.nr > (is_float ? FCA_EXTENDED_BYTES : WORD))
		fc_value_text_add(text, "?");
	else if (item->kind == FCA_ITEM_TEXT && item->text.is_there)
		fc_value_text_string(text, &item->text);
	else if (is_float)
		fc_value_text_float(text, &item->value);
	else
		fc_value_text_number(text, item->kind, number, (uint32_t)item->value.nr * 8);
}
