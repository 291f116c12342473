/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flow.h - a sink that makes the tree of each strand's calls, for subtree.h.
 *
 * Memory: what the trees take, and the lists of calls that open calls made so far. A list that is
 * very long, or all of them together, end in one FC_WHAT_REST.
 */
#ifndef FC_READ_DIFF_FLOW_H
#define FC_READ_DIFF_FLOW_H

#include "calls/call.h"
#include "read/diff/subtree.h"

struct fc_flow_opts {
	struct fc_subtrees *trees;
	/* The number of a function, from FC_WHAT_FIRST on; 0: its calls are passed over. */
	uint32_t (*number_of)(void *ctx, uint32_t func);
	void *ctx;
	size_t limit_runs; /* of the lists of open calls together */
};

struct fc_flow;
struct fc_flow *fc_flow_create(const struct fc_flow_opts *opts);
void fc_flow_destroy(struct fc_flow *flow);
struct fc_call_sink *fc_flow_sink(struct fc_flow *flow);

/* The tree of all that a strand called; false: it made no call. After finish(). */
bool fc_flow_root(const struct fc_flow *flow, uint32_t strand, struct fc_run *ret);

#endif
