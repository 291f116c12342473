/* SPDX-License-Identifier: Apache-2.0 */
/* hits.h - the direct branches in all code of a module, found by several threads. */
#ifndef FC_CAPTURE_PATCH_HITS_H
#define FC_CAPTURE_PATCH_HITS_H

#include "base/vec.h"
#include "capture/patch/plan_private.h"

/* Suspected: bytes in the middle of an instruction may look like one. By from. */
struct fc_hits {
	FC_VEC(struct fc_branch) list;
};

/* What it adds to the plan's progress. */
uint64_t fc_scan_cost(const struct fc_plan *plan);

/*
 * Add all branches to one of the targets that is_wanted() says yes to: it is called by several
 * threads at once. The hits do not depend on how many these are.
 */
void fc_scan(const struct fc_plan *plan, const struct fc_targets *targets,
	     bool (*is_wanted)(const void *ctx, const struct fc_branch *branch),
	     const void *ctx, struct fc_hits *hits);

#endif
