/* SPDX-License-Identifier: Apache-2.0 */
/* visited.h - pairs of trees that were looked into, as hashes. */
#ifndef FC_READ_DIFF_VISITED_H
#define FC_READ_DIFF_VISITED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fc_visited_pair {
	uint64_t a, b;
	bool is_there;
};

struct fc_visited {
	struct fc_visited_pair *at; /* linear probing, at most half full */
	size_t nr, room;
};

/* False: it is there already. */
bool fc_visited_add(struct fc_visited *visited, uint64_t a, uint64_t b);
void fc_visited_deinit(struct fc_visited *visited);

#endif
