/* SPDX-License-Identifier: Apache-2.0 */
/* weave_held.c - what a weave holds: words that wait, threads by their numbers, strands by ids. */
#include <string.h>

#include "base/memory.h"
#include "capture/drain/weave/weave_private.h"

/* ---- words that wait ---- */

void fc_weave_words_add(struct fc_weave_words *waiting, const struct fc_weave_piece *piece,
			const uint64_t *words)
{
	fc_vec_reserve(&waiting->words, piece->nr);
	memcpy(waiting->words.at + waiting->words.nr, words, piece->nr * sizeof(*words));
	waiting->words.nr += piece->nr;
	fc_vec_push(&waiting->pieces, *piece);
}

void fc_weave_words_drop(struct fc_weave_words *waiting, size_t nr)
{
	struct fc_weave_piece *piece = &waiting->pieces.at[waiting->piece];
	waiting->word += nr;
	piece->nr -= nr;
	if (piece->nr)
		return;
	waiting->piece++;
	if (waiting->piece == waiting->pieces.nr)
		waiting->word = waiting->piece = waiting->words.nr = waiting->pieces.nr = 0;
}

/* Room that was passed on is used again, when it is most of it. */
void fc_weave_words_compact(struct fc_weave_words *waiting)
{
	enum { LEAST = 4096 };
	if (waiting->word < LEAST || waiting->word < waiting->words.nr / 2)
		return;
	waiting->words.nr -= waiting->word;
	memmove(waiting->words.at, waiting->words.at + waiting->word,
		waiting->words.nr * sizeof(*waiting->words.at));
	waiting->pieces.nr -= waiting->piece;
	memmove(waiting->pieces.at, waiting->pieces.at + waiting->piece,
		waiting->pieces.nr * sizeof(*waiting->pieces.at));
	waiting->word = waiting->piece = 0;
}

uint64_t fc_weave_next_tsc_of(const struct fc_weave_words *waiting, int tid)
{
	size_t at = waiting->word;
	for (size_t i = waiting->piece; i < waiting->pieces.nr;
	     at += waiting->pieces.at[i++].nr)
		if (waiting->pieces.at[i].tid == tid)
			return fc_weave_tsc(waiting->words.at + at, waiting->pieces.at[i].nr,
					    waiting->pieces.at[i].now_tsc);
	return UINT64_MAX;
}

void fc_weave_words_deinit(struct fc_weave_words *waiting)
{
	fc_vec_free(&waiting->words);
	fc_vec_free(&waiting->pieces);
}

/* ---- threads ---- */

static struct fc_weave_thread **slot_of(struct fc_weave *weave, int tid)
{
	return &weave->slots[(uint32_t)tid * 0x9e3779b1u >> 22];
}

_Static_assert(FC_WEAVE_SLOTS == 1 << (32 - 22), "as many as the hash has");

struct fc_weave_thread *fc_weave_thread_find(struct fc_weave *weave, int tid)
{
	struct fc_weave_thread *thread = *slot_of(weave, tid);
	while (thread && thread->tid != tid)
		thread = thread->next;
	return thread;
}

struct fc_weave_thread *fc_weave_thread_add(struct fc_weave *weave, int pid, int tid,
					    uint64_t tsc)
{
	struct fc_weave_thread **slot = slot_of(weave, tid),
			       *thread = fc_alloc(sizeof(*thread));
	thread->tid = tid;
	thread->pid = pid;
	thread->begin_tsc = tsc;
	thread->next = *slot;
	*slot = thread;
	return thread;
}

static void destroy_thread(struct fc_weave_thread *thread)
{
	fc_weave_words_deinit(&thread->beside);
	fc_vec_free(&thread->strands);
	free(thread);
}

void fc_weave_thread_remove(struct fc_weave *weave, struct fc_weave_thread *thread)
{
	struct fc_weave_thread **at = slot_of(weave, thread->tid);
	while (*at != thread)
		at = &(*at)->next;
	*at = thread->next;
	destroy_thread(thread);
}

/* ---- strands ---- */

struct fc_weave_strand *fc_weave_strand_find(const struct fc_weave *weave, uint32_t id)
{
	return id < weave->strands.nr ? weave->strands.at[id] : NULL;
}

struct fc_weave_strand *fc_weave_strand_add(struct fc_weave *weave,
					    const struct fc_strand_info *info)
{
	struct fc_weave_strand *strand = fc_alloc(sizeof(*strand));
	strand->info = *info;
	strand->told_tid = info->tid;
	while (weave->strands.nr <= info->id)
		fc_vec_push(&weave->strands, NULL);
	weave->strands.at[info->id] = strand;
	return strand;
}

struct fc_weave_strand *fc_weave_strand_own(struct fc_weave *weave,
					    struct fc_weave_thread *thread)
{
	if (!thread->own) {
		struct fc_strand_info info = { .id = fc_numbers_strand(weave->numbers),
					       .pid = thread->pid,
					       .tid = thread->tid,
					       .kind = FC_STRAND_THREAD };
		thread->own = fc_weave_strand_add(weave, &info);
	}
	return thread->own;
}

void fc_weave_strand_destroy(struct fc_weave_strand *strand)
{
	fc_weave_words_deinit(&strand->waiting);
	fc_vec_free(&strand->values);
	free(strand);
}

static void remove_from(struct fc_weave_thread *thread, const struct fc_weave_strand *strand)
{
	size_t left = 0;
	for (size_t i = 0; i < thread->strands.nr; i++)
		if (thread->strands.at[i] != strand)
			thread->strands.at[left++] = thread->strands.at[i];
	thread->strands.nr = left;
	if (thread->now == strand)
		thread->now = NULL;
	if (thread->before == strand)
		thread->before = NULL;
	if (thread->own == strand)
		thread->own = NULL;
}

void fc_weave_strand_forget(struct fc_weave *weave, struct fc_weave_strand *strand)
{
	for (size_t i = 0; i < FC_WEAVE_SLOTS; i++)
		for (struct fc_weave_thread *t = weave->slots[i]; t; t = t->next)
			remove_from(t, strand);
	weave->strands.at[strand->info.id] = NULL;
	fc_weave_strand_destroy(strand);
}
