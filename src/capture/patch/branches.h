/* SPDX-License-Identifier: Apache-2.0 */
/* branches.h - the direct branches of a module that go to where patches may be. */
#ifndef FC_CAPTURE_PATCH_BRANCHES_H
#define FC_CAPTURE_PATCH_BRANCHES_H

#include "capture/patch/hits.h"

struct fc_branches {
	struct fc_plan *plan;
	struct fc_hits hits; /* by from, and last those that unwinders make */
	uint64_t func, at;   /* decoding goes on here: the function, and how far it came */
	uint64_t vaddr;	     /* of the first page that a hit goes to */
	size_t nr_pages;
	size_t *starts; /* where in order each page's begin; one more: where the last's end */
	size_t *order;	/* the hits, page by page of where they go to */
};

/*
 * Scan all code once, for branches into the first bytes of functions, into padding, and to
 * entries that may be parts.
 */
void fc_branches_init(struct fc_branches *branches, struct fc_plan *plan);
void fc_branches_deinit(struct fc_branches *branches);

/* Is a suspected branch an instruction, or bytes inside one? In doubt it is one. */
bool fc_branches_is_real(struct fc_branches *branches, struct fc_branch branch);

/* Does a branch go to one of [from, to)? */
bool fc_branches_go_into(struct fc_branches *branches, uint64_t from, uint64_t to);

#endif
