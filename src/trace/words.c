/* SPDX-License-Identifier: Apache-2.0 */
/* words.c - decodes ring words into events. */
#include "trace/words.h"

#include "trace/mark.h"

static bool is_mark(uint64_t word)
{
	return fc_record_kind(word) == FC_MARK && fc_mark_is_recorded(fc_record_mark(word));
}

size_t fc_words_mark(const uint64_t *words, size_t nr_words, struct fc_event *ret)
{
	static const uint64_t one_lost[] = { 1 };
	size_t nr = fc_record_words(words[0]);

	if (nr_words < nr + 1)
		return 0;
	ret->kind = FC_MARK;
	ret->func = 0;
	ret->mark = is_mark(words[0]) ? (uint8_t)fc_record_mark(words[0]) : FC_MARK_LOST;
	ret->nr_words = is_mark(words[0]) ? (uint8_t)nr : 1;
	ret->words = is_mark(words[0]) ? words + 1 : one_lost;
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
	ret->strand_kind = strand->kind;
	ret->func = fc_record_func(words[0]);
	ret->kind = fc_record_kind(words[0]);
	ret->mark = 0;
	if (ret->kind >= FC_ENTRY && ret->kind <= FC_POP)
		return 1;
	return fc_words_mark(words, nr_words, ret);
}
