/* SPDX-License-Identifier: Apache-2.0 */
/* versus.h - what changed from one trace to another, by function: for who compares two. */
#ifndef FC_READ_DIFF_VERSUS_H
#define FC_READ_DIFF_VERSUS_H

#include "read/diff/changes.h"

struct fc_versus_side {
	struct fc_reader *reader; /* outlives it, and so does who names its functions */
	struct fc_namer namer;
};

struct fc_versus;
/* Reads both traces: 0 is the old one. -errno with a sentence: the reader's. */
int fc_versus_create(const struct fc_versus_side sides[2], struct fc_versus **ret);
void fc_versus_destroy(struct fc_versus *versus);
/* By weight. */
const struct fc_changes *fc_versus_changes(const struct fc_versus *versus);

#endif
