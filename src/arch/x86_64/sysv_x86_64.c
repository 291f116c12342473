/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sysv_x86_64.c - where the System V ABI passes parameters and results.
 *
 * AMD64 supplement, 3.2.3 "Parameter Passing": each eightbyte of a value has a class,
 * and goes where values of that class go, or the whole value goes into memory.
 *
 *   entry   INTEGER  rdi rsi rdx rcx r8 r9     SSE  xmm0 to xmm7     else  8(%rsp) and up
 *   return  INTEGER  rax rdx                   SSE  xmm0 xmm1        X87   st0, COMPLEX_X87 st0 st1
 *           MEMORY   where the hidden first parameter points to; rax holds the same
 */
#include "arch/x86_64/x86_64.h"

#include <string.h>

enum { EIGHTBYTE = 8, MAX_EIGHTBYTES = 8, MAX_SIZE = EIGHTBYTE * MAX_EIGHTBYTES };

enum dwarf_reg {
	DWARF_RAX = 0,
	DWARF_RDX = 1,
	DWARF_RCX = 2,
	DWARF_RSI = 4,
	DWARF_RDI = 5,
	DWARF_R8 = 8,
	DWARF_R9 = 9,
	DWARF_XMM0 = 17,
	DWARF_ST0 = 33,
};

enum eightbyte {
	NO_CLASS,
	INTEGER,
	SSE,
	SSEUP, /* the upper part of the vector register before it */
	X87,
	X87UP,
	MEMORY,
};

/* COMPLEX_X87 is told by its shape: it is a class of no eightbyte. */
struct classes {
	size_t nr;
	enum eightbyte at[MAX_EIGHTBYTES];
};

/* Registers of one class, in order. */
struct regs {
	const uint8_t *at;
	size_t nr, nr_taken;
};

struct places {
	struct regs ints, vectors;
	uint64_t off; /* of the next one on the stack */
};

static const uint8_t int_params[] = { DWARF_RDI, DWARF_RSI, DWARF_RDX,
				      DWARF_RCX, DWARF_R8,  DWARF_R9 };
static const uint8_t int_results[] = { DWARF_RAX, DWARF_RDX };
/* Results have the first two. */
static const uint8_t vectors[] = { DWARF_XMM0,	   DWARF_XMM0 + 1, DWARF_XMM0 + 2,
				   DWARF_XMM0 + 3, DWARF_XMM0 + 4, DWARF_XMM0 + 5,
				   DWARF_XMM0 + 6, DWARF_XMM0 + 7 };

/* ---- classes ---- */

static enum eightbyte merge(enum eightbyte a, enum eightbyte b)
{
	if (a == b || b == NO_CLASS)
		return a;
	if (a == NO_CLASS)
		return b;
	if (a == MEMORY || b == MEMORY)
		return MEMORY;
	if (a == INTEGER || b == INTEGER)
		return INTEGER;
	if (a == X87 || a == X87UP || b == X87 || b == X87UP)
		return MEMORY;
	return SSE;
}

/* The class of a leaf's first eightbyte. Small vectors are integers to gcc and clang. */
static enum eightbyte first_class(const struct fc_leaf *leaf)
{
	switch (leaf->kind) {
	case FC_LEAF_INT:
		break;
	case FC_LEAF_FLOAT:
		return SSE;
	case FC_LEAF_LONG_DOUBLE:
		return X87;
	case FC_LEAF_VECTOR:
		return leaf->size < EIGHTBYTE ? INTEGER : SSE;
	}
	return INTEGER;
}

static enum eightbyte next_class(enum eightbyte first)
{
	return first == SSE ? SSEUP : first == X87 ? X87UP : first;
}

static bool is_unaligned(const struct fc_leaf *leaf)
{
	return leaf->size && leaf->off % leaf->size;
}

static void add_leaf(struct classes *classes, const struct fc_leaf *leaf)
{
	enum eightbyte class = first_class(leaf);
	size_t first = leaf->off / EIGHTBYTE;
	size_t end = ((uint64_t)leaf->off + leaf->size + EIGHTBYTE - 1) / EIGHTBYTE;
	if (is_unaligned(leaf) || end > classes->nr) {
		classes->at[0] = MEMORY;
		return;
	}
	for (size_t i = first; i < end; i++) {
		classes->at[i] = merge(classes->at[i], class);
		class = next_class(class);
	}
}

/* A vector register of more than 16 bytes holds nothing but one vector. */
static bool is_too_large(const struct classes *classes)
{
	if (classes->nr <= 2)
		return false;
	for (size_t i = 1; i < classes->nr; i++)
		if (classes->at[i] != SSEUP)
			return true;
	return classes->at[0] != SSE;
}

/* What is left to be said when all leaves are merged. False: it goes into memory. */
static bool clean_up(struct classes *classes)
{
	for (size_t i = 0; i < classes->nr; i++) {
		enum eightbyte before = i ? classes->at[i - 1] : NO_CLASS;
		if (classes->at[i] == MEMORY || (classes->at[i] == X87UP && before != X87))
			return false;
	}
	if (is_too_large(classes))
		return false;
	for (size_t i = 0; i < classes->nr; i++) {
		enum eightbyte before = i ? classes->at[i - 1] : NO_CLASS;
		if (classes->at[i] == SSEUP && before != SSE && before != SSEUP)
			classes->at[i] = SSE;
	}
	return true;
}

/* False: it goes into memory. */
static bool classify(const struct fc_shape *shape, struct classes *ret)
{
	*ret = (struct classes){ .nr = (shape->size + UINT64_C(7)) / EIGHTBYTE };
	if (shape->size > MAX_SIZE)
		return false;
	for (size_t i = 0; i < shape->nr_leaves; i++)
		add_leaf(ret, &shape->leaves[i]);
	return clean_up(ret);
}

static bool is_complex_x87(const struct fc_shape *shape)
{
	return !shape->is_compound && shape->nr_leaves == 2 &&
	       shape->leaves[0].kind == FC_LEAF_LONG_DOUBLE;
}

/* C++ passes it as if it were not there, and C has it without a byte. */
static bool is_empty(const struct fc_shape *shape)
{
	return !shape->size || (shape->size <= MAX_SIZE && !shape->nr_leaves);
}

/* ---- places ---- */

static void put_piece(struct fc_location *location, enum fc_piece_kind kind, uint8_t reg,
		      uint32_t size)
{
	location->piece[location->nr++] =
		(struct fc_piece){ .kind = kind, .reg = reg, .size = size };
}

/* Register by register. False: there are too few, and none is taken. */
static bool put_in_regs(struct places *places, const struct classes *classes, uint32_t size,
			struct fc_location *ret)
{
	struct places now = *places;
	bool has_hole = false;
	for (size_t i = 0; i < classes->nr; i++) {
		enum eightbyte class = classes->at[i];
		uint32_t left = size - (uint32_t)i * EIGHTBYTE;
		uint32_t its = left < EIGHTBYTE ? left : EIGHTBYTE;
		struct regs *regs = class == INTEGER ? &now.ints : &now.vectors;
		if (class == SSEUP) {
			ret->piece[ret->nr - 1].size += its;
			continue;
		}
		if (class == NO_CLASS) { /* nothing but padding */
			has_hole = true;
			continue;
		}
		if (regs->nr_taken == regs->nr) {
			ret->nr = 0;
			return false;
		}
		put_piece(ret, class == INTEGER ? FC_PIECE_INT : FC_PIECE_VECTOR,
			  regs->at[regs->nr_taken++], its);
		if (has_hole) /* which no location can tell of */
			ret->nr = 0;
	}
	*places = now;
	return true;
}

static void put_on_stack(struct places *places, uint32_t size, uint32_t align,
			 struct fc_location *ret)
{
	if (align < EIGHTBYTE)
		align = EIGHTBYTE;
	uint64_t off = (places->off + align - 1) & -(uint64_t)align;
	places->off = (off + size + EIGHTBYTE - 1) & -(uint64_t)EIGHTBYTE;
	/* The return address is below the first one. */
	if (places->off > INT32_MAX - EIGHTBYTE)
		return;
	put_piece(ret, FC_PIECE_STACK, 0, size);
	ret->piece[0].off = (int32_t)off + EIGHTBYTE;
}

/* An address is passed as any other integer. */
static void put_address(struct places *places, struct fc_location *ret)
{
	struct classes integer = { 1, { INTEGER } };
	ret->is_address = true;
	if (!put_in_regs(places, &integer, EIGHTBYTE, ret))
		put_on_stack(places, EIGHTBYTE, EIGHTBYTE, ret);
}

static bool is_x87(const struct classes *classes)
{
	return classes->at[0] == X87;
}

static void locate_param(struct places *places, const struct fc_shape *shape,
			 struct fc_location *ret)
{
	struct classes classes;
	*ret = (struct fc_location){ 0 };
	if (shape->is_by_reference)
		put_address(places, ret);
	else if (!is_empty(shape) && (!classify(shape, &classes) || is_x87(&classes) ||
				      !put_in_regs(places, &classes, shape->size, ret)))
		put_on_stack(places, shape->size, shape->align, ret);
}

/* Is it where the caller says? */
static bool is_result_in_memory(const struct fc_shape *shape)
{
	struct classes classes;
	if (shape->is_by_reference)
		return true;
	return !is_empty(shape) && !is_complex_x87(shape) && !classify(shape, &classes);
}

static void locate_result(const struct fc_shape *shape, struct fc_location *ret)
{
	struct places places = { .ints = { int_results, 2 }, .vectors = { vectors, 2 } };
	struct classes classes;
	*ret = (struct fc_location){ 0 };
	if (is_result_in_memory(shape)) {
		put_address(&places, ret);
	} else if (is_complex_x87(shape)) {
		put_piece(ret, FC_PIECE_EXTENDED, DWARF_ST0, shape->size / 2);
		put_piece(ret, FC_PIECE_EXTENDED, DWARF_ST0 + 1, shape->size / 2);
	} else if (!is_empty(shape) && classify(shape, &classes)) {
		if (is_x87(&classes))
			put_piece(ret, FC_PIECE_EXTENDED, DWARF_ST0, shape->size);
		else
			put_in_regs(&places, &classes, shape->size, ret);
	}
}

void locate_x86_64(const struct fc_shape *result, const struct fc_shape *params, size_t nr,
		   struct fc_location *ret_result, struct fc_location *ret_params)
{
	struct places places = {
		.ints = { int_params, sizeof(int_params), is_result_in_memory(result) },
		.vectors = { vectors, sizeof(vectors) },
	};
	locate_result(result, ret_result);
	for (size_t i = 0; i < nr; i++)
		locate_param(&places, &params[i], &ret_params[i]);
}

/* Those that a stub and a door save, and those that hold arguments and results. */
bool can_fetch_x86_64(const struct fc_piece *piece)
{
	enum { RBX = 3, RBP = 6, RSP = 7, R11 = 11, XMM0 = 17, XMM7 = 24 };
	switch ((enum fc_piece_kind)piece->kind) {
	case FC_PIECE_INT:
		return piece->size <= 8 && piece->reg <= R11 && piece->reg != RBX &&
		       piece->reg != RBP && piece->reg != RSP;
	case FC_PIECE_VECTOR:
		return piece->reg >= XMM0 && piece->reg <= XMM7;
	case FC_PIECE_EXTENDED:
		return piece->reg == DWARF_ST0 || piece->reg == DWARF_ST0 + 1;
	case FC_PIECE_STACK:
		return true;
	}
	return false;
}

bool named_x86_64(const char *name, struct fc_piece *ret)
{
	static const struct {
		const char *name;
		uint8_t reg;
	} ints[] = {
		{ "rdi", DWARF_RDI }, { "rsi", DWARF_RSI },    { "rdx", DWARF_RDX },
		{ "rcx", DWARF_RCX }, { "r8", DWARF_R8 },      { "r9", DWARF_R9 },
		{ "rax", DWARF_RAX }, { "r10", DWARF_R8 + 2 }, { "r11", DWARF_R8 + 3 },
	};
	for (size_t i = 0; i < sizeof(ints) / sizeof(ints[0]); i++)
		if (!strcmp(name, ints[i].name)) {
			*ret = (struct fc_piece){ .kind = FC_PIECE_INT, .reg = ints[i].reg };
			return true;
		}
	bool is_vector =
		!strncmp(name, "xmm", 3) && name[3] >= '0' && name[3] <= '7' && !name[4];
	if (is_vector)
		*ret = (struct fc_piece){ .kind = FC_PIECE_VECTOR,
					  .reg = (uint8_t)(DWARF_XMM0 + name[3] - '0') };
	return is_vector;
}
