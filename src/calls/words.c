/* SPDX-License-Identifier: Apache-2.0 */
#include "calls/words.h"

#include <string.h>

static size_t decode_mark(const uint64_t *words, size_t nr_words, struct fc_event *ret)
{
	size_t nr = fc_record_words(words[0]);
	size_t room = sizeof(ret->word) / sizeof(ret->word[0]);

	if (nr_words < nr + 1)
		return 0;
	ret->mark = fc_record_mark(words[0]);
	ret->func = 0;
	memset(ret->word, 0, sizeof(ret->word));
	memcpy(ret->word, words + 1, (nr < room ? nr : room) * sizeof(words[0]));
	return nr + 1;
}

size_t fc_words_decode(const uint64_t *words, size_t nr_words,
		       const struct fc_strand_info *strand, uint64_t now_tsc,
		       struct fc_event *ret)
{
	if (!nr_words)
		return 0;
	ret->tsc = fc_record_tsc(words[0], now_tsc);
	ret->strand = strand->id;
	ret->pid = strand->pid;
	ret->tid = strand->tid;
	ret->func = fc_record_func(words[0]);
	ret->kind = fc_record_kind(words[0]);
	ret->mark = 0;
	return ret->kind == FC_MARK ? decode_mark(words, nr_words, ret) : 1;
}
