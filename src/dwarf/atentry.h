/* SPDX-License-Identifier: Apache-2.0 */
/* atentry.h - where a parameter is at its function's entry, as debug information tells. */
#ifndef FC_DWARF_ATENTRY_H
#define FC_DWARF_ATENTRY_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "arch/location.h"

struct fc_call_frame;

enum fc_atentry {
	FC_ATENTRY_NOWHERE, /* it is not passed, or cannot be told then */
	FC_ATENTRY_GIVEN,
	FC_ATENTRY_HOME,       /* only where it is put later, when the function has begun */
	FC_ATENTRY_MOVED,      /* the same, in a register */
	FC_ATENTRY_BY_ADDRESS, /* as HOME; and what is put there is its address */
	FC_ATENTRY_LATE,       /* as NOWHERE; a little later it is there, as its place tells */
};

struct fc_entry {
	uint64_t vaddr, end;		   /* of its code */
	const struct fc_call_frame *frame; /* of the machine */
	bool has_cfa;	 /* what the function's locations are relative to is the CFA */
	bool is_by_gcc;	 /* what is relative to the stack pointer is so at entry, too: of GCC */
	bool is_tracked; /* the unit follows variables from place to place, as with lists */
	bool is_optimised;  /* what nobody uses may not be passed */
	bool has_own_rules; /* its unit says that it does not keep to the ABI */
	bool is_of_c;	    /* which the ABI has pass by value all that is no pointer */
	bool is_fortran;    /* what lies at an address that is passed is the parameter */
	bool is_remade;	    /* a copy that the compiler has made with other parameters */
	bool is_global; /* it can be called by what the compiler does not see: it keeps to the ABI */
	int base;	/* the register that the function's places are relative to; -1: none */
	Dwarf_CFI *cfi; /* where the frames of functions are; NULL: not told */
};

/* What function tells its places relative to at vaddr: entry->has_cfa, base. */
void fc_entry_find_base(Dwarf_Die *function, struct fc_entry *entry);

/* Does a parameter or variable have a list of places? */
bool fc_entry_has_list(Dwarf_Die *die);

/*
 * The size of a value in one place is not told: it is 0. *is_all: the place is said to be that for
 * all of the function.
 */
enum fc_atentry fc_atentry_of(const struct fc_entry *entry, Dwarf_Die *param,
			      struct fc_location *ret, bool *is_all);

#endif
