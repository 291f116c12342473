/* SPDX-License-Identifier: Apache-2.0 */
/* dot.h - a graph for graphviz: a box for each line of the tree. */
#ifndef FC_SHOW_EXPORT_DOT_H
#define FC_SHOW_EXPORT_DOT_H

#include "base/stream.h"
#include "read/sums/graph_lines.h"
#include "trace/clock.h"

struct fc_dot {
	struct fc_graph_view *view; /* from its first line on */
	struct fc_namer namer;
	const struct fc_clock *clock;
	bool is_reversed;
};

void fc_dot_write(const struct fc_dot *dot, struct fc_stream *out);

#endif
