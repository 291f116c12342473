/* SPDX-License-Identifier: Apache-2.0 */
/*
 * atentry.c - decides where a parameter is at the function's entry.
 *
 * A list of places is exact: the entry that covers the first instruction tells where the parameter
 * is then. One place for all of the function may also be where the function puts it first of all,
 * as without optimisation, or (GCC, what takes several registers) somewhere behind. Of these, only
 * one register that passes values is believed, where the unit has lists, too (without them, as with
 * -fno-var-tracking, it is any register); and what lies in the frame of the caller.
 */
#include "dwarf/atentry.h"

#include <dwarf.h>
#include <stdlib.h>

#include "arch/arch.h"

enum {
	PLACES = 4,   /* that a list may tell for one address */
	ROWS = 1000,  /* of a list, or about frames, that are looked at */
	LATEST = 4096 /* bytes of code before a place that is worth to be told */
};

void fc_entry_find_base(Dwarf_Die *function, struct fc_entry *entry)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t nr;

	entry->has_cfa = false;
	entry->base = -1;
	if (!dwarf_attr_integrate(function, DW_AT_frame_base, &attr) ||
	    dwarf_getlocation_addr(&attr, entry->vaddr, &ops, &nr, 1) != 1 || nr != 1)
		return;
	entry->has_cfa = ops[0].atom == DW_OP_call_frame_cfa;
	if (ops[0].atom >= DW_OP_reg0 && ops[0].atom <= DW_OP_reg31)
		entry->base = ops[0].atom - DW_OP_reg0;
}

/* ---- one piece ---- */

static bool is_kept(const struct fc_entry *entry, uint64_t reg)
{
	return reg < 32 && entry->frame->kept >> reg & 1;
}

static enum fc_atentry in_register(const struct fc_entry *entry, uint64_t reg, bool is_list,
				   struct fc_piece *ret)
{
	const struct fc_call_frame *frame = entry->frame;
	bool is_int = reg < frame->nr_ints && reg != frame->sp;
	bool is_vector =
		reg >= frame->first_vector && reg - frame->first_vector < frame->nr_vectors;

	if (!is_int && !is_vector)
		return FC_ATENTRY_NOWHERE;
	if (!is_list && (!entry->is_tracked || (is_int && is_kept(entry, reg))))
		return FC_ATENTRY_MOVED;
	*ret = (struct fc_piece){ .kind = is_int ? FC_PIECE_INT : FC_PIECE_VECTOR,
				  .reg = (uint8_t)reg };
	return FC_ATENTRY_GIVEN;
}

/* From the CFA on: below it is the frame of the function, which there is none of at entry. */
static enum fc_atentry above_cfa(const struct fc_entry *entry, int64_t off,
				 struct fc_piece *ret)
{
	if (off < 0)
		return FC_ATENTRY_HOME;
	if (off > INT32_MAX / 2)
		return FC_ATENTRY_NOWHERE;
	*ret = (struct fc_piece){ .kind = FC_PIECE_STACK,
				  .off = (int32_t)off + entry->frame->cfa_off };
	return FC_ATENTRY_GIVEN;
}

static enum fc_atentry above_sp(const struct fc_entry *entry, int64_t off, bool is_list,
				struct fc_piece *ret)
{
	if (!is_list || !entry->is_by_gcc)
		return FC_ATENTRY_HOME;
	return above_cfa(entry, (int64_t)((uint64_t)off - (uint64_t)entry->frame->cfa_off),
			 ret);
}

/* A value in memory that a register points to. */
static enum fc_atentry behind(const struct fc_entry *entry, uint64_t reg, int64_t off,
			      bool is_list, struct fc_location *loc)
{
	struct fc_piece *piece = &loc->piece[loc->nr];

	if (reg == entry->frame->sp)
		return above_sp(entry, off, is_list, piece);
	if (is_kept(entry, reg)) /* a frame pointer, most often */
		return FC_ATENTRY_HOME;
	if (off || loc->nr)
		return FC_ATENTRY_NOWHERE;
	loc->is_address = true;
	return in_register(entry, reg, is_list, piece);
}

static enum fc_atentry one_piece(const struct fc_entry *entry, const Dwarf_Op *op, bool is_list,
				 struct fc_location *loc)
{
	struct fc_piece *piece = &loc->piece[loc->nr];

	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31)
		return in_register(entry, op->atom - DW_OP_reg0, is_list, piece);
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
		return behind(entry, op->atom - DW_OP_breg0, (int64_t)op->number, is_list, loc);
	switch (op->atom) {
	case DW_OP_regx:
		return in_register(entry, op->number, is_list, piece);
	case DW_OP_call_frame_cfa:
		return above_cfa(entry, 0, piece);
	case DW_OP_fbreg:
		return entry->has_cfa ? above_cfa(entry, (int64_t)op->number, piece)
				      : FC_ATENTRY_HOME;
	default:
		return FC_ATENTRY_NOWHERE;
	}
}

/* ---- all ---- */

static bool is_row_of_pieces(const Dwarf_Op *ops, size_t nr)
{
	for (size_t i = 1; i < nr; i += 2)
		if (ops[i].atom != DW_OP_piece || ops[i].number > 1 << 20)
			return false;
	return nr % 2 == 0 && nr / 2 <= FC_MAX_PIECES;
}

/* LLVM tells a bool as the low bits of a register, by a chain of conversions. */
static bool is_converted(const Dwarf_Op *ops, size_t nr)
{
	bool has_convert = false;

	if (nr < 3 || ops[0].atom < DW_OP_breg0 || ops[0].atom > DW_OP_breg31 ||
	    ops[0].number || ops[nr - 1].atom != DW_OP_stack_value)
		return false;
	for (size_t i = 1; i + 1 < nr; i++) {
		bool is_mask = ops[i].atom == DW_OP_constu && ops[i + 1].atom == DW_OP_and;
		bool is_convert = ops[i].atom == DW_OP_convert;
		has_convert |= is_convert;
		if (!is_convert && !is_mask && ops[i].atom != DW_OP_and)
			return false;
	}
	return has_convert;
}

static enum fc_atentry read_ops(const struct fc_entry *entry, const Dwarf_Op *ops, size_t nr,
				bool is_list, struct fc_location *loc)
{
	enum fc_atentry is_at;

	if (!nr)
		return FC_ATENTRY_NOWHERE;
	/* "The address of the value lies there": a home, of what is passed by reference. */
	if (nr == 2 && ops[0].atom == DW_OP_fbreg && ops[1].atom == DW_OP_deref)
		return is_list ? FC_ATENTRY_HOME : FC_ATENTRY_BY_ADDRESS;
	if (is_converted(ops, nr)) {
		is_at = in_register(entry, ops[0].atom - DW_OP_breg0, is_list, &loc->piece[0]);
		loc->nr = 1;
		return is_at;
	}
	if (nr == 1) {
		is_at = one_piece(entry, &ops[0], is_list, loc);
		loc->nr = 1;
		return is_at;
	}
	if (!is_row_of_pieces(ops, nr))
		return FC_ATENTRY_NOWHERE;
	if (!is_list && nr > 2)
		return FC_ATENTRY_HOME;
	for (size_t i = 0; i < nr; i += 2) {
		is_at = one_piece(entry, &ops[i], is_list, loc);
		if (is_at != FC_ATENTRY_GIVEN || loc->is_address)
			return is_at == FC_ATENTRY_GIVEN ? FC_ATENTRY_NOWHERE : is_at;
		loc->piece[loc->nr++].size = (uint32_t)ops[i + 1].number;
	}
	return FC_ATENTRY_GIVEN;
}

static bool is_list(Dwarf_Attribute *attr)
{
	switch (dwarf_whatform(attr)) {
	case DW_FORM_exprloc:
	case DW_FORM_block:
	case DW_FORM_block1:
	case DW_FORM_block2:
	case DW_FORM_block4:
		return false;
	}
	return true;
}

bool fc_entry_has_list(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	return dwarf_attr(die, DW_AT_location, &attr) && is_list(&attr);
}

/* ---- later ---- */

/* The row about the frame that holds for most of the function's code: not at its ends. */
static bool find_body(const struct fc_entry *entry, uint64_t *ret)
{
	uint64_t most = 0, at = entry->vaddr;

	for (int i = 0; i < ROWS && at < entry->end; i++) {
		Dwarf_Frame *frame;
		Dwarf_Addr begin, end;
		if (dwarf_cfi_addrframe(entry->cfi, at, &frame))
			break;
		bool is_row = dwarf_frame_info(frame, &begin, &end, NULL) >= 0 && end > at;
		free(frame);
		if (!is_row)
			break;
		if (end - at > most) {
			most = end - at;
			*ret = at;
		}
		at = end;
	}
	return most;
}

/* How far from the CFA reg is at vaddr. */
static bool find_cfa(const struct fc_entry *entry, uint64_t vaddr, uint64_t reg, int64_t *ret)
{
	Dwarf_Frame *frame;
	Dwarf_Op *ops;
	size_t nr;

	if (!entry->cfi || dwarf_cfi_addrframe(entry->cfi, vaddr, &frame))
		return false;
	bool is_told = !dwarf_frame_cfa(frame, &ops, &nr) && nr == 1 &&
		       ops[0].atom == DW_OP_bregx && ops[0].number == reg;
	if (is_told)
		*ret = (int64_t)ops[0].number2;
	free(frame);
	return is_told;
}

/* What lies in the frame of the caller when the function is at vaddr lay there before. */
static bool read_in_callers(const struct fc_entry *entry, const Dwarf_Op *ops, size_t nr,
			    uint64_t vaddr, struct fc_location *ret)
{
	bool is_base = nr == 1 && ops[0].atom == DW_OP_fbreg && entry->base >= 0;
	bool is_reg = nr == 1 && ops[0].atom >= DW_OP_breg0 && ops[0].atom <= DW_OP_breg31;
	int64_t cfa, off;

	if (!is_base && !is_reg)
		return false;
	uint64_t reg = is_base ? (uint64_t)entry->base : ops[0].atom - (uint64_t)DW_OP_breg0;
	if (!find_cfa(entry, vaddr, reg, &cfa) ||
	    __builtin_sub_overflow((int64_t)ops[0].number, cfa, &off) || off < 0)
		return false;
	*ret = (struct fc_location){ .nr = 1 };
	return above_cfa(entry, off, &ret->piece[0]) == FC_ATENTRY_GIVEN;
}

/* The first place of a list, as it is told for an address behind the entry. */
static enum fc_atentry read_later(const struct fc_entry *entry, Dwarf_Attribute *attr,
				  struct fc_location *ret)
{
	Dwarf_Addr base, begin, end, first = UINT64_MAX;
	Dwarf_Op *ops, *its = NULL;
	size_t nr, its_nr = 0;
	ptrdiff_t at = 0;

	for (int i = 0; i < ROWS; i++) {
		at = dwarf_getlocations(attr, at, &base, &begin, &end, &ops, &nr);
		if (at <= 0)
			break;
		if (begin > entry->vaddr && begin < first && begin < end) {
			first = begin;
			its = ops;
			its_nr = nr;
		}
	}
	if (!its || first - entry->vaddr > LATEST)
		return FC_ATENTRY_NOWHERE;
	struct fc_location loc = { 0 };
	if (!read_in_callers(entry, its, its_nr, first, &loc)) {
		loc = (struct fc_location){ 0 };
		if (read_ops(entry, its, its_nr, true, &loc) != FC_ATENTRY_GIVEN)
			return FC_ATENTRY_NOWHERE;
		loc.late = (uint32_t)(first - entry->vaddr);
	}
	*ret = loc;
	return FC_ATENTRY_LATE;
}

enum fc_atentry fc_atentry_of(const struct fc_entry *entry, Dwarf_Die *param,
			      struct fc_location *ret, bool *is_all)
{
	struct fc_location loc = { 0 };
	Dwarf_Attribute attr;
	Dwarf_Op *ops[PLACES];
	size_t sizes[PLACES];
	uint64_t body;

	*ret = loc;
	*is_all = false;
	if (!dwarf_attr(param, DW_AT_location, &attr))
		return FC_ATENTRY_NOWHERE;
	*is_all = !is_list(&attr);
	if (dwarf_getlocation_addr(&attr, entry->vaddr, ops, sizes, PLACES) < 1)
		return *is_all ? FC_ATENTRY_NOWHERE : read_later(entry, &attr, ret);
	enum fc_atentry is_at = read_ops(entry, ops[0], sizes[0], !*is_all, &loc);
	if (is_at == FC_ATENTRY_GIVEN) {
		*ret = loc;
		ret->is_weak = *is_all && loc.piece[0].kind == FC_PIECE_STACK &&
			       !(entry->is_by_gcc && entry->is_tracked);
	} else if (is_at == FC_ATENTRY_HOME && entry->cfi && find_body(entry, &body) &&
		   read_in_callers(entry, ops[0], sizes[0], body, &loc)) {
		*ret = loc;
		ret->is_weak = true;
	}
	return is_at;
}
