/* SPDX-License-Identifier: Apache-2.0 */
/* print_edges.h - the table of callers and what they called: -c --no-time --edges. */
#ifndef FC_CMD_VIEW_PRINT_EDGES_H
#define FC_CMD_VIEW_PRINT_EDGES_H

#include <stdio.h>

#include "calls/names.h"
#include "cmd/options/options.h"

struct fc_edge_table;
struct fc_edge_table *fc_edge_table_create(void);
void fc_edge_table_destroy(struct fc_edge_table *table);

/* As struct fc_tap's edges(): copied. */
void fc_edge_table_add(struct fc_edge_table *table, const struct fc_edge *edges, size_t nr,
		       uint64_t nr_lost);
/* Calls that are in no row. */
uint64_t fc_edge_table_lost(const struct fc_edge_table *table);

/* -EINVAL with a sentence: a key of -s that it cannot be sorted by. */
int fc_edge_table_check_keys(const char *keys);

/* Sorted, cut and shown as settings say (-s, -n, --json). */
void fc_edge_table_print(FILE *out, const struct fc_settings *settings,
			 struct fc_edge_table *table, const struct fc_namer *namer);

#endif
