/* SPDX-License-Identifier: Apache-2.0 */
/*
 * align.h - two call trees laid side by side: what they share, and where they differ.
 *
 * From the top down: of two calls of the same function whose trees differ, the calls that they
 * made are aligned. What has an equal tree on both sides, in order, is the same; in between, calls
 * of the same function are taken as one that changed (those that are most alike first), and are
 * looked into in turn; the rest was added or is missing.
 *
 *	main { a b c }      FC_SAME a                 main() {
 *	main { a d c' }     FC_GONE b  FC_NEW d    -    b();
 *	                    FC_CHANGED c c'        +    d();
 *	                      ...  FC_LEFT              c() { ...
 *
 * Applied to the first tree this gives the second, always; it is not always the least.
 */
#ifndef FC_READ_DIFF_ALIGN_H
#define FC_READ_DIFF_ALIGN_H

#include "read/diff/subtree.h"

enum fc_align_step_kind {
	FC_SAME = 1, /* a on both sides */
	FC_GONE,     /* a on the first side only */
	FC_NEW,	     /* b on the second side only */
	FC_TIMES,    /* the same tree, a.nr times on one side and b.nr times on the other */
	FC_CHANGED,  /* a became b, both nr times; inside follows up to FC_LEFT */
	FC_LEFT,
	FC_UNKNOWN, /* in place of what is inside: it was not kept, or is too deep */
};

struct fc_align_step {
	enum fc_align_step_kind kind;
	struct fc_run a, b;
};

struct fc_align_opts {
	const struct fc_subtrees *trees;
	/* FC_CHANGED: false: do not look inside; then no FC_LEFT follows. */
	bool (*tell)(void *ctx, const struct fc_align_step *step);
	/* Asked now and then: true ends it early. May be NULL. */
	bool (*is_enough)(void *ctx);
	void *ctx;
};

/*
 * Align the trees of hashes a and b. Returns how many lists were too long and too different to be
 * compared to the end: there more may be told to be gone and new than was.
 */
uint64_t fc_align(const struct fc_align_opts *opts, struct fc_run a, struct fc_run b);

#endif
