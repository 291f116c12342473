/* SPDX-License-Identifier: Apache-2.0 */
/* graph_dot.c - a graph for graphviz: a box for each line of the tree. */
#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/printable.h"
#include "cmd/graph_print.h"
#include "cmd/output.h"

/* A string of DOT ends with ", and \ begins what is special. */
static void put_text(FILE *out, const char *text)
{
	fc_auto_free char *shown = fc_strdup(text);

	fc_make_printable(shown, strlen(shown));
	for (const char *p = shown; *p; p++) {
		if (*p == '"' || *p == '\\')
			fputc('\\', out);
		fputc(*p, out);
	}
}

static void put_sums(const struct fc_graph_print *print, const struct fc_graph_line *line)
{
	const struct fc_clock *clock = fc_reader_clock(print->reader);
	const struct fc_graph_sums *sums = &line->node.sums;
	char total[FC_CLOCK_TEXT], self[FC_CLOCK_TEXT];

	fc_clock_duration_text(clock, sums->total, total);
	fc_clock_duration_text(clock, sums->self, self);
	fprintf(print->out, "\\n%.2f%%, %" PRIu64 " %s\\ntotal %s",
		fc_graph_share(print->view, line->weight), sums->calls,
		sums->calls == 1 ? "call" : "calls", total);
	if (!line->node.is_echo)
		fprintf(print->out, ", self %s", self);
}

/* From pale to red, by its share: the hue stays, the saturation grows. */
static void put_style(const struct fc_graph_print *print, const struct fc_graph_line *line)
{
	double share = fc_graph_share(print->view, line->weight) / 100;

	if (line->kind != FC_GRAPH_LINE_NODE || line->node.is_echo)
		fputs("\", style=dashed];\n", print->out);
	else
		fprintf(print->out, "\", fillcolor=\"0.02 %.3f 1.0\"];\n",
			share < 0   ? 0
			: share > 1 ? 1
				    : share);
}

/* Sums have no number: one of their parent, and of their kind. */
static void put_id(FILE *out, const struct fc_graph_line *line)
{
	static const char *const kinds[] = { "n", "more", "again" };

	fprintf(out, "%s%" PRIu32, kinds[line->kind],
		line->number ? line->number : line->node.parent);
}

static void put_line(const struct fc_graph_print *print, const struct fc_graph_line *line)
{
	FILE *out = print->out;

	fputc('\t', out);
	put_id(out, line);
	fputs(" [label=\"", out);
	if (line->kind == FC_GRAPH_LINE_NODE)
		put_text(out, fc_graph_name(&print->namer, line->node.func).name);
	else
		fprintf(out, "and %" PRIu64 " more", line->nr);
	if (line->node.is_echo)
		fputs(" (recursion)", out);
	put_sums(print, line);
	put_style(print, line);
	if (!line->node.parent)
		return;
	fprintf(out, "\tn%" PRIu32 " -> ", line->node.parent);
	put_id(out, line);
	fprintf(out, " [label=\"%" PRIu64 "\"%s];\n", line->node.sums.calls,
		print->is_reversed ? ", dir=back" : "");
}

void fc_graph_print_dot(const struct fc_graph_print *print)
{
	struct fc_graph_line line;

	fputs("digraph calls {\n"
	      "\tnode [shape=box, style=filled, fillcolor=white, fontname=\"sans-serif\"];\n"
	      "\tedge [fontname=\"sans-serif\", fontsize=10];\n",
	      print->out);
	while (!fc_output_is_over() && fc_graph_view_next(print->view, &line))
		put_line(print, &line);
	fputs("}\n", print->out);
}
