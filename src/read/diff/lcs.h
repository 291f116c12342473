/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lcs.h - what two rows of numbers have in common, in order.
 *
 * The method is that of E. Myers, "An O(ND) difference algorithm and its variations" (1986). It
 * takes effort * effort steps and as many bytes at most before it settles for what it has found
 * and goes on from there: then what is common is true, but there may be more.
 */
#ifndef FC_READ_DIFF_LCS_H
#define FC_READ_DIFF_LCS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

/* a[i + k] == b[j + k] for each k below nr. */
struct fc_common {
	size_t i, j, nr;
};

struct fc_commons {
	struct fc_common *at;
	size_t nr, room;
};

/* In order of both. Returns false if there may be more in common. */
bool fc_lcs(const uint64_t *a, size_t nr_a, const uint64_t *b, size_t nr_b, size_t effort,
	    struct fc_commons *ret);

#endif
