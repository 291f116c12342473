/* SPDX-License-Identifier: Apache-2.0 */
/* words.h - ring words, as a source hands them to a tap, made into events. */
#ifndef FC_TRACE_WORDS_H
#define FC_TRACE_WORDS_H

#include <stddef.h>

#include "trace/event.h"
#include "trace/source.h"

/*
 * Decode the record that starts at words, which its mark's words stay part of. Returns how many
 * words it took; 0 if there is no whole record. What is no record at all, or a mark that is not
 * known, is told as one that was lost.
 */
size_t fc_words_decode(const uint64_t *words, size_t nr_words,
		       const struct fc_strand_info *strand, uint64_t now_tsc,
		       struct fc_event *ret);

/* The same of what is no call, return or pop: kind, func, mark and words alone. */
size_t fc_words_mark(const uint64_t *words, size_t nr_words, struct fc_event *ret);

/* The record that begins such a mark, at tsc; its words follow. */
static inline uint64_t fc_words_head(const struct fc_event *mark, uint64_t tsc)
{
	uint32_t func = fc_mark_func((enum fc_mark)mark->mark, mark->nr_words);
	return fc_record(tsc, func, FC_MARK);
}

#endif
