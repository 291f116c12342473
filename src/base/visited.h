/* SPDX-License-Identifier: Apache-2.0 */
/* visited.h - pairs of long numbers that were met, each of which is known again in O(1). */
#ifndef FC_BASE_VISITED_H
#define FC_BASE_VISITED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/pairs.h"

/* Zeroed means: none. */
struct fc_visited {
	struct fc_pairs numbers;
	struct fc_pairs pairs; /* of their places in numbers */
};

/* False: it was there already. */
bool fc_visited_add(struct fc_visited *visited, uint64_t a, uint64_t b);
void fc_visited_deinit(struct fc_visited *visited);

#endif
