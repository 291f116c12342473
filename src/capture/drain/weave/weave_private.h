/* SPDX-License-Identifier: Apache-2.0 */
/* weave_private.h - what the files that make up the weave share: what it holds. */
#ifndef FC_CAPTURE_DRAIN_WEAVE_WEAVE_PRIVATE_H
#define FC_CAPTURE_DRAIN_WEAVE_WEAVE_PRIVATE_H

#include "base/vec.h"
#include "calls/pass.h"
#include "capture/drain/weave/weave.h"
#include "trace/effect.h"

/* Words that were told in one go, of those that a strand or a thread has waiting. */
struct fc_weave_piece {
	int tid;
	uint8_t kind;	  /* of the strand */
	uint64_t now_tsc; /* as they were told */
	size_t nr;	  /* words */
};

/* Words that wait, the first ones first. */
struct fc_weave_words {
	FC_VEC(uint64_t) words;
	FC_VEC(struct fc_weave_piece) pieces;
	size_t word, piece; /* the next of each */
};

struct fc_weave_strand {
	struct fc_strand_info
		info; /* with the thread that its last words, passed on, were of */
	struct fc_weave_words waiting;
	FC_VEC(uint64_t) values; /* told after those; their record was not told yet */
	int told_tid;		 /* the thread that its last words, told here, were of */
	uint64_t told_tsc;	 /* all that was written before has been told */
	uint64_t heard;		 /* as weave's listened, when anything was told of it last */
	uint64_t last_tsc;	 /* of what was passed on */
	uint64_t depth;		 /* the program's open calls... */
	uint64_t beside;	 /* ...and those of the other source on top of them */
	struct fc_announced announced;
	uint64_t end_tsc; /* its own source has ended it; 0: no */
};

struct fc_weave_thread {
	struct fc_weave_thread *next; /* of the same place in the table, the youngest first */
	int tid, pid;
	uint64_t begin_tsc, end_tsc; /* end_tsc 0: it lives */
	struct fc_weave_words beside;
	struct fc_weave_strand *now;	/* where it was last; NULL: in none */
	struct fc_weave_strand *before; /* where it was before it came to a signal's stack */
	struct fc_weave_strand *own;	/* made here: what came when it was in none */
	FC_VEC(struct fc_weave_strand *) strands; /* that its words were told of */
	bool is_busy;				  /* it is among the weave's busy */
};

enum { FC_WEAVE_SLOTS = 1024 };

struct fc_weave {
	struct fc_pass pass;
	struct fc_numbers *numbers;
	struct fc_weave_thread *slots[FC_WEAVE_SLOTS]; /* by tid */
	FC_VEC(struct fc_weave_strand *) strands;      /* by id; NULL: none */
	FC_VEC(struct fc_weave_strand *) ending;       /* their own source has ended them */
	FC_VEC(struct fc_weave_thread *) busy;	       /* something of theirs waits */
	FC_VEC(uint64_t) out;
	uint64_t beside_tsc; /* all that the other source had before has been told */
	uint64_t round_tsc;  /* every strand has been looked at since */
	uint64_t last_tick_tsc;
	uint64_t begin_tsc, begin_ns;
	uint64_t
		listened; /* ticks for which strands were looked at, without what held that up */
	uint64_t
		patience; /* of those; who has told nothing for so long is waited for no longer */
	bool is_over;
	int error; /* of the next tap, the first */
};

/* What is there yet of each kind. */
static inline bool fc_weave_has_words(const struct fc_weave_words *waiting)
{
	return waiting->word < waiting->words.nr;
}

static inline const struct fc_weave_piece *
fc_weave_next_piece(const struct fc_weave_words *waiting)
{
	return &waiting->pieces.at[waiting->piece];
}

/*
 * When the first of these words, the next of a piece, was written. Values have no time of their own
 * (drain/ring.c): theirs is that of the record behind them. Only at the end of a strand is there none.
 */
static inline uint64_t fc_weave_tsc(const uint64_t *words, size_t nr, uint64_t now_tsc)
{
	size_t i = 0;
	while (i < nr && fc_record_is_values(words[i]))
		i += 1 + fc_record_words(words[i]);
	return i < nr ? fc_record_tsc(words[i], now_tsc) : now_tsc;
}

/* When the next of them was written; UINT64_MAX: there is none. */
static inline uint64_t fc_weave_next_tsc(const struct fc_weave_words *waiting)
{
	if (!fc_weave_has_words(waiting))
		return UINT64_MAX;
	const struct fc_weave_piece *piece = fc_weave_next_piece(waiting);
	return fc_weave_tsc(waiting->words.at + waiting->word, piece->nr, piece->now_tsc);
}

void fc_weave_words_add(struct fc_weave_words *waiting, const struct fc_weave_piece *piece,
			const uint64_t *words);
/* nr words, all of the next piece, have been passed on. */
void fc_weave_words_drop(struct fc_weave_words *waiting, size_t nr);
/* Room of words that were passed on is used again, when it is most of it. */
void fc_weave_words_compact(struct fc_weave_words *waiting);
void fc_weave_words_deinit(struct fc_weave_words *waiting);
/* When the first word of this thread was written, which may wait behind those of others. */
uint64_t fc_weave_next_tsc_of(const struct fc_weave_words *waiting, int tid);

/* The youngest thread of this number; NULL: none. */
struct fc_weave_thread *fc_weave_thread_find(struct fc_weave *weave, int tid);
struct fc_weave_thread *fc_weave_thread_add(struct fc_weave *weave, int pid, int tid,
					    uint64_t tsc);
void fc_weave_thread_remove(struct fc_weave *weave, struct fc_weave_thread *thread);

/* NULL: none has this id. */
struct fc_weave_strand *fc_weave_strand_find(const struct fc_weave *weave, uint32_t id);
struct fc_weave_strand *fc_weave_strand_add(struct fc_weave *weave,
					    const struct fc_strand_info *info);
/* What is made here for a thread that is in no strand. */
struct fc_weave_strand *fc_weave_strand_own(struct fc_weave *weave,
					    struct fc_weave_thread *thread);
void fc_weave_strand_destroy(struct fc_weave_strand *strand);
/* No thread has it any more: it is destroyed. */
void fc_weave_strand_forget(struct fc_weave *weave, struct fc_weave_strand *strand);

/* Pass on all that can be known to be next. */
void fc_weave_pass_on(struct fc_weave *weave);

#endif
