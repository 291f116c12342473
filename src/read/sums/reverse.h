/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reverse.h - a graph turned round: from functions to who leads there.
 *
 *	graph                 reversed for c
 *	main 1                c 5
 *	  a 1                   b 4
 *	    b 2                   a 4
 *	      c 4                   main 4
 *	  c 1                   main 1
 *
 * Every line has the calls and times of c, on the paths that come this way.
 */
#ifndef FC_READ_SUMS_REVERSE_H
#define FC_READ_SUMS_REVERSE_H

#include "read/sums/graph.h"

/* Callers beyond so many are one: FC_GRAPH_DEEPER. */
#define FC_REVERSE_LEVELS 500

/* A new graph whose roots are the functions for which is_wanted() is true. */
struct fc_graph *fc_graph_reverse(const struct fc_graph *graph,
				  bool (*is_wanted)(void *ctx, uint32_t func), void *ctx);

#endif
