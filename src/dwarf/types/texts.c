/* SPDX-License-Identifier: Apache-2.0 */
/* texts.c - stores texts, and finds them by a hash. */
#include "dwarf/types/texts.h"

#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "base/memory.h"

/* Where text is, or is to be. */
static uint32_t *slot_of(const struct fc_texts *texts, const char *text)
{
	/* Its upper bits depend on all bytes. */
	size_t slot = fc_fnv_text(text) >> 20 & (texts->nr_slots - 1);
	while (texts->slots[slot] && strcmp(fc_texts_get(texts, texts->slots[slot]), text))
		slot = (slot + 1) & (texts->nr_slots - 1);
	return &texts->slots[slot];
}

static void grow(struct fc_texts *texts)
{
	texts->nr_slots = texts->nr_slots ? texts->nr_slots * 2 : 64;
	free(texts->slots);
	texts->slots = fc_alloc(texts->nr_slots * sizeof(*texts->slots));
	for (size_t i = 0; i < texts->texts.nr; i++)
		*slot_of(texts, texts->texts.at[i]) = (uint32_t)i + 1;
}

uint32_t fc_texts_add(struct fc_texts *texts, const char *text)
{
	if (2 * (texts->texts.nr + 1) > texts->nr_slots)
		grow(texts);
	uint32_t *slot = slot_of(texts, text);
	if (!*slot) {
		fc_vec_push(&texts->texts, fc_strdup(text));
		texts->nr_bytes += strlen(text) + 1 + sizeof(char *);
		*slot = (uint32_t)texts->texts.nr;
	}
	return *slot;
}

const char *fc_texts_get(const struct fc_texts *texts, uint32_t number)
{
	return texts->texts.at[number - 1];
}

void fc_texts_deinit(struct fc_texts *texts)
{
	fc_vec_each (&texts->texts, text)
		free(*text);
	fc_vec_free(&texts->texts);
	free(texts->slots);
	*texts = (struct fc_texts){ 0 };
}
