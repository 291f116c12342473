/* SPDX-License-Identifier: Apache-2.0 */
#include "read/diff/visited.h"

#include <stdlib.h>

#include "base/memory.h"
#include "read/diff/subtree.h"

static struct fc_visited_pair *place_of(const struct fc_visited *visited, uint64_t a,
					uint64_t b)
{
	size_t mask = visited->room - 1, i = fc_mix(a, b) & mask;

	while (visited->at[i].is_there && (visited->at[i].a != a || visited->at[i].b != b))
		i = (i + 1) & mask;
	return &visited->at[i];
}

static void grow(struct fc_visited *visited)
{
	struct fc_visited old = *visited;

	visited->room = old.room ? 2 * old.room : 64;
	visited->at = fc_alloc(visited->room * sizeof(*visited->at));
	for (size_t i = 0; i < old.room; i++)
		if (old.at[i].is_there)
			*place_of(visited, old.at[i].a, old.at[i].b) = old.at[i];
	free(old.at);
}

bool fc_visited_add(struct fc_visited *visited, uint64_t a, uint64_t b)
{
	if (2 * visited->nr >= visited->room)
		grow(visited);
	struct fc_visited_pair *pair = place_of(visited, a, b);
	if (pair->is_there)
		return false;
	*pair = (struct fc_visited_pair){ a, b, true };
	visited->nr++;
	return true;
}

void fc_visited_deinit(struct fc_visited *visited)
{
	free(visited->at);
	*visited = (struct fc_visited){ 0 };
}
