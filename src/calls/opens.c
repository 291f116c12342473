/* SPDX-License-Identifier: Apache-2.0 */
#include "calls/opens.h"

#include <stdlib.h>

#include "base/memory.h"

void fc_opens_init(struct fc_opens *opens)
{
	*opens = (struct fc_opens){ .strands.size = sizeof(struct fc_open *) };
}

static void destroy(struct fc_open *open)
{
	if (!open)
		return;
	fc_vec_free(&open->frames);
	fc_paged_deinit(&open->numbers);
	fc_paged_deinit(&open->counts);
	free(open);
}

static struct fc_open *take_free(struct fc_opens *opens)
{
	struct fc_open *open = opens->free;

	if (open)
		opens->free = open->next_free;
	return open;
}

void fc_opens_deinit(struct fc_opens *opens)
{
	for (struct fc_open *open; (open = take_free(opens));)
		destroy(open);
	for (size_t i = 0; i < opens->strands.nr; i++) {
		struct fc_open **strand = opens->strands.at[i];
		if (strand)
			destroy(*strand);
	}
	fc_strands_deinit(&opens->strands);
}

static struct fc_open **slot_of(struct fc_opens *opens, uint32_t strand)
{
	if (!opens->last || opens->last_id != strand) {
		opens->last = fc_strands_make(&opens->strands, strand);
		opens->last_id = strand;
	}
	return opens->last;
}

struct fc_open *fc_opens_get(struct fc_opens *opens, uint32_t strand)
{
	struct fc_open **slot = slot_of(opens, strand);

	if (!*slot)
		*slot = take_free(opens);
	if (!*slot)
		*slot = fc_alloc(sizeof(**slot));
	return *slot;
}

void fc_opens_put(struct fc_opens *opens, uint32_t strand)
{
	struct fc_open **slot = slot_of(opens, strand);

	(*slot)->next_free = opens->free;
	opens->free = *slot;
	*slot = NULL;
}
