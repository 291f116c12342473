/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sequence.h - strings and lists of C++ and Rust, as their structs are laid out: where the pointer to
 * the items is, and what says how many there are.
 */
#ifndef FC_VALUES_SEQUENCE_H
#define FC_VALUES_SEQUENCE_H

#include "values/types.h"

/* How many are followed within each other, beside what the user asks for. */
enum { FC_SEQUENCES_DEEP = 2 };

struct fc_sequence {
	const char *name;  /* "vector"; NULL: it is a text */
	uint32_t pointer;  /* type of one to the items */
	uint32_t item;	   /* type of these */
	uint32_t size;	   /* bytes of an item */
	uint32_t at;	   /* byte of the struct where the pointer to the items is */
	uint32_t count_at; /* where the word is that says how many */
	bool is_end;	   /* that is the address where they end */
};

/*
 * Is it one? By its name, and only if it has the members that it has to have; so a type of the same
 * name that is laid out in another way is none. Of Rust's Vec the member "T" tells of what it is.
 */
bool fc_sequence_find(const struct fc_types *types, uint32_t type, struct fc_sequence *ret);

#endif
