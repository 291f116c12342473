/* SPDX-License-Identifier: Apache-2.0 */
/* dot.c - writes a graph in DOT, and is the format dot. */
#include "show/export/dot.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/printable.h"
#include "read/sums/graph.h"
#include "show/export/summed.h"

/* A string of DOT ends with ", and \ begins what is special. */
static void put_text(struct fc_stream *out, const char *text)
{
	fc_auto_free char *shown = fc_strdup(text);

	fc_make_printable(shown, strlen(shown));
	for (const char *p = shown; *p; p++) {
		if (*p == '"' || *p == '\\')
			fc_stream_char(out, '\\');
		fc_stream_char(out, *p);
	}
}

static void put_sums(const struct fc_dot *dot, struct fc_stream *out,
		     const struct fc_graph_line *line)
{
	const struct fc_graph_sums *sums = &line->node.sums;
	char total[FC_CLOCK_TEXT], self[FC_CLOCK_TEXT], text[160];

	fc_clock_duration_text(dot->clock, sums->total, total);
	fc_clock_duration_text(dot->clock, sums->self, self);
	snprintf(text, sizeof(text), "\\n%.2f%%, %" PRIu64 " %s\\ntotal %s",
		 fc_graph_share(dot->view, line->weight), sums->calls,
		 sums->calls == 1 ? "call" : "calls", total);
	fc_stream_text(out, text);
	if (line->node.is_echo)
		return;
	fc_stream_text(out, ", self ");
	fc_stream_text(out, self);
}

/* From pale to red, by its share: the hue stays, the saturation grows. */
static void put_style(const struct fc_dot *dot, struct fc_stream *out,
		      const struct fc_graph_line *line)
{
	double share = fc_graph_share(dot->view, line->weight) / 100;
	char text[64];

	if (line->kind != FC_GRAPH_LINE_NODE || line->node.is_echo) {
		fc_stream_text(out, "\", style=dashed];\n");
		return;
	}
	share = share < 0 ? 0 : share > 1 ? 1 : share;
	snprintf(text, sizeof(text), "\", fillcolor=\"0.02 %.3f 1.0\"];\n", share);
	fc_stream_text(out, text);
}

/* Sums have no number: one of their parent, and of their kind. */
static void put_id(struct fc_stream *out, const struct fc_graph_line *line)
{
	static const char *const kinds[] = { "n", "more", "again" };

	fc_stream_text(out, kinds[line->kind]);
	fc_stream_number(out, line->number ? line->number : line->node.parent);
}

static void put_name(const struct fc_dot *dot, struct fc_stream *out,
		     const struct fc_graph_line *line)
{
	if (line->kind == FC_GRAPH_LINE_NODE) {
		put_text(out, fc_graph_name(&dot->namer, line->node.func).name);
	} else {
		fc_stream_text(out, "and ");
		fc_stream_number(out, line->nr);
		fc_stream_text(out, " more");
	}
	if (line->node.is_echo)
		fc_stream_text(out, " (recursion)");
}

static void put_line(const struct fc_dot *dot, struct fc_stream *out,
		     const struct fc_graph_line *line)
{
	fc_stream_char(out, '\t');
	put_id(out, line);
	fc_stream_text(out, " [label=\"");
	put_name(dot, out, line);
	put_sums(dot, out, line);
	put_style(dot, out, line);
	if (!line->node.parent)
		return;
	fc_stream_text(out, "\tn");
	fc_stream_number(out, line->node.parent);
	fc_stream_text(out, " -> ");
	put_id(out, line);
	fc_stream_text(out, " [label=\"");
	fc_stream_number(out, line->node.sums.calls);
	fc_stream_text(out, dot->is_reversed ? "\", dir=back];\n" : "\"];\n");
}

void fc_dot_write(const struct fc_dot *dot, struct fc_stream *out)
{
	struct fc_graph_line line;

	fc_stream_text(out, "digraph calls {\n"
			    "\tnode [shape=box, style=filled, fillcolor=white, "
			    "fontname=\"sans-serif\"];\n"
			    "\tedge [fontname=\"sans-serif\", fontsize=10];\n");
	while (!out->err && fc_graph_view_next(dot->view, &line))
		put_line(dot, out, &line);
	fc_stream_text(out, "}\n");
}

/* ---- as an exporter ---- */

struct exporter {
	struct fc_summed summed;
	struct fc_export_opts opts;
	struct fc_graph *graph;
};

static struct fc_name name_of(void *ctx, uint32_t func)
{
	return fc_graph_name(ctx, func);
}

static double min_of(const struct exporter *exporter)
{
	if (exporter->opts.min >= 0)
		return exporter->opts.min;
	return fc_graph_nr(exporter->graph) > FC_GRAPH_LARGE_NODES ? FC_GRAPH_LARGE_MIN : 0;
}

static void note_beyond(struct exporter *exporter)
{
	uint64_t nr_beyond = fc_graph_nr_beyond(exporter->graph);

	if (nr_beyond)
		exporter->summed.note = fc_asprintf(
			"there are more than %u paths: %" PRIu64
			" calls on others are summed by function, below [other paths]; -F FUNC "
			"looks at fewer",
			FC_GRAPH_NODES, nr_beyond);
}

static int dot_end(struct fc_exporter *base)
{
	struct exporter *exporter = (struct exporter *)base;
	struct fc_graph_view_opts opts = {
		.min = min_of(exporter),
		.by_calls = exporter->opts.by_calls,
		.namer = { name_of, &exporter->opts.namer },
	};
	struct fc_dot dot = {
		.view = fc_graph_view_create(exporter->graph, &opts),
		.namer = exporter->opts.namer,
		.clock = exporter->opts.clock,
	};

	note_beyond(exporter);
	fc_dot_write(&dot, exporter->opts.out);
	fc_graph_view_destroy(dot.view);
	return 0;
}

static void dot_destroy(struct fc_exporter *base)
{
	struct exporter *exporter = (struct exporter *)base;

	fc_graph_destroy(exporter->graph);
	fc_summed_deinit(&exporter->summed);
	free(exporter);
}

static struct fc_exporter *dot_create(const struct fc_export_opts *opts)
{
	struct exporter *exporter = fc_alloc(sizeof(*exporter));

	exporter->opts = *opts;
	exporter->graph = fc_graph_create(FC_GRAPH_NODES);
	fc_summed_init(&exporter->summed, fc_graph_sink(exporter->graph));
	exporter->summed.exporter.end = dot_end;
	exporter->summed.exporter.destroy = dot_destroy;
	return &exporter->summed.exporter;
}

const struct fc_format fc_format_dot = {
	.name = "dot",
	.suffix = "dot",
	.about = "graphviz: a box for each path to a function; dot -Tsvg",
	.can_by_calls = true,
	.can_min = true,
	.create = dot_create,
};
