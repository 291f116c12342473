/* SPDX-License-Identifier: Apache-2.0 */
/* location.h - where a parameter is at a function's entry, or a result at its return. */
#ifndef FC_ARCH_LOCATION_H
#define FC_ARCH_LOCATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fc_piece_kind {
	FC_PIECE_INT,	   /* a general register */
	FC_PIECE_VECTOR,   /* a vector register, or what holds a float */
	FC_PIECE_EXTENDED, /* a register of floats that are wider than a double (x87) */
	FC_PIECE_STACK,
};

/* The bytes of a value that one register holds from its low end on, or that lie on the stack. */
struct fc_piece {
	uint8_t kind; /* enum fc_piece_kind */
	uint8_t reg;  /* DWARF's number of the machine; not of FC_PIECE_STACK */
	uint32_t
		size; /* bytes; of FC_PIECE_EXTENDED the first 10 are there, and no others count */
	int32_t off; /* of FC_PIECE_STACK: from the stack pointer at entry */
};

enum { FC_MAX_PIECES = 4 };

/*
 * A value, by its pieces, the lowest bytes first; bytes behind the last one are padding. nr 0: not
 * told where, or nowhere, as what is empty.
 */
struct fc_location {
	uint8_t nr;
	bool is_address; /* the pieces hold the address of the value */
	bool is_absent;	 /* it is not passed, or nobody knows where; nr is 0 */
	bool is_weak;	 /* counts only where the machine's rules tell the same */
	/*
	 * A parameter that is where the machine's rules tell, if it is passed at all: a compiler that
	 * sees that a function does not use it leaves it out of the calls that it compiles.
	 */
	bool is_unsure;
	uint32_t late; /* it is there only behind so many bytes of code */
	struct fc_piece piece[FC_MAX_PIECES];
};

/* What a type is made of, for a machine's rules: its numbers, pointers and floats, one by one. */
enum fc_leaf_kind {
	FC_LEAF_INT, /* also pointers and enums */
	FC_LEAF_FLOAT,
	FC_LEAF_LONG_DOUBLE, /* of 10 bytes in 16 */
	FC_LEAF_VECTOR,
};

/* A bit-field is an integer of 1 byte in each 8 bytes that it has bits of. */
struct fc_leaf {
	uint32_t off, size; /* bytes */
	enum fc_leaf_kind kind;
};

enum { FC_SHAPE_SIZE = 64 }; /* bytes; no machine has more of a value in registers */

/* A type as a machine's rules see it. */
struct fc_shape {
	uint32_t size, align; /* bytes; size 0: void, or an empty struct of C */
	bool is_compound; /* a struct, union or array; no complex number, which has two leaves */
	bool is_by_reference; /* C++: it has a copy constructor or a destructor of its own */
	/* Of more than FC_SHAPE_SIZE bytes there are none. */
	const struct fc_leaf *leaves;
	size_t nr_leaves;
};

/* Where a thread's errno is. */
struct fc_errno_place {
	bool is_known;
	bool is_in_slot; /* off is the vaddr of a word that says where */
	int32_t off;	 /* from the thread's pointer */
};

#endif
