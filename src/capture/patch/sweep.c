/* SPDX-License-Identifier: Apache-2.0 */
/*
 *   code     |---------|---------|---------|
 *   pieces   |-------->
 *                   ~~~~|-------->           begins before its own bytes
 *                             ~~~~|-------->
 *
 * Where an instruction begins is known of the first byte only. But decoding that began wrong
 * soon goes right: so each piece begins a little before its own bytes, and afterwards it is
 * seen whether it came to them where, and as, the piece before has ended. If not, it is decoded
 * anew from there.
 */
#include "capture/patch/sweep.h"

#include <stdlib.h>

#include "base/crew.h"
#include "base/memory.h"

enum { LEAD_IN = 512, WORD = 64 };

/* Between two instructions. */
struct place {
	uint64_t vaddr;
	bool is_fresh; /* nothing falls through to it */
};

struct piece {
	uint64_t from, to;
	struct place begin, end; /* the first at or behind from, and to */
	FC_VEC(uint64_t) tables;
	size_t nr_elsewhere;
};

struct sweep {
	const struct fc_arch *arch;
	const uint8_t *code;
	uint64_t from, to;
	struct fc_progress *progress;
	struct fc_swept *swept;
	struct piece *pieces;
	size_t nr;
};

static const uint8_t *code_at(const struct sweep *s, uint64_t vaddr)
{
	return s->code + (vaddr - s->from);
}

static enum fc_insn_kind look(const struct sweep *s, struct place place, size_t *len,
			      uint64_t *table)
{
	const uint8_t *at = code_at(s, place.vaddr);
	*len = 1;
	*table = 0;
	/* Free Pascal fills with zeros, which would be instructions. */
	return place.is_fresh && !*at
		       ? FC_INSN_FILLER
		       : s->arch->code->insn_kind(at, s->to - place.vaddr, len, table);
}

/* Filler changes nothing: what was over before it is over behind it. */
static struct place behind(struct place place, enum fc_insn_kind kind, size_t len)
{
	bool is_fresh = kind == FC_INSN_FILLER ? place.is_fresh : kind == FC_INSN_END;
	return (struct place){ place.vaddr + len, is_fresh };
}

static void note(struct sweep *s, struct piece *piece, struct place place,
		 enum fc_insn_kind kind, uint64_t table)
{
	if (kind == FC_INSN_NONE)
		return;
	fc_targets_add(&s->swept->insns, place.vaddr);
	if (place.is_fresh)
		fc_targets_add(&s->swept->fresh, place.vaddr);
	if (kind == FC_INSN_PLAIN &&
	    s->arch->code->returns_elsewhere(code_at(s, place.vaddr), s->to - place.vaddr))
		piece->nr_elsewhere++;
	if (table)
		fc_vec_push(&piece->tables, table);
}

static void decode(struct sweep *s, struct piece *piece, struct place place)
{
	while (place.vaddr < piece->to) {
		size_t len;
		uint64_t table;
		enum fc_insn_kind kind = look(s, place, &len, &table);
		note(s, piece, place, kind, table);
		place = behind(place, kind, len);
	}
	piece->end = place;
}

static void sweep_piece(void *ctx, size_t i)
{
	struct sweep *s = ctx;
	struct piece *piece = &s->pieces[i];
	uint64_t back = piece->from - s->from;
	if (fc_progress_is_over(s->progress))
		return;
	struct place place = { piece->from - (back < LEAD_IN ? back : LEAD_IN), !i };
	while (place.vaddr < piece->from) {
		size_t len;
		uint64_t table;
		enum fc_insn_kind kind = look(s, place, &len, &table);
		place = behind(place, kind, len);
	}
	piece->begin = place;
	decode(s, piece, place);
	fc_progress_did(s->progress, (piece->to - piece->from) * FC_SWEEP_COST);
}

static void clear(struct fc_targets *targets, uint64_t from, uint64_t to)
{
	for (uint64_t vaddr = from; vaddr < to; vaddr++) {
		uint64_t off = vaddr - targets->vaddr;
		targets->bits[off / WORD] &= ~(1ull << off % WORD);
	}
}

static void sweep_again(struct sweep *s, struct piece *piece, struct place begin)
{
	clear(&s->swept->insns, piece->from, piece->to);
	clear(&s->swept->fresh, piece->from, piece->to);
	piece->tables.nr = 0;
	piece->nr_elsewhere = 0;
	piece->begin = begin;
	decode(s, piece, begin);
}

/* Pieces begin where words of the bit sets do: no two threads write one word. */
static void cut(struct sweep *s, size_t piece_size)
{
	uint64_t base = s->swept->insns.vaddr;
	size_t room = (s->to - s->from) / piece_size + 2; /* the first may be short, the last */
	s->pieces = fc_alloc(room * sizeof(*s->pieces));
	for (uint64_t at = s->from; at < s->to;) {
		uint64_t off = (at - base + piece_size) / WORD * WORD;
		uint64_t end = base + off < s->to ? base + off : s->to;
		s->pieces[s->nr++] = (struct piece){ .from = at, .to = end };
		at = end;
	}
}

static void join(struct sweep *s, struct piece *piece)
{
	s->swept->nr_elsewhere += piece->nr_elsewhere;
	fc_vec_each (&piece->tables, table)
		fc_vec_push(&s->swept->tables, *table);
	fc_vec_free(&piece->tables);
}

void fc_sweep(const struct fc_arch *arch, const uint8_t *code, uint64_t from, uint64_t to,
	      size_t piece_size, struct fc_progress *progress, struct fc_swept *swept)
{
	struct sweep s = { arch, code, from, to, progress, swept };
	cut(&s, (piece_size + WORD - 1) / WORD * WORD);
	fc_crew_each(s.nr, sweep_piece, &s);
	for (size_t i = 0; i < s.nr; i++) {
		struct piece *piece = &s.pieces[i];
		const struct place *before = i ? &piece[-1].end : &piece->begin;
		bool is_right = before->vaddr == piece->begin.vaddr &&
				before->is_fresh == piece->begin.is_fresh;
		if (!is_right && !fc_progress_did(progress, 0))
			sweep_again(&s, piece, *before);
		join(&s, piece);
	}
	free(s.pieces);
}
