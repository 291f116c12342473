/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A list of places is exact: the entry that covers the first instruction tells where the parameter
 * is then. One place for all of the function may also be where the function puts it first of all,
 * as without optimisation, or (GCC, what takes several registers) somewhere behind. Of these, only
 * one register that passes values is believed, where the unit has lists, too (without them, as with
 * -fno-var-tracking, it is any register); and what lies in the frame of the caller.
 */
#include "dwarf/atentry.h"

#include <dwarf.h>

#include "arch/arch.h"

enum { PLACES = 4 /* that a list may tell for one address */ };

bool fc_entry_has_cfa(Dwarf_Die *function, uint64_t vaddr)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t nr;

	return dwarf_attr_integrate(function, DW_AT_frame_base, &attr) &&
	       dwarf_getlocation_addr(&attr, vaddr, &ops, &nr, 1) == 1 && nr == 1 &&
	       ops[0].atom == DW_OP_call_frame_cfa;
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

enum fc_atentry fc_atentry_of(const struct fc_entry *entry, Dwarf_Die *param,
			      struct fc_location *ret, bool *is_all)
{
	struct fc_location loc = { 0 };
	Dwarf_Attribute attr;
	Dwarf_Op *ops[PLACES];
	size_t sizes[PLACES];

	*ret = loc;
	*is_all = false;
	if (!dwarf_attr(param, DW_AT_location, &attr) ||
	    dwarf_getlocation_addr(&attr, entry->vaddr, ops, sizes, PLACES) < 1)
		return FC_ATENTRY_NOWHERE;
	*is_all = !is_list(&attr);
	enum fc_atentry is_at = read_ops(entry, ops[0], sizes[0], !*is_all, &loc);
	if (is_at == FC_ATENTRY_GIVEN)
		*ret = loc;
	return is_at;
}
