/* SPDX-License-Identifier: Apache-2.0 */
/* visited.c - a set of pairs of 64-bit numbers. */
#include "base/visited.h"

bool fc_visited_add(struct fc_visited *visited, uint64_t a, uint64_t b)
{
	uint64_t pair = fc_pair(fc_pairs_number(&visited->numbers, a),
				fc_pairs_number(&visited->numbers, b));

	if (fc_pairs_find(&visited->pairs, pair))
		return false;
	fc_pairs_add(&visited->pairs, pair);
	return true;
}

void fc_visited_deinit(struct fc_visited *visited)
{
	fc_pairs_deinit(&visited->numbers);
	fc_pairs_deinit(&visited->pairs);
}
