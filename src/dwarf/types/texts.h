/* SPDX-License-Identifier: Apache-2.0 */
/* texts.h - texts, each kept once, with a dense number of its own. */
#ifndef FC_DWARF_TYPES_TEXTS_H
#define FC_DWARF_TYPES_TEXTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

/* Zeroed means: none. Numbers are 1, 2, 3... */
struct fc_texts {
	FC_VEC(char *) texts; /* texts.at[number - 1] */
	uint32_t *slots;      /* numbers, by hash with linear probing; at most half full */
	size_t nr_slots;
	uint64_t nr_bytes;
};

/* The number of text, which is copied if it is new. */
uint32_t fc_texts_add(struct fc_texts *texts, const char *text);
/* number is that of a text. */
const char *fc_texts_get(const struct fc_texts *texts, uint32_t number);
void fc_texts_deinit(struct fc_texts *texts);

#endif
