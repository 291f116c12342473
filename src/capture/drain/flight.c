/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/drain/flight.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "trace/clock.h"
#include "trace/record.h"

enum {
	LOOKS = 4,	       /* again at a live ring, for a copy without a gap */
	KEPT_MIN = 64,	       /* strands that have ended: so many are kept... */
	KEPT_WORDS = 32 << 20, /* ...if their records are no more than that... */
	KEPT_MAX = 1024,       /* ...and so many in any case of those... */
	KEPT_TICKS = 1u << 30, /* ...that ended less than half a second ago, as in a crash... */
	MOST_WORDS =
		128
		<< 20, /* ...but no more than these: many CPUs end many threads in that time */
};

struct kept {
	struct fc_strand_info strand; /* with the thread that the first words are of */
	struct fc_moves moves;
	struct fc_recall recall;
	uint64_t lost;
	uint64_t end_tsc; /* 0: it lives */
};

struct kept_list {
	FC_VEC(struct kept) list;
};

struct fc_flight {
	struct kept_list dead;	/* the oldest first */
	struct kept_list later; /* those that have ended while the others are held */
	struct kept_list live;
	bool is_held;
	uint64_t lost, held_lost; /* now; when it began to be held */
	uint64_t *copy;		  /* room for one ring */
	uint64_t copy_words;
};

static void forget(struct kept_list *list)
{
	fc_vec_each (&list->list, kept)
		fc_recall_deinit(&kept->recall);
	fc_vec_free(&list->list);
}

struct fc_flight *fc_flight_create(void)
{
	return fc_alloc(sizeof(struct fc_flight));
}

void fc_flight_destroy(struct fc_flight *flight)
{
	if (!flight)
		return;
	forget(&flight->live);
	forget(&flight->later);
	forget(&flight->dead);
	free(flight->copy);
	free(flight);
}

static bool recall(struct fc_flight *flight, const struct fc_flight_ring *ring,
		   struct kept *ret)
{
	if (flight->copy_words < ring->ring_words) {
		free(flight->copy);
		flight->copy = fc_alloc(ring->ring_words * sizeof(*flight->copy));
		flight->copy_words = ring->ring_words;
	}
	*ret = (struct kept){ .strand = ring->strand,
			      .moves = ring->moves,
			      .lost = ring->lost };
	if (!fc_segments_copy(ring->ring_words, ring->read, ring->ctx, flight->copy))
		return false;
	fc_segments_recall(flight->copy, ring->ring_words, fc_clock_tsc(), &ret->recall);
	fc_moves_begin(&ret->moves, ret->recall.words.at, ret->recall.words.nr, ret->strand.pid,
		       &ret->strand.tid);
	if (ret->recall.words.nr || ret->lost)
		return true;
	fc_recall_deinit(&ret->recall);
	return false;
}

static void forget_oldest(struct kept_list *dead)
{
	uint64_t now = dead->list.at[dead->list.nr - 1].end_tsc;
	size_t nr = 0, nr_words = 0;
	fc_vec_each (&dead->list, kept)
		nr_words += kept->recall.words.nr;
	while (dead->list.nr - nr > KEPT_MAX ||
	       (dead->list.nr - nr > 1 && nr_words > MOST_WORDS) ||
	       ((dead->list.nr - nr > KEPT_MIN || nr_words > KEPT_WORDS) &&
		now - dead->list.at[nr].end_tsc > KEPT_TICKS)) {
		nr_words -= dead->list.at[nr].recall.words.nr;
		fc_recall_deinit(&dead->list.at[nr++].recall);
	}
	dead->list.nr -= nr;
	if (nr)
		memmove(dead->list.at, dead->list.at + nr,
			dead->list.nr * sizeof(*dead->list.at));
}

void fc_flight_keep(struct fc_flight *flight, const struct fc_flight_ring *ring,
		    uint64_t end_tsc)
{
	struct kept kept;
	if (!recall(flight, ring, &kept))
		return;
	kept.end_tsc = end_tsc;
	struct kept_list *dead = flight->is_held ? &flight->later : &flight->dead;
	fc_vec_push(&dead->list, kept);
	forget_oldest(dead);
}

void fc_flight_hold(struct fc_flight *flight)
{
	flight->is_held = true;
	flight->held_lost = flight->lost;
}

void fc_flight_release(struct fc_flight *flight)
{
	flight->is_held = false;
	forget(&flight->live);
	fc_vec_each (&flight->later.list, kept)
		fc_vec_push(&flight->dead.list, *kept);
	if (flight->later.list.nr)
		forget_oldest(&flight->dead);
	fc_vec_free(&flight->later.list);
}

/* A gap: this thread was not on a CPU while it copied, and the strand has gone all around. */
void fc_flight_look(struct fc_flight *flight, const struct fc_flight_ring *ring)
{
	struct kept kept;
	bool is_there = recall(flight, ring, &kept);
	for (int i = 0; is_there && kept.recall.nr_gaps && i < LOOKS; i++) {
		fc_recall_deinit(&kept.recall);
		is_there = recall(flight, ring, &kept);
	}
	if (is_there)
		fc_vec_push(&flight->live.list, kept);
}

void fc_flight_lost(struct fc_flight *flight, uint64_t nr)
{
	flight->lost += nr;
}

uint64_t fc_flight_last_tsc(const struct fc_flight *flight)
{
	uint64_t last = 0;
	fc_vec_each (&flight->dead.list, kept)
		last = kept->recall.last_tsc > last ? kept->recall.last_tsc : last;
	fc_vec_each (&flight->live.list, kept)
		last = kept->recall.last_tsc > last ? kept->recall.last_tsc : last;
	return last;
}

static uint64_t earlier(uint64_t first, const struct fc_recall *recall)
{
	if (!recall->words.nr)
		return first;
	uint64_t tsc = fc_record_tsc(recall->words.at[0], recall->batches.at[0].now_tsc);
	return first && first < tsc ? first : tsc;
}

uint64_t fc_flight_first_tsc(const struct fc_flight *flight)
{
	uint64_t first = 0;
	fc_vec_each (&flight->dead.list, kept)
		first = earlier(first, &kept->recall);
	fc_vec_each (&flight->live.list, kept)
		first = earlier(first, &kept->recall);
	return first;
}

static void pour_lost(struct fc_tap *to, const struct fc_strand_info *strand, uint64_t nr,
		      uint64_t tsc)
{
	uint64_t words[] = { fc_record(tsc, fc_mark_func(FC_MARK_LOST, 1), FC_MARK), nr };
	if (nr)
		to->records(to, strand, words, 2, tsc);
}

static void pour_one(const struct kept *kept, struct fc_tap *to)
{
	const uint64_t *words = kept->recall.words.at;
	struct fc_strand_info strand = kept->strand;
	fc_vec_each (&kept->recall.batches, batch) {
		fc_moves_tell(&kept->moves, to, &strand, words, batch->nr_words,
			      batch->now_tsc);
		words += batch->nr_words;
	}
	uint64_t last = kept->recall.last_tsc ? kept->recall.last_tsc : fc_clock_tsc();
	pour_lost(to, &strand, kept->lost, last);
	if (kept->end_tsc)
		to->strand_end(to, &strand, kept->end_tsc);
}

void fc_flight_pour(struct fc_flight *flight, struct fc_tap *to)
{
	struct fc_strand_info nobody = { .id = 1 }; /* behind all others */
	fc_vec_each (&flight->dead.list, kept) {
		pour_one(kept, to);
		nobody.id = kept->strand.id >= nobody.id ? kept->strand.id + 1 : nobody.id;
	}
	fc_vec_each (&flight->live.list, kept) {
		pour_one(kept, to);
		nobody.id = kept->strand.id >= nobody.id ? kept->strand.id + 1 : nobody.id;
	}
	uint64_t lost = flight->is_held ? flight->held_lost : flight->lost;
	if (!lost)
		return;
	pour_lost(to, &nobody, lost, fc_clock_tsc());
	to->strand_end(to, &nobody, fc_clock_tsc());
}
