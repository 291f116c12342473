/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slicer.h - code that copies frames of its stack to the heap, to bring them back to where they were: coroutines
 * that take turns on one stack, as greenlet has it; continuations of Ruby and Guile. What is copied must be true
 * return addresses. Such code has no name in stripped files, and is known by what it does.
 */
#ifndef FC_CAPTURE_PATCH_KNOWN_SLICER_H
#define FC_CAPTURE_PATCH_KNOWN_SLICER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fc_elf;
struct fc_rule;

enum { FC_MAX_SLICERS = 16 };

struct fc_slicers {
	size_t nr;
	struct fc_slicer {
		uint64_t in;   /* an address in the function that copies, or has that done */
		uint64_t come; /* the function that it calls when all is copied; 0: not known */
		bool is_sure;
	} at[FC_MAX_SLICERS];
};

/* Needs no more than the headers. */
struct fc_slicers fc_slicers_find(const struct fc_elf *elf);

/* What a function from start to end is of them; NULL: nothing. */
const struct fc_rule *fc_slicer_rule(const struct fc_slicers *slicers, uint64_t start,
				     uint64_t end);

#endif
