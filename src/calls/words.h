/* SPDX-License-Identifier: Apache-2.0 */
/* words.h - ring words, as a source hands them to a tap, made into events. */
#ifndef FC_CALLS_WORDS_H
#define FC_CALLS_WORDS_H

#include <stddef.h>

#include "trace/event.h"
#include "trace/source.h"

/*
 * Decode the record that starts at words. Returns how many words it took; 0 if there is no
 * whole record. Words of a mark beyond the event's three are passed over.
 */
size_t fc_words_decode(const uint64_t *words, size_t nr_words,
		       const struct fc_strand_info *strand, uint64_t now_tsc,
		       struct fc_event *ret);

#endif
