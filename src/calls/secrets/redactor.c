/* SPDX-License-Identifier: Apache-2.0 */
/* redactor.c - overwrites secrets in the marks of values before anybody else sees them. */
#include "calls/secrets/redactor.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/vec.h"
#include "calls/pass.h"
#include "calls/strands.h"
#include "trace/record.h"
#include "trace/effect.h"
#include "trace/mark.h"
#include "trace/words.h"
#include "values/secrets/redact.h"

/* What is known of a function's marks, by format key; an exit's key also has the function's. */
enum { CONCERNS = 1, SECRETIVE = 2, GOES_ON = 4, HIDES = 8 };

struct strand {
	int pid;
	uint64_t depth; /* open calls */
	uint64_t
		from; /* beneath the from-th of them, and of it, all texts are secrets; 0: of none */
	struct fc_given given;
	struct fc_redact_rest *rest; /* NULL: no text may go on */
};

struct fc_redactor {
	struct fc_pass pass;
	const struct fc_masks *masks;
	FC_VEC(struct fc_formats *) tables;
	FC_VEC(uint8_t) known; /* by key */
	struct fc_strands strands;
	FC_VEC(uint64_t) words;	    /* a batch from which something is taken */
	struct fc_redactor *parent; /* of a dump's: who has the tables; NULL: itself */
	pthread_mutex_t lock;	    /* of these: a dump is written by a thread of its own */
};

static struct fc_redactor *redactor_of(struct fc_tap *tap)
{
	return (struct fc_redactor *)tap;
}

/* Who has the tables: a dump's redactor has its own strands only. */
static struct fc_redactor *base_of(struct fc_redactor *redactor)
{
	return redactor->parent ? redactor->parent : redactor;
}

static uint8_t known_of(struct fc_redactor *redactor, uint64_t key)
{
	const struct fc_redactor *base = base_of(redactor);
	return key < base->known.nr ? base->known.at[key] : 0;
}

static void note_format(struct fc_redactor *redactor, const struct fc_value_format *format)
{
	bool is_exit = format->key & 1,
	     is_secretive = is_exit && fc_redact_is_secretive(format);
	*fc_vec_make(&redactor->known, format->key) |=
		(fc_redact_concerns(format) ? CONCERNS : 0) | (is_secretive ? SECRETIVE : 0) |
		(fc_redact_hides(format) ? HIDES : 0) |
		(fc_redact_may_go_on(format) ? GOES_ON : 0);
}

static int redactor_module(struct fc_tap *tap, const struct fc_module_info *info)
{
	struct fc_redactor *redactor = redactor_of(tap);
	struct fc_formats *table;
	const struct fc_value_format *format;
	int err = info->values ? fc_formats_load(info->values, info->values_size, &table) : -1;
	if (!err) {
		pthread_mutex_lock(&redactor->lock);
		fc_vec_push(&redactor->tables, table);
		for (size_t i = 0; (format = fc_formats_at(table, i)); i++)
			note_format(redactor, format);
		pthread_mutex_unlock(&redactor->lock);
	} else if (info->values) {
		fc_fail_clear(); /* our own table */
	}
	return redactor->pass.next->module(redactor->pass.next, info);
}

static const struct fc_value_format *find_format(struct fc_redactor *redactor, uint32_t key,
						 const struct fc_types **types)
{
	const struct fc_redactor *base = base_of(redactor);
	const struct fc_value_format *ret = NULL;
	for (size_t i = 0; i < base->tables.nr && !ret; i++) {
		ret = fc_formats_find(base->tables.at[i], key);
		*types = fc_formats_types(base->tables.at[i]);
	}
	return ret;
}

static bool is_mark(uint64_t head, enum fc_mark mark)
{
	return fc_record_kind(head) == FC_MARK && fc_record_mark(head) == mark;
}

/* A call is entered. */
static void enter(struct fc_redactor *redactor, struct strand *strand, uint32_t func,
		  uint64_t tsc, bool by_tail)
{
	bool is_secretive = known_of(redactor, fca_format(func, true)) & SECRETIVE,
	     hides = known_of(redactor, fca_format(func, false)) & HIDES;
	struct fc_given_entry entry = { strand->depth, tsc, func, by_tail, hides };
	if (!fc_given_is_empty(&strand->given) || hides)
		is_secretive |= !fc_given_enter(&strand->given, &entry);
	/* What a tail call leads to goes on for the call that it took the place of. */
	if (!strand->from && is_secretive)
		strand->from = strand->depth;
}

/* A child's calls were given what its parent's were, in whichever of its threads. */
static void inherit(struct fc_redactor *redactor, struct strand *strand, int parent,
		    uint64_t tsc)
{
	for (size_t i = 0; i < redactor->strands.nr; i++) {
		const struct strand *other = redactor->strands.at[i];
		if (other && other != strand && other->pid == parent &&
		    !fc_given_is_empty(&other->given))
			fc_given_inherit(&strand->given, &other->given, tsc);
	}
}

/* A record that is more than a call or a return. */
static void go_on_other(struct fc_redactor *redactor, struct strand *strand,
			const uint64_t *words, size_t nr, uint64_t now_tsc)
{
	struct fc_event event = { .kind = (uint8_t)fc_record_kind(words[0]),
				  .func = fc_record_func(words[0]) };
	uint64_t tsc = fc_record_tsc(words[0], now_tsc);
	bool is_aside = event.kind == FC_MARK && fc_mark_is_aside(fc_record_mark(words[0]));
	if (is_aside || (event.kind == FC_MARK && !fc_words_mark(words, nr, &event)))
		return;
	struct fc_effect effect = fc_effect_of(&event, strand->depth);
	strand->depth = fc_effect_depth(&effect);
	if (effect.entered == FC_ENTERED_CALL || effect.entered == FC_ENTERED_TAIL)
		enter(redactor, strand, event.func, tsc, effect.entered == FC_ENTERED_TAIL);
	else
		fc_given_leave(&strand->given, strand->depth);
	if (is_mark(words[0], FC_MARK_FORK))
		inherit(redactor, strand, (int)fc_event_word(&event, 0), tsc);
}

/* The strand's calls behind a record. */
static void go_on(struct fc_redactor *redactor, struct strand *strand, const uint64_t *words,
		  size_t nr, uint64_t now_tsc)
{
	enum fc_kind kind = fc_record_kind(words[0]);
	if (kind == FC_ENTRY) {
		strand->depth++;
		enter(redactor, strand, fc_record_func(words[0]),
		      fc_record_tsc(words[0], now_tsc), false);
	} else if (kind == FC_EXIT) {
		strand->depth -= strand->depth > 0;
		if (!fc_given_is_empty(&strand->given))
			fc_given_leave(&strand->given, strand->depth);
	} else {
		go_on_other(redactor, strand, words, nr, now_tsc);
	}
	if (strand->from > strand->depth)
		strand->from = 0;
}

/* Words of the mark that are left, which are part of the batch that is changed. */
static uint32_t redact(struct fc_redactor *redactor, struct strand *strand, uint64_t head,
		       uint64_t *words, uint32_t nr)
{
	const struct fc_types *types;
	struct fc_redact_place place = { .masks = redactor->masks,
					 .hides_all = strand->from,
					 .depth = strand->depth,
					 .given = &strand->given,
					 .rest = strand->rest };
	if (is_mark(head, FC_MARK_MORE))
		return fc_redact_piece(&place, words, nr);
	const struct fc_value_format *format =
		is_mark(head, FC_MARK_VALUES)
			? find_format(redactor, (uint32_t)words[0], &types)
			: NULL;
	if (!format)
		return nr;
	bool goes_on = known_of(redactor, words[0]) & GOES_ON;
	if (goes_on && !strand->rest)
		strand->rest = fc_alloc(sizeof(*strand->rest));
	place.rest = goes_on ? strand->rest : NULL;
	return fc_redact(&place, types, format, words, nr);
}

/* May there be something to be taken out? Most marks have no text. */
static bool is_concerned(struct fc_redactor *redactor, const struct strand *strand,
			 const uint64_t *words, size_t nr)
{
	if (is_mark(words[0], FC_MARK_MORE))
		return true;
	return is_mark(words[0], FC_MARK_VALUES) && nr > 1 &&
	       (!fc_given_is_empty(&strand->given) || known_of(redactor, words[1]) & CONCERNS);
}

/* The record at words, whole. 0: it is not. */
static size_t size_at(const uint64_t *words, size_t nr)
{
	size_t size = nr ? 1 + fc_record_words(words[0]) : 0;
	return size <= nr ? size : 0;
}

/* Words in front of the first record that may have a secret. */
static size_t pass_plain(struct fc_redactor *redactor, struct strand *strand,
			 const uint64_t *words, size_t nr, uint64_t now_tsc)
{
	size_t at = 0, size;
	while ((size = size_at(words + at, nr - at)) &&
	       !is_concerned(redactor, strand, words + at, size)) {
		go_on(redactor, strand, words + at, size, now_tsc);
		at += size;
	}
	return at;
}

/* A copy of the batch without secrets; there are none in front of the from-th word. */
static void redact_all(struct fc_redactor *redactor, struct strand *strand,
		       const uint64_t *words, size_t nr, size_t from, uint64_t now_tsc)
{
	size_t size;
	redactor->words.nr = 0;
	fc_vec_reserve(&redactor->words, nr);
	uint64_t *to = redactor->words.at;
	memcpy(to, words, from * sizeof(*to));
	to += from;
	for (size_t at = from; (size = size_at(words + at, nr - at)); at += size) {
		memcpy(to, words + at, size * sizeof(*to));
		uint32_t left = (uint32_t)size - 1;
		if (is_concerned(redactor, strand, to, size))
			left = redact(redactor, strand, *to, to + 1, left);
		if (left != size - 1)
			*to = fc_record(fc_record_tick(*to),
					fc_mark_func(fc_record_mark(*to), left), FC_MARK);
		go_on(redactor, strand, words + at, size, now_tsc);
		to += 1 + left;
	}
	redactor->words.nr = (size_t)(to - redactor->words.at);
}

static void free_strand(struct strand *strand)
{
	fc_given_deinit(&strand->given);
	free(strand->rest);
}

static int redactor_records(struct fc_tap *tap, const struct fc_strand_info *info,
			    const uint64_t *words, size_t nr, uint64_t now_tsc)
{
	struct fc_redactor *redactor = redactor_of(tap);
	struct fc_tap *next = redactor->pass.next;
	pthread_mutex_t *lock = &base_of(redactor)->lock;
	struct strand none = { 0 };
	pthread_mutex_lock(lock);
	struct strand *strand = fc_strands_make(&redactor->strands, info->id) ?: &none;
	strand->pid = info->pid;
	size_t plain = pass_plain(redactor, strand, words, nr, now_tsc);
	if (plain < nr)
		redact_all(redactor, strand, words, nr, plain, now_tsc);
	pthread_mutex_unlock(lock);
	free_strand(&none);
	if (plain == nr)
		return next->records(next, info, words, nr, now_tsc);
	return next->records(next, info, redactor->words.at, redactor->words.nr, now_tsc);
}

static int redactor_strand_end(struct fc_tap *tap, const struct fc_strand_info *info,
			       uint64_t tsc)
{
	struct fc_redactor *redactor = redactor_of(tap);
	struct strand *strand = fc_strands_find(&redactor->strands, info->id);
	if (strand) {
		free_strand(strand);
		fc_strands_drop(&redactor->strands, info->id);
	}
	return redactor->pass.next->strand_end(redactor->pass.next, info, tsc);
}

/* What a dump pours goes past records(), into a tap of its own: through another redactor. */
struct pouring {
	struct fc_redactor *redactor;
	void (*pour)(void *ctx, struct fc_tap *to);
	void *ctx;
};

static void pour_redacted(void *ctx, struct fc_tap *to)
{
	const struct pouring *pouring = ctx;
	struct fc_redactor *own = fc_redactor_create(pouring->redactor->masks, to);
	own->parent = pouring->redactor;
	pouring->pour(pouring->ctx, fc_redactor_tap(own));
	fc_redactor_destroy(own);
}

static int redactor_dump(struct fc_tap *tap, const char *why, bool is_end,
			 void (*pour)(void *ctx, struct fc_tap *to), void *ctx)
{
	struct fc_redactor *redactor = redactor_of(tap);
	struct pouring pouring = { redactor, pour, ctx };
	return redactor->pass.next->dump(redactor->pass.next, why, is_end, pour_redacted,
					 &pouring);
}

struct fc_redactor *fc_redactor_create(const struct fc_masks *masks, struct fc_tap *next)
{
	struct fc_redactor *redactor = fc_alloc(sizeof(*redactor));
	fc_pass_init(&redactor->pass, next);
	redactor->masks = masks;
	pthread_mutex_init(&redactor->lock, NULL);
	redactor->strands.size = sizeof(struct strand);
	redactor->pass.tap.records = redactor_records;
	redactor->pass.tap.strand_end = redactor_strand_end;
	if (next->module)
		redactor->pass.tap.module = redactor_module;
	if (next->dump)
		redactor->pass.tap.dump = redactor_dump;
	return redactor;
}

void fc_redactor_destroy(struct fc_redactor *redactor)
{
	if (!redactor)
		return;
	fc_vec_each (&redactor->tables, table)
		fc_formats_destroy(*table);
	fc_vec_free(&redactor->tables);
	fc_vec_free(&redactor->known);
	struct strand *strand;
	fc_strands_each (&redactor->strands, strand)
		free_strand(strand);
	fc_strands_deinit(&redactor->strands);
	fc_vec_free(&redactor->words);
	pthread_mutex_destroy(&redactor->lock);
	free(redactor);
}

struct fc_tap *fc_redactor_tap(struct fc_redactor *redactor)
{
	return &redactor->pass.tap;
}
