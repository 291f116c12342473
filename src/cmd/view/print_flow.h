/* SPDX-License-Identifier: Apache-2.0 */
/*
 * print_flow.h - shows where the flow of calls differs: the second part of `diff`.
 *
 *	  main() {
 *	    ... 12 calls the same ...
 *	    parse();
 *	-   old_call();
 *	+   new_call() {
 *	+     helper();
 *	+   }
 *	!   step();  called 5 times instead of 3
 *	  }
 */
#ifndef FC_CMD_VIEW_PRINT_FLOW_H
#define FC_CMD_VIEW_PRINT_FLOW_H

#include <stdio.h>

#include "calls/names.h"
#include "cmd/options/options.h"
#include "cmd/out/json.h"
#include "read/diff/align.h"
#include "read/diff/kin.h"
#include "read/diff/twins.h"

struct fc_flow_view {
	const struct fc_settings *settings;
	const struct fc_subtrees *trees;
	const struct fc_twins *twins;
	struct fc_namer namers[2];
	/* A strand's tree; hash 0: it made no call. */
	struct fc_run (*root_of)(void *ctx, int side, uint32_t strand);
	void *ctx;
};

struct fc_flow_sums {
	uint64_t places;	 /* changes that were shown */
	size_t nr_kin, nr_other; /* threads; of them those that differ */
	uint64_t nr_cut;	 /* lists that were not compared to the end */
	bool is_stopped;	 /* there may be more */
};

void fc_flow_print(FILE *out, const struct fc_flow_view *view, const struct fc_kins *kins,
		   struct fc_flow_sums *sums);
void fc_flow_json(struct fc_json *json, const struct fc_flow_view *view,
		  const struct fc_kins *kins, struct fc_flow_sums *sums);

/*
 * The trees of two threads that belong together, counted in sums; hash 0: it is on one side only.
 * False: they are alike.
 */
bool fc_flow_roots(const struct fc_flow_view *view, const struct fc_kin *kin,
		   struct fc_flow_sums *sums, struct fc_run roots[2]);
/* Nobody reads on, or so many changes were shown as were asked for. */
bool fc_flow_is_enough(const struct fc_flow_view *view, struct fc_flow_sums *sums);
/* A tree's name: of its function, or what else it is. */
const char *fc_flow_name(const struct fc_flow_view *view, uint32_t what);
const char *fc_flow_module(const struct fc_flow_view *view, uint32_t what);
/* Calls in it, with all below, nr times; 0: it is not kept. */
uint64_t fc_flow_calls(const struct fc_flow_view *view, struct fc_run run);
/* As in "returned". */
const char *fc_flow_ended(uint32_t what);

#endif
