/* SPDX-License-Identifier: Apache-2.0 */
/* pen.h - what a strand writes with: a ring, where it goes on in it, and what was lost. */
#ifndef FC_CAPTURE_AGENT_STRAND_PEN_H
#define FC_CAPTURE_AGENT_STRAND_PEN_H

#include "capture/agent/base/machine.h"
#include "capture/agent/strand/strand.h"

static inline uint64_t *cursor_of(const struct strand *s)
{
	return *(uint64_t *volatile const *)&s->cursor;
}

static inline uint64_t *limit_of(const struct strand *s)
{
	return *(uint64_t *volatile const *)&s->limit;
}

/*
 * nr words below the limit, which are this thread's from now on; NULL: so many are not there.
 * The time is taken first: unlike a stub's, these records are never out of order. tsc NULL: it is not
 * asked for.
 */
static inline uint64_t *pen_reserve(struct strand *s, uint32_t nr, uint64_t *tsc)
{
	for (;;) {
		uint64_t *cursor = cursor_of(s);
		if (cursor + nr > limit_of(s))
			return NULL;
		if (tsc)
			*tsc = read_clock();
		if (cas_local((uint64_t *)&s->cursor, (uint64_t)cursor,
			      (uint64_t)(cursor + nr)))
			return cursor;
	}
}

static inline void pen_put(uint64_t *at, uint64_t word)
{
	__atomic_store_n(at, word, __ATOMIC_RELEASE);
}

/* The next hook of this strand comes to the agent. */
static inline void strand_stop_at_next(struct strand *s)
{
	s->limit = s->cursor;
}

/* Words of the ring written so far. */
static inline uint64_t strand_words(const struct strand *s)
{
	return s->words_before + (uint64_t)(cursor_of(s) - s->words);
}

/* Words of a mark with one value, and with two. */
enum { MARK_WORDS_1 = 3, MARK_WORDS_2 = 4 };
/* Write a mark with one or two values. False: no room, nothing was written. */
bool strand_mark(struct strand *s, enum fc_mark type, uint64_t a, uint64_t b,
		 uint32_t nr_values);
/* The same with any number of values. */
bool strand_mark_all(struct strand *s, enum fc_mark type, const uint64_t *value,
		     uint32_t nr_values);

/* So many records are lost: the ring is full, or there is none. */
void strand_lose(struct strand *s, uint32_t nr);
/* There is no strand that could record them. */
void strand_lose_without(uint32_t nr);
/* One call more of a function that is only counted. */
void strand_count(struct strand *s, uint32_t func);

#endif
