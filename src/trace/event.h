/* SPDX-License-Identifier: Apache-2.0 */
/* event.h - a record of a trace, decoded: whole time, its strand, its mark's words. */
#ifndef FC_TRACE_EVENT_H
#define FC_TRACE_EVENT_H

#include <stdlib.h>

#include "base/vec.h"
#include "trace/record.h"

struct fc_event {
	uint64_t tsc; /* full ticks; fc_clock_ns() makes nanoseconds of it */
	uint32_t strand;
	int pid, tid;
	uint32_t func;	     /* function id; for FC_POP the number that stays open */
	uint8_t kind;	     /* enum fc_kind */
	uint8_t mark;	     /* enum fc_mark when kind is FC_MARK */
	uint8_t strand_kind; /* enum fc_strand_kind */

	/* Only of a mark. They belong to whoever made the event, and change with the next one. */
	uint8_t nr_words;
	const uint64_t *words;
};

/* Word i of a mark; 0: it has none. */
static inline uint64_t fc_event_word(const struct fc_event *mark, unsigned i)
{
	return i < mark->nr_words ? mark->words[i] : 0;
}

/* An event that is kept while others are told. Zeroed: none. */
struct fc_kept_event {
	struct fc_event event;
	FC_VEC(uint64_t) words;
};

static inline void fc_event_keep(struct fc_kept_event *kept, const struct fc_event *mark)
{
	kept->words.nr = 0;
	for (unsigned i = 0; i < mark->nr_words; i++)
		fc_vec_push(&kept->words, mark->words[i]);
	kept->event = *mark;
	kept->event.words = kept->words.at;
}

static inline void fc_event_forget(struct fc_kept_event *kept)
{
	fc_vec_free(&kept->words);
	*kept = (struct fc_kept_event){ 0 };
}

#endif
