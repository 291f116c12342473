/* SPDX-License-Identifier: Apache-2.0 */
/* merge.c - sorts the events of many strands by time, up to where all of them were read. */
#include "calls/merge.h"

#include <stdlib.h>
#include <string.h>

#include "calls/strands.h"
#include "trace/words.h"
#include "base/memory.h"
#include "base/vec.h"

/*
 * What waits of one strand: a row of { full time, words of the record }. Told words are not
 * moved away one by one; when all are told, the row starts anew.
 */
struct lane {
	struct fc_strand_info strand; /* tid: of what is told next... */
	int tid;		      /* ...and of what comes next: FC_MARK_MOVED is between */
	FC_VEC(uint64_t) words;
	size_t next;
	bool has_ended;
	uint64_t end_tsc;
	bool is_listed; /* in merge->busy */
};

enum { MOVED_WORDS = 3 }; /* of such a mark, with its time */

struct life {
	struct fc_life_info info;
	char *text;
};

struct fc_merge {
	struct fc_merge_out out;
	struct fc_strands lanes;
	FC_VEC(struct lane *) busy; /* lanes that have something; a heap while they are told */
	FC_VEC(struct life) lives;
	size_t next_life;
};

struct fc_merge *fc_merge_create(const struct fc_merge_out *out)
{
	struct fc_merge *merge = fc_alloc(sizeof(*merge));
	merge->out = *out;
	merge->lanes.size = sizeof(struct lane);
	return merge;
}

void fc_merge_destroy(struct fc_merge *merge)
{
	if (!merge)
		return;
	struct lane *lane;
	fc_strands_each (&merge->lanes, lane)
		fc_vec_free(&lane->words);
	fc_strands_deinit(&merge->lanes);
	fc_vec_each (&merge->lives, life)
		free(life->text);
	fc_vec_free(&merge->lives);
	fc_vec_free(&merge->busy);
	free(merge);
}

static struct lane *lane_of(struct fc_merge *merge, const struct fc_strand_info *strand)
{
	struct lane *lane = fc_strands_make(&merge->lanes, strand->id);
	if (!lane)
		return NULL;
	if (!lane->strand.id)
		lane->strand.tid = lane->tid = strand->tid;
	lane->strand.id = strand->id;
	lane->strand.pid = strand->pid;
	lane->strand.kind = strand->kind;
	if (!lane->is_listed)
		fc_vec_push(&merge->busy, lane);
	lane->is_listed = true;
	return lane;
}

void fc_merge_records(struct fc_merge *merge, const struct fc_strand_info *strand,
		      const uint64_t *words, size_t nr_words, uint64_t now_tsc)
{
	struct lane *lane = lane_of(merge, strand);
	if (!lane)
		return;

	/* At most a time for each word; then nothing has to grow within the loop. */
	fc_vec_reserve(&lane->words, 2 * nr_words + MOVED_WORDS);
	uint64_t *to = lane->words.at + lane->words.nr;
	if (nr_words && lane->tid != strand->tid) {
		lane->tid = strand->tid;
		to[0] = fc_record_tsc(words[0], now_tsc);
		to[1] = fc_record(to[0], fc_mark_func(FC_MARK_MOVED, 1), FC_MARK);
		to[2] = (uint64_t)strand->tid;
		to += MOVED_WORDS;
	}
	for (size_t i = 0; i < nr_words;) {
		size_t nr = fc_record_words(words[i]) + 1;
		if (nr > nr_words - i)
			break;
		*to++ = fc_record_tsc(words[i], now_tsc);
		for (; nr; nr--)
			*to++ = words[i++];
	}
	lane->words.nr = (size_t)(to - lane->words.at);
}

void fc_merge_strand_end(struct fc_merge *merge, const struct fc_strand_info *strand,
			 uint64_t tsc)
{
	struct lane *lane = lane_of(merge, strand);
	if (!lane)
		return;
	lane->has_ended = true;
	lane->end_tsc = tsc;
}

void fc_merge_life(struct fc_merge *merge, const struct fc_life_info *info)
{
	struct life life = { .info = *info, .text = fc_strdup(info->text ? info->text : "") };
	fc_vec_push(&merge->lives, life);
}

static bool is_empty(const struct lane *lane)
{
	return lane->next == lane->words.nr;
}

/* When the next thing of this lane happened; UINT64_MAX: nothing waits. */
static uint64_t next_tsc(const struct lane *lane)
{
	if (!is_empty(lane))
		return lane->words.at[lane->next];
	return lane->has_ended ? lane->end_tsc : UINT64_MAX;
}

static bool is_before(const struct lane *a, const struct lane *b)
{
	uint64_t left = next_tsc(a), right = next_tsc(b);
	return left != right ? left < right : a->strand.id < b->strand.id;
}

static void sift_down(struct fc_merge *merge, size_t i)
{
	struct lane **heap = merge->busy.at;

	for (;;) {
		size_t least = i, child = 2 * i + 1;
		if (child < merge->busy.nr && is_before(heap[child], heap[least]))
			least = child;
		if (child + 1 < merge->busy.nr && is_before(heap[child + 1], heap[least]))
			least = child + 1;
		if (least == i)
			return;
		struct lane *swapped = heap[i];
		heap[i] = heap[least];
		heap[least] = swapped;
		i = least;
	}
}

static void make_heap(struct fc_merge *merge)
{
	for (size_t i = merge->busy.nr / 2; i-- > 0;)
		sift_down(merge, i);
}

static void drop_first(struct fc_merge *merge)
{
	merge->busy.at[0] = merge->busy.at[--merge->busy.nr];
	sift_down(merge, 0);
}

static void tell_record(struct fc_merge *merge, struct lane *lane)
{
	const uint64_t *at = lane->words.at + lane->next;
	struct fc_event event;

	lane->next += 1 + fc_words_decode(at + 1, lane->words.nr - lane->next - 1,
					  &lane->strand, at[0], &event);
	event.tsc = at[0];
	if (event.kind == FC_MARK && event.mark == FC_MARK_MOVED) {
		lane->strand.tid = (int)fc_event_word(&event, 0);
		return;
	}
	merge->out.event(merge->out.ctx, &event);
}

static void tell_end(struct fc_merge *merge, struct lane *lane)
{
	merge->out.strand_end(merge->out.ctx, &lane->strand, lane->end_tsc);
	fc_vec_free(&lane->words);
	fc_strands_drop(&merge->lanes, lane->strand.id);
}

/* The time at which another lane's turn comes. */
static uint64_t turn_ends(const struct fc_merge *merge, uint64_t limit)
{
	for (size_t i = 1; i < 3 && i < merge->busy.nr; i++) {
		uint64_t tsc = next_tsc(merge->busy.at[i]);
		if (tsc < limit)
			limit = tsc;
	}
	return limit;
}

static void start_anew(struct lane *lane)
{
	size_t rest = lane->words.nr - lane->next;

	if (!lane->next)
		return;
	/* Rarely much: what is younger than the last round. */
	memmove(lane->words.at, lane->words.at + lane->next, rest * sizeof(uint64_t));
	lane->words.nr = rest;
	lane->next = 0;
}

/* Tell the first lane's records up to where another lane's turn comes. */
static void tell_turn(struct fc_merge *merge, uint64_t limit)
{
	struct lane *lane = merge->busy.at[0];
	uint64_t end = turn_ends(merge, limit);

	do {
		if (is_empty(lane)) {
			drop_first(merge);
			tell_end(merge, lane);
			return;
		}
		tell_record(merge, lane);
	} while (next_tsc(lane) < end);
	sift_down(merge, 0);
}

static void tell_life(struct fc_merge *merge)
{
	struct life *life = &merge->lives.at[merge->next_life++];
	life->info.text = life->text;
	merge->out.life(merge->out.ctx, &life->info);
	free(life->text);
	life->text = NULL;
}

static uint64_t life_tsc(const struct fc_merge *merge)
{
	return merge->next_life < merge->lives.nr ? merge->lives.at[merge->next_life].info.tsc
						  : UINT64_MAX;
}

/* Lanes that wait for nothing leave the list; words that are told leave memory. */
static void tidy(struct fc_merge *merge)
{
	size_t kept = 0;

	fc_vec_each (&merge->busy, lane) {
		start_anew(*lane);
		if (is_empty(*lane) && !(*lane)->has_ended)
			(*lane)->is_listed = false;
		else
			merge->busy.at[kept++] = *lane;
	}
	merge->busy.nr = kept;
	if (merge->next_life == merge->lives.nr)
		merge->lives.nr = merge->next_life = 0;
}

void fc_merge_until(struct fc_merge *merge, uint64_t tsc)
{
	make_heap(merge);
	for (;;) {
		uint64_t lane = merge->busy.nr ? next_tsc(merge->busy.at[0]) : UINT64_MAX;
		uint64_t life = life_tsc(merge);
		/* If a process ended, pass on its calls before its end. */
		if (life < lane && life < tsc)
			tell_life(merge);
		else if (lane < tsc)
			tell_turn(merge, life < tsc ? life + 1 : tsc);
		else
			break;
	}
	tidy(merge);
}
