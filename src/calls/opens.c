/* SPDX-License-Identifier: Apache-2.0 */
/* opens.c - lends stacks of open calls to strands, and takes them back when they are empty. */
#include "calls/opens.h"

#include <stdlib.h>

#include "base/memory.h"

void fc_opens_init(struct fc_open_strands *opens)
{
	*opens = (struct fc_open_strands){ .strands.size = sizeof(struct fc_open_strand *) };
}

static void destroy(struct fc_open_strand *open)
{
	if (!open)
		return;
	fc_vec_free(&open->frames);
	fc_paged_deinit(&open->numbers);
	fc_paged_deinit(&open->counts);
	free(open);
}

static struct fc_open_strand *take_free(struct fc_open_strands *opens)
{
	struct fc_open_strand *open = opens->free;

	if (open)
		opens->free = open->next_free;
	return open;
}

void fc_opens_deinit(struct fc_open_strands *opens)
{
	for (struct fc_open_strand *open; (open = take_free(opens));)
		destroy(open);
	struct fc_open_strand **strand;
	fc_strands_each (&opens->strands, strand)
		destroy(*strand);
	fc_strands_deinit(&opens->strands);
}

static struct fc_open_strand **slot_of(struct fc_open_strands *opens, uint32_t strand)
{
	if (!opens->last || opens->last_id != strand) {
		opens->last = fc_strands_make(&opens->strands, strand);
		opens->last_id = strand;
	}
	return opens->last;
}

struct fc_open_strand *fc_opens_get(struct fc_open_strands *opens, uint32_t strand)
{
	struct fc_open_strand **slot = slot_of(opens, strand);

	if (!*slot)
		*slot = take_free(opens);
	if (!*slot)
		*slot = fc_alloc(sizeof(**slot));
	return *slot;
}

void fc_opens_put(struct fc_open_strands *opens, uint32_t strand)
{
	struct fc_open_strand **slot = slot_of(opens, strand);

	(*slot)->next_free = opens->free;
	opens->free = *slot;
	*slot = NULL;
}
