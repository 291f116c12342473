/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slicer.h - code by which coroutines take turns on one stack, as greenlet has it: the frames of one are
 * copied to the heap, those of another are brought back from there. What is copied must be true return
 * addresses. Such code has no name in stripped files, and is known by how it goes over to the other frames.
 */
#ifndef FC_CAPTURE_PATCH_SLICER_H
#define FC_CAPTURE_PATCH_SLICER_H

#include <stddef.h>
#include <stdint.h>

struct fc_elf;
struct fc_rule;

enum { FC_MAX_SLICERS = 8 };

struct fc_slicers {
	size_t nr;
	struct fc_slicer {
		uint64_t move; /* an address in the function that goes over */
		uint64_t come; /* the function that it calls behind that; 0: not known */
	} at[FC_MAX_SLICERS];
};

/* Needs no more than the headers. */
struct fc_slicers fc_slicers_find(const struct fc_elf *elf);

/* What a function from start to end is of them; NULL: nothing. */
const struct fc_rule *fc_slicer_rule(const struct fc_slicers *slicers, uint64_t start,
				     uint64_t end);

#endif
