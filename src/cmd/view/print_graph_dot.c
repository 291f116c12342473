/* SPDX-License-Identifier: Apache-2.0 */
/* print_graph_dot.c - a graph for graphviz, as fctrace export writes it. */
#include <errno.h>

#include "cmd/out/output.h"
#include "cmd/view/print_graph.h"
#include "show/export/dot.h"

static int write_output(void *ctx, const void *data, size_t len)
{
	fc_output_write(data, len);
	return fc_output_is_over() ? -EPIPE : 0;
}

void fc_graph_print_dot(const struct fc_graph_print *print)
{
	struct fc_dot dot = { .view = print->view,
			      .namer = print->namer,
			      .clock = fc_reader_clock(print->reader),
			      .is_reversed = print->is_reversed };
	struct fc_stream out;

	fc_stream_init(&out, write_output, NULL);
	fc_dot_write(&dot, &out);
	fc_stream_flush(&out);
	fc_stream_deinit(&out);
}
