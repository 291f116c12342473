/* SPDX-License-Identifier: Apache-2.0 */
/* print_graph.h - a graph as a tree of text, as JSON, as DOT. */
#ifndef FC_CMD_VIEW_PRINT_GRAPH_H
#define FC_CMD_VIEW_PRINT_GRAPH_H

#include <stdio.h>

#include "read/sums/graph_lines.h"
#include "trace/reader.h"

struct fc_graph_print {
	FILE *out;
	struct fc_reader *reader;
	struct fc_namer namer;
	struct fc_graph_view *view;
	bool by_calls;
	bool is_reversed;
};

void fc_graph_print_text(const struct fc_graph_print *print);
void fc_graph_print_json(const struct fc_graph_print *print);
void fc_graph_print_dot(const struct fc_graph_print *print);

#endif
