/* SPDX-License-Identifier: Apache-2.0 */
/* pending.c - keeps marks of values until the record that they belong to comes. */
#include "trace/pending.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "capture/agent/fetch.h"

enum {
	MOST = 16,	      /* handlers within handlers */
	MOST_WORDS = 1 << 15, /* of one, with all its pieces: only a forged trace has more */
};

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

/* The last ones with this key at this depth. NULL: there are none. */
static struct fc_pending_values *find(struct fc_pending *pending, uint32_t key, uint32_t depth)
{
	for (size_t i = pending->values.nr; i--;) {
		struct fc_pending_values *at = &pending->values.at[i];
		if (at->depth != depth)
			break;
		if (at->key == key)
			return at;
	}
	return NULL;
}

static uint32_t words_of(uint64_t bytes)
{
	return (uint32_t)((bytes + 7) / 8);
}

/*
 *	key | ... | how many bytes | bytes | what was fetched behind them
 *	                             ^ nr, then those of the piece
 */
static void insert(struct fc_pending_values *values, uint32_t head, const uint64_t *bytes,
		   uint32_t nr_bytes, uint64_t flags)
{
	uint32_t nr = values->words[head] & FCA_GOT_BYTES;
	uint32_t old = words_of(nr), new = words_of(nr + nr_bytes);
	uint32_t behind = values->nr - head - 1 - old;
	values->words =
		fc_realloc(values->words, (values->nr + new - old) * sizeof(*values->words));
	uint64_t *text = values->words + head + 1;
	if (new > old)
		memmove(text + new, text + old, behind * sizeof(*text));
	memset(text + old, 0, (new - old) * sizeof(*text));
	memcpy((uint8_t *)text + nr, bytes, nr_bytes);
	values->words[head] = flags | (nr + nr_bytes);
	values->nr += new - old;
}

/* The mark itself goes on, word by word. */
static void append(struct fc_pending_values *values, const uint64_t *words, uint32_t nr)
{
	values->words = fc_realloc(values->words, (values->nr + nr) * sizeof(*words));
	memcpy(values->words + values->nr, words, nr * sizeof(*words));
	values->nr += nr;
}

void fc_pending_more(struct fc_pending *pending, const struct fc_event *mark, uint32_t depth)
{
	if (mark->nr_words < FCA_MORE_WORDS)
		return;
	uint64_t got = mark->words[2], nr = got & FCA_GOT_BYTES;
	uint32_t at = fca_more_head(mark->words[1]), before = fca_more_before(mark->words[1]);
	drop_deeper(pending, depth);
	struct fc_pending_values *values = find(pending, (uint32_t)mark->words[0], depth);
	if (!values || words_of(nr) > (uint32_t)mark->nr_words - FCA_MORE_WORDS ||
	    values->nr + words_of(nr) > MOST_WORDS)
		return;
	if (!at && before == values->nr)
		append(values, mark->words + FCA_MORE_WORDS, words_of(nr));
	if (!at || at >= values->nr || before != (values->words[at] & FCA_GOT_BYTES) ||
	    before + nr > FCA_GOT_BYTES || words_of(before) > values->nr - at - 1)
		return;
	insert(values, at, mark->words + FCA_MORE_WORDS, (uint32_t)nr,
	       got & ~(uint64_t)FCA_GOT_BYTES);
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
