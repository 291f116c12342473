/* SPDX-License-Identifier: Apache-2.0 */
/*
 * beside.h - two trees of calls side by side: what the same path took in each.
 *
 *	handle()            2.7 us    86.6 ms
 *	  find_page()       2.6 us     2.7 us
 *	  rebuild_index()        -    86.6 ms
 */
#ifndef FC_READ_REQUESTS_BESIDE_H
#define FC_READ_REQUESTS_BESIDE_H

#include "base/vec.h"
#include "read/sums/graph.h"

struct fc_beside_line {
	uint32_t func; /* 0: of so many paths that are too light to be shown */
	uint32_t level;
	uint64_t calls[2], total[2]; /* ticks; calls 0: it is not there */
	size_t nr_light;
};

struct fc_beside {
	FC_VEC(struct fc_beside_line) list; /* in order of a tree that is printed */
};

/*
 * From the outermost call of func on; paths that have less than this share of the longer total are
 * one line below their parent.
 */
void fc_beside_make(const struct fc_graph *const graphs[2], const uint32_t funcs[2], double min,
		    struct fc_beside *ret);
void fc_beside_deinit(struct fc_beside *beside);

#endif
