/* SPDX-License-Identifier: Apache-2.0 */
/* weave.c - a weave's tap: of which strand and thread words are, and when these have ended. */
#include "capture/drain/weave/weave.h"

#include <stdlib.h>

#include "base/memory.h"
#include "capture/drain/weave/weave_private.h"
#include "trace/clock.h"

/* Who is stopped in the middle of a stub tells no more: what waits for it does so no longer. */
#define PATIENCE_NS   2000000000ull
#define RATE_AFTER_NS 100000000ull /* by then it is known how fast the clock ticks */

static struct fc_weave *weave_of(struct fc_tap *tap)
{
	return (struct fc_weave *)tap;
}

/* The one that had the number then. */
static struct fc_weave_thread *find_at(struct fc_weave *weave, int tid, uint64_t tsc)
{
	struct fc_weave_thread *thread = fc_weave_thread_find(weave, tid);
	while (thread && (thread->tid != tid || thread->begin_tsc > tsc))
		thread = thread->next;
	return thread && thread->end_tsc && thread->end_tsc < tsc ? NULL : thread;
}

static void make_busy(struct fc_weave *weave, struct fc_weave_thread *thread)
{
	if (!thread->is_busy)
		fc_vec_push(&weave->busy, thread);
	thread->is_busy = true;
}

/* Of a process, or with tid one of its threads. */
static void end_threads(struct fc_weave *weave, int pid, int tid, uint64_t tsc)
{
	for (size_t i = 0; i < FC_WEAVE_SLOTS; i++) {
		for (struct fc_weave_thread *t = weave->slots[i]; t; t = t->next) {
			if (t->pid != pid || (tid && t->tid != tid) || t->end_tsc)
				continue;
			t->end_tsc = tsc;
			make_busy(weave, t);
		}
	}
}

/* ---- ends ---- */

static uint64_t until(const struct fc_weave *weave)
{
	return weave->is_over ? UINT64_MAX : weave->beside_tsc;
}

static void pass_end(struct fc_weave *weave, struct fc_weave_strand *strand, uint64_t tsc)
{
	struct fc_tap *next = weave->pass.next;
	int ret = next->strand_end(next, &strand->info, tsc);
	if (ret && !weave->error)
		weave->error = ret;
	fc_weave_strand_forget(weave, strand);
}

/* Has all come that was before its end, of its own source and of the other? */
static bool may_end(struct fc_weave *weave, const struct fc_weave_strand *strand)
{
	const struct fc_weave_thread *thread = fc_weave_thread_find(weave, strand->info.tid);
	bool is_in_it = thread && (thread->now == strand || thread->own == strand);
	return strand->end_tsc && strand->end_tsc < until(weave) &&
	       !fc_weave_has_words(&strand->waiting) &&
	       (!is_in_it || fc_weave_next_tsc(&thread->beside) > strand->end_tsc);
}

static void end_strands(struct fc_weave *weave)
{
	size_t left = 0;
	for (size_t i = 0; i < weave->ending.nr; i++) {
		struct fc_weave_strand *strand = weave->ending.at[i];
		if (may_end(weave, strand))
			pass_end(weave, strand, strand->end_tsc);
		else
			weave->ending.at[left++] = strand;
	}
	weave->ending.nr = left;
}

/* Strands that have gone on in other threads. */
static void forget_moved(struct fc_weave_thread *thread)
{
	size_t left = 0;
	for (size_t i = 0; i < thread->strands.nr; i++) {
		struct fc_weave_strand *strand = thread->strands.at[i];
		if (strand->told_tid == thread->tid || strand == thread->now ||
		    fc_weave_next_tsc_of(&strand->waiting, thread->tid) != UINT64_MAX)
			thread->strands.at[left++] = strand;
	}
	thread->strands.nr = left;
}

/* What it has of its own ends with it. True: nothing is to come of it any more. */
static bool end_thread(struct fc_weave *weave, struct fc_weave_thread *thread)
{
	if (!thread->end_tsc || thread->end_tsc >= until(weave) ||
	    fc_weave_has_words(&thread->beside))
		return false;
	if (thread->own)
		pass_end(weave, thread->own, thread->end_tsc);
	fc_vec_each (&thread->strands, at)
		if (fc_weave_has_words(&(*at)->waiting))
			return false;
	return true;
}

static bool has_words(const struct fc_weave_thread *thread)
{
	bool ret = fc_weave_has_words(&thread->beside);
	fc_vec_each (&thread->strands, at)
		ret |= fc_weave_has_words(&(*at)->waiting);
	return ret;
}

static void work(struct fc_weave *weave)
{
	size_t left = 0;
	fc_weave_pass_on(weave);
	end_strands(weave);
	for (size_t i = 0; i < weave->busy.nr; i++) {
		struct fc_weave_thread *thread = weave->busy.at[i];
		forget_moved(thread);
		if (end_thread(weave, thread)) {
			fc_weave_thread_remove(weave, thread);
		} else if (thread->end_tsc || has_words(thread)) {
			fc_weave_words_compact(&thread->beside);
			fc_vec_each (&thread->strands, strand)
				fc_weave_words_compact(&(*strand)->waiting);
			weave->busy.at[left++] = thread;
		} else {
			thread->is_busy = false;
		}
	}
	weave->busy.nr = left;
}

/* ---- what is told ---- */

static bool is_among(const struct fc_weave_thread *thread, const struct fc_weave_strand *strand)
{
	fc_vec_each (&thread->strands, at)
		if (*at == strand)
			return true;
	return false;
}

static void add_piece(struct fc_weave *weave, struct fc_weave_strand *strand,
		      const struct fc_strand_info *info, const uint64_t *words, size_t nr,
		      uint64_t now_tsc)
{
	const struct fc_weave_piece piece = { info->tid, info->kind, now_tsc, nr };
	struct fc_weave_thread *thread = fc_weave_thread_find(weave, info->tid);
	if (!thread)
		thread = fc_weave_thread_add(weave, info->pid, info->tid, 0);
	if (!is_among(thread, strand))
		fc_vec_push(&thread->strands, strand);
	fc_weave_words_add(&strand->waiting, &piece, words);
	make_busy(weave, thread);
}

/* How many of the words are in front of values that end them. */
static size_t without_last_values(const uint64_t *words, size_t nr)
{
	size_t ret = 0;
	for (size_t i = 0; i < nr;) {
		bool is_values = fc_record_is_values(words[i]);
		i += 1 + fc_record_words(words[i]);
		if (!is_values)
			ret = i < nr ? i : nr;
	}
	return ret;
}

static void keep_values(struct fc_weave_strand *strand, const uint64_t *words, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		fc_vec_push(&strand->values, words[i]);
}

/* What was kept. */
static void add_values(struct fc_weave *weave, struct fc_weave_strand *strand,
		       const struct fc_strand_info *info, uint64_t now_tsc)
{
	add_piece(weave, strand, info, strand->values.at, strand->values.nr, now_tsc);
	strand->values.nr = 0;
}

/* Values wait for their record, which is told next: it says when they were written. */
static void add_words(struct fc_weave *weave, struct fc_weave_strand *strand,
		      const struct fc_strand_info *info, const uint64_t *words, size_t nr,
		      uint64_t now_tsc)
{
	size_t whole = without_last_values(words, nr);
	if (whole && strand->values.nr) {
		keep_values(strand, words, whole);
		add_values(weave, strand, info, now_tsc);
	} else if (whole) {
		add_piece(weave, strand, info, words, whole, now_tsc);
	}
	keep_values(strand, words + whole, nr - whole);
}

static int take_strand(struct fc_weave *weave, const struct fc_strand_info *info,
		       const uint64_t *words, size_t nr, uint64_t now_tsc)
{
	struct fc_weave_strand *strand = fc_weave_strand_find(weave, info->id);
	if (!strand)
		strand = fc_weave_strand_add(weave, info);
	strand->told_tid = info->tid;
	if (nr || !strand->values.nr) /* else it is in the middle of telling something */
		strand->heard = weave->listened;
	if (nr)
		add_words(weave, strand, info, words, nr, now_tsc);
	else if (!strand->values.nr)
		strand->told_tsc = now_tsc;
	return weave->error;
}

/* A thread waits for fctrace before its begin is told, and what it does then is told with what was before. */
static int take_beside(struct fc_weave *weave, const struct fc_strand_info *info,
		       const uint64_t *words, size_t nr, uint64_t now_tsc)
{
	if (!nr) {
		weave->beside_tsc = now_tsc;
		work(weave);
		return weave->error;
	}
	size_t first = 0;
	struct fc_weave_thread *thread = NULL;
	while (first < nr &&
	       !(thread = find_at(weave, info->tid, fc_record_tsc(words[first], now_tsc))))
		first += 1 + fc_record_words(words[first]);
	if (!thread) /* nobody traces it */
		return weave->error;
	struct fc_weave_piece piece = { info->tid, FC_STRAND_THREAD, now_tsc, nr - first };
	fc_weave_words_add(&thread->beside, &piece, words + first);
	make_busy(weave, thread);
	return weave->error;
}

static int weave_records(struct fc_tap *tap, const struct fc_strand_info *strand,
			 const uint64_t *words, size_t nr_words, uint64_t now_tsc)
{
	return strand->id == FC_STRAND_BESIDE
		       ? take_beside(weave_of(tap), strand, words, nr_words, now_tsc)
		       : take_strand(weave_of(tap), strand, words, nr_words, now_tsc);
}

static int weave_strand_end(struct fc_tap *tap, const struct fc_strand_info *info, uint64_t tsc)
{
	struct fc_weave *weave = weave_of(tap);
	struct fc_weave_strand *strand = fc_weave_strand_find(weave, info->id);
	if (!strand)
		strand = fc_weave_strand_add(weave, info);
	if (strand->values.nr)
		add_values(weave, strand, info, tsc);
	strand->end_tsc = tsc;
	fc_vec_push(&weave->ending, strand);
	return weave->error;
}

static int weave_life(struct fc_tap *tap, const struct fc_life_info *life)
{
	struct fc_weave *weave = weave_of(tap);
	struct fc_tap *next = weave->pass.next;
	struct fc_weave_thread *thread = fc_weave_thread_find(weave, life->tid);
	if (life->life == FC_LIFE_START || life->life == FC_LIFE_THREAD_START) {
		if (!thread || thread->end_tsc)
			fc_weave_thread_add(weave, life->pid, life->tid, life->tsc);
	} else if (life->life == FC_LIFE_EXIT || life->life == FC_LIFE_THREAD_EXIT) {
		end_threads(weave, life->pid, fc_life_ended_tid(life), life->tsc);
	}
	return next->life(next, life);
}

/* Nothing that was written before is still to come. */
static uint64_t passed_until(const struct fc_weave *weave)
{
	uint64_t ret = until(weave);
	if (weave->round_tsc < ret)
		ret = weave->round_tsc;
	fc_vec_each (&weave->busy, at) {
		uint64_t tsc = fc_weave_next_tsc(&(*at)->beside);
		ret = tsc < ret ? tsc : ret;
		fc_vec_each (&(*at)->strands, strand) {
			tsc = fc_weave_next_tsc(&(*strand)->waiting);
			ret = tsc < ret ? tsc : ret;
		}
	}
	return ret;
}

static void measure(struct fc_weave *weave, uint64_t now_tsc)
{
	uint64_t ns = fc_clock_mono_ns() - weave->begin_ns;
	if (ns < RATE_AFTER_NS || now_tsc <= weave->begin_tsc)
		return;
	double rate = (double)(now_tsc - weave->begin_tsc) / (double)ns;
	weave->patience = (uint64_t)(rate * (double)PATIENCE_NS);
}

/*
 * A strand is not silent while nobody looks at it: a round that takes seconds (the disk is slow, or the
 * machine stood still) counts for little.
 */
static void listen(struct fc_weave *weave, uint64_t now_tsc)
{
	enum { LEAST_ROUNDS = 16 }; /* within weave->patience */
	uint64_t took = now_tsc - weave->last_tick_tsc, most = weave->patience / LEAST_ROUNDS;
	weave->listened += took < most ? took : most;
}

static int weave_tick(struct fc_tap *tap, uint64_t now_tsc)
{
	struct fc_weave *weave = weave_of(tap);
	struct fc_tap *next = weave->pass.next;
	listen(weave, now_tsc);
	/* Since the last tick each strand was looked at. */
	weave->round_tsc = weave->last_tick_tsc;
	weave->last_tick_tsc = now_tsc;
	measure(weave, now_tsc);
	work(weave);
	int ret = next->tick(next, passed_until(weave));
	return weave->error ? weave->error : ret;
}

/* ---- its life ---- */

struct fc_weave *fc_weave_create(struct fc_numbers *numbers, struct fc_tap *next)
{
	struct fc_weave *weave = fc_alloc(sizeof(*weave));
	fc_pass_init(&weave->pass, next);
	weave->pass.tap.records = weave_records;
	weave->pass.tap.strand_end = weave_strand_end;
	weave->pass.tap.life = weave_life;
	weave->pass.tap.tick = weave_tick;
	weave->numbers = numbers;
	weave->begin_tsc = fc_clock_tsc();
	weave->begin_ns = fc_clock_mono_ns();
	return weave;
}

void fc_weave_destroy(struct fc_weave *weave)
{
	if (!weave)
		return;
	weave->is_over = true;
	work(weave);
	for (size_t i = 0; i < FC_WEAVE_SLOTS; i++) {
		for (struct fc_weave_thread *t = weave->slots[i], *next; t; t = next) {
			next = t->next;
			if (t->own)
				pass_end(weave, t->own,
					 t->end_tsc ? t->end_tsc : fc_clock_tsc());
			fc_weave_thread_remove(weave, t);
		}
	}
	fc_vec_each (&weave->strands, strand)
		if (*strand)
			fc_weave_strand_destroy(*strand);
	fc_vec_free(&weave->strands);
	fc_vec_free(&weave->ending);
	fc_vec_free(&weave->busy);
	fc_vec_free(&weave->out);
	free(weave);
}

struct fc_tap *fc_weave_tap(struct fc_weave *weave)
{
	return &weave->pass.tap;
}
