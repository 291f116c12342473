/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stack.c - makes entries and exits that uftrace lost or left out, by the depths it recorded.
 */
#include "read/import/stack.h"

#include <stdlib.h>

#include "trace/effect.h"

#define WORDS_MAX 4096
#define OPENS_MAX 65536 /* more than uftrace records (--max-stack) */
#define SPAN_NS	  (1ull << (FC_RECORD_TICK_BITS - 1))

void fc_uf_strand_begin(struct fc_uf_strand *s, struct fc_tap *tap,
			const struct fc_strand_info *info, uint64_t ns)
{
	s->tap = tap;
	s->info = *info;
	s->opens.nr = 0;
	s->words.nr = 0;
	s->lost = 0;
	s->last_ns = ns > s->last_ns ? ns : s->last_ns;
}

void fc_uf_strand_deinit(struct fc_uf_strand *s)
{
	fc_vec_free(&s->opens);
	fc_vec_free(&s->words);
}

int fc_uf_strand_flush(struct fc_uf_strand *s)
{
	size_t nr = s->words.nr;

	s->words.nr = 0;
	return nr ? s->tap->records(s->tap, &s->info, s->words.at, nr, s->last_ns) : 0;
}

/* The open calls as the record leaves them; one that it enters is this deep. */
static void step(struct fc_uf_strand *s, const struct fc_event *event, uint32_t depth)
{
	struct fc_effect effect = fc_effect_of(event, s->opens.nr);

	s->opens.nr = effect.stay;
	if (effect.entered == FC_ENTERED_CALL)
		fc_vec_push(&s->opens, (struct fc_uf_frame){ event->func, depth });
}

/* A record at ns, or at the last one's time when it is told to be earlier. */
static int put_word(struct fc_uf_strand *s, enum fc_kind kind, uint32_t func, uint64_t ns)
{
	int err = 0;

	if (s->words.nr >= WORDS_MAX || (s->words.nr && ns > s->first_ns + SPAN_NS))
		err = fc_uf_strand_flush(s);
	s->last_ns = ns > s->last_ns ? ns : s->last_ns;
	if (!s->words.nr)
		s->first_ns = s->last_ns;
	fc_vec_push(&s->words, fc_record(s->last_ns, func, kind));
	return err;
}

static int put_record(struct fc_uf_strand *s, enum fc_kind kind, uint32_t func, uint64_t ns)
{
	step(s, &(struct fc_event){ .kind = kind, .func = func }, 0);
	return put_word(s, kind, func, ns);
}

static int put_entry(struct fc_uf_strand *s, const struct fc_uf_frame *frame, uint64_t ns)
{
	step(s, &(struct fc_event){ .kind = FC_ENTRY, .func = frame->func }, frame->depth);
	return put_word(s, FC_ENTRY, frame->func, ns);
}

static int put_mark(struct fc_uf_strand *s, enum fc_mark mark, const uint64_t *words,
		    uint8_t nr, uint64_t ns)
{
	struct fc_event event = {
		.kind = FC_MARK, .mark = (uint8_t)mark, .words = words, .nr_words = nr
	};
	int err = put_word(s, FC_MARK, fc_mark_func(mark, nr), ns);

	step(s, &event, 0);
	for (uint32_t i = 0; i < nr; i++)
		fc_vec_push(&s->words, words[i]);
	return err;
}

/* The depth that a record's ten bits stand for, near that of the innermost open call. */
static uint32_t depth_of(const struct fc_uf_strand *s, uint16_t bits)
{
	enum { ALL = 1 << FC_UF_DEPTH_BITS };
	uint32_t near = s->opens.nr ? s->opens.at[s->opens.nr - 1].depth : 0;
	uint32_t deeper = (bits - near) & (ALL - 1);

	if (deeper < ALL / 2 || near < ALL - deeper)
		return near + deeper;
	return near - (ALL - deeper);
}

/* How many open calls are less deep. */
static size_t nr_above(const struct fc_uf_strand *s, uint32_t depth)
{
	size_t nr = s->opens.nr;

	while (nr && s->opens.at[nr - 1].depth >= depth)
		nr--;
	return nr;
}

/* Leave the open calls beyond nr: without a return, or because records of them are lost. */
static int leave_to(struct fc_uf_strand *s, size_t nr, uint64_t ns)
{
	int err = 0;

	if (s->lost)
		err = put_mark(s, FC_MARK_LOST, (uint64_t[]){ s->lost, nr + 1 }, 2, ns);
	else if (nr < s->opens.nr)
		err = put_record(s, FC_POP, (uint32_t)nr, ns);
	s->lost = 0;
	return err;
}

int fc_uf_strand_enter_cpu(struct fc_uf_strand *s, uint64_t ns)
{
	if (!s->opens.nr || s->opens.at[s->opens.nr - 1].depth != FC_UF_OFF_CPU)
		return 0;
	return put_record(s, FC_EXIT, s->opens.at[s->opens.nr - 1].func, ns);
}

int fc_uf_strand_leave_cpu(struct fc_uf_strand *s, uint32_t func, uint64_t ns)
{
	if (!s->opens.nr || s->opens.at[s->opens.nr - 1].depth == FC_UF_OFF_CPU)
		return 0;
	return put_entry(s, &(struct fc_uf_frame){ func, FC_UF_OFF_CPU }, ns);
}

static int enter(struct fc_uf_strand *s, uint32_t func, uint32_t depth, uint64_t ns)
{
	int err = leave_to(s, nr_above(s, depth), ns);

	if (s->opens.nr >= OPENS_MAX) {
		s->nr_unmatched++;
		return err;
	}
	return err ? err : put_entry(s, &(struct fc_uf_frame){ func, depth }, ns);
}

static int leave(struct fc_uf_strand *s, uint32_t func, uint32_t depth, uint64_t ns)
{
	size_t nr = nr_above(s, depth);
	bool is_open = nr < s->opens.nr && s->opens.at[nr].func == func;
	int err = leave_to(s, nr + is_open, ns);

	if (!is_open) {
		/* A second return of setjmp(), or its call was lost. */
		s->nr_unmatched++;
		return err;
	}
	return err ? err : put_record(s, FC_EXIT, func, ns);
}

int fc_uf_strand_add(struct fc_uf_strand *s, const struct fc_uf_record *record, uint32_t func)
{
	if (record->type == FC_UF_LOST) {
		s->lost += record->addr;
		s->nr_lost += record->addr;
		return 0;
	}
	s->nr_disorder += record->ns < s->last_ns;
	int err = fc_uf_strand_enter_cpu(s, record->ns);
	if (err)
		return err;
	uint32_t depth = depth_of(s, record->depth);
	return record->type == FC_UF_ENTRY ? enter(s, func, depth, record->ns)
					   : leave(s, func, depth, record->ns);
}

int fc_uf_strand_inherit(struct fc_uf_strand *s, int parent, const struct fc_uf_frame *frames,
			 size_t nr, uint64_t ns)
{
	int err = parent ? put_mark(s, FC_MARK_FORK, (uint64_t[]){ (uint64_t)parent, nr + 1 },
				    2, ns)
			 : put_mark(s, FC_MARK_RESUME, (uint64_t[]){ 0, nr + 1, 0 }, 3, ns);

	for (size_t i = 0; i < nr && !err; i++)
		err = put_entry(s, &frames[i], ns);
	return err;
}

int fc_uf_strand_end(struct fc_uf_strand *s, uint64_t ns)
{
	uint64_t end_ns = ns > s->last_ns ? ns : s->last_ns;
	int err = s->lost ? leave_to(s, 0, end_ns) : 0;

	if (!err)
		err = fc_uf_strand_flush(s);
	s->opens.nr = 0;
	s->last_ns = end_ns;
	return err ? err : s->tap->strand_end(s->tap, &s->info, end_ns);
}
