/* SPDX-License-Identifier: Apache-2.0 */
/* sweep.h - code of which nothing is known, decoded in a row by several threads. */
#ifndef FC_CAPTURE_PATCH_SWEEP_H
#define FC_CAPTURE_PATCH_SWEEP_H

#include "arch/arch.h"
#include "base/progress.h"
#include "base/vec.h"

struct fc_swept {
	struct fc_targets insns; /* an instruction begins */
	struct fc_targets fresh; /* the same, and nothing falls through to it */
	FC_VEC(uint64_t) tables; /* addresses of tables that code jumps by */
	size_t nr_elsewhere;	 /* returns to what code has pushed */
};

enum { FC_SWEEP_PIECE = 1 << 20 };

/*
 * Add what the bytes at code are, which lie at [from, to) in the range of the targets. The
 * pieces of that size that they are cut into make no difference to what is found. progress: of
 * FC_SWEEP_COST for each byte; if it is given up, little is found.
 */
enum { FC_SWEEP_COST = 10 };

void fc_sweep(const struct fc_arch *arch, const uint8_t *code, uint64_t from, uint64_t to,
	      size_t piece_size, struct fc_progress *progress, struct fc_swept *swept);

#endif
