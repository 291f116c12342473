/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/pending.h"

#include <stdlib.h>

#include "base/memory.h"
#include "capture/agent/fetch.h"

enum { MOST = 16 }; /* handlers within handlers */

static void drop_last(struct fc_pending *pending)
{
	free(pending->values.at[--pending->values.nr].words);
}

static void drop_deeper(struct fc_pending *pending, uint32_t depth)
{
	while (pending->values.nr && pending->values.at[pending->values.nr - 1].depth > depth)
		drop_last(pending);
}

void fc_pending_add(struct fc_pending *pending, const struct fc_event *mark, uint32_t depth)
{
	if (!mark->nr_words)
		return;
	drop_deeper(pending, depth);
	if (pending->values.nr == MOST)
		drop_last(pending);
	struct fc_pending_values values = {
		.depth = depth,
		.key = (uint32_t)mark->words[0],
		.words = fc_memdup(mark->words, mark->nr_words * sizeof(*mark->words)),
		.nr = mark->nr_words,
	};
	fc_vec_push(&pending->values, values);
}

struct fc_pending_values fc_pending_take(struct fc_pending *pending, uint32_t func,
					 bool is_result, uint32_t depth)
{
	uint32_t key = fca_format(func, is_result);
	drop_deeper(pending, depth);
	for (size_t i = pending->values.nr; i--;) {
		struct fc_pending_values *at = &pending->values.at[i];
		if (at->depth != depth)
			break;
		if (at->key != key)
			continue;
		struct fc_pending_values ret = *at;
		at->words = NULL;
		while (pending->values.nr > i)
			drop_last(pending);
		return ret;
	}
	return (struct fc_pending_values){ 0 };
}

void fc_pending_deinit(struct fc_pending *pending)
{
	while (pending->values.nr)
		drop_last(pending);
	fc_vec_free(&pending->values);
}
