/* SPDX-License-Identifier: Apache-2.0 */
/* print_graph.c - prints a graph as an indented tree or as JSON. */
#include "cmd/view/print_graph.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "cmd/out/json.h"
#include "cmd/out/looks.h"
#include "cmd/out/output.h"
#include "cmd/out/table.h"
#include "cmd/view/print_unshown.h"

#define INDENT_MAX 100 /* levels; deeper ones say their number */

/* ---- text ---- */

typedef FC_VEC(bool) bools;

static void print_duration(FILE *out, bool is_known, uint64_t ns)
{
	char text[FC_CELL_ROOM] = "-  ";

	if (is_known)
		fc_show_ns(NULL, ns, text);
	fprintf(out, " %11s", text);
}

/* Has a call waited, as far as the trace tells? */
static bool has_waits(const struct fc_graph_print *print)
{
	return fc_graph_view_whole(print->view).wait;
}

static void print_columns(const struct fc_graph_print *print, const struct fc_graph_line *line)
{
	const struct fc_graph_node *node = &line->node;
	const struct fc_clock *clock = fc_reader_clock(print->reader);
	bool has_total = node->is_timed || node->sums.total;

	fprintf(print->out, "%10" PRIu64, node->sums.calls);
	print_duration(print->out, has_total, fc_clock_duration_ns(clock, node->sums.total));
	print_duration(print->out, has_total && !node->is_echo,
		       fc_clock_duration_ns(clock, node->sums.self));
	if (has_waits(print))
		print_duration(print->out, has_total,
			       fc_clock_duration_ns(clock, node->sums.wait));
	double share = fc_graph_share(print->view, line->weight);
	fc_put_tone(print->out, fc_tone_of_share(share));
	if (has_total || print->by_calls)
		fprintf(print->out, " %6.2f%%  ", share);
	else
		fprintf(print->out, " %6s   ", "-");
	fc_put_tone(print->out, FC_TONE_PLAIN);
}

/*
 *	main
 *	|-read_all
 *	| `-read_line       of each level above: does it go on below this line?
 *	`-sort
 */
static void print_branches(const struct fc_graph_print *print, const struct fc_graph_line *line,
			   bools *goes_on)
{
	while (goes_on->nr <= line->level)
		fc_vec_push(goes_on, false);
	goes_on->at[line->level] = !line->is_last;
	fc_put_tone(print->out, FC_TONE_DIM);
	for (uint32_t i = 1; i < line->level && i < INDENT_MAX; i++)
		fputs(goes_on->at[i] ? "| " : "  ", print->out);
	if (line->level)
		fputs(line->is_last ? "`-" : "|-", print->out);
	if (line->level > INDENT_MAX)
		fprintf(print->out, "(level %" PRIu32 ") ", line->level + 1);
	fc_put_tone(print->out, FC_TONE_PLAIN);
}

static void print_what(const struct fc_graph_print *print, const struct fc_graph_line *line)
{
	switch (line->kind) {
	case FC_GRAPH_LINE_NODE:
		fc_print_foreign(print->out,
				 fc_graph_name(&print->namer, line->node.func).name);
		fputs(line->node.is_echo ? "  (recursion)\n" : "\n", print->out);
		break;
	case FC_GRAPH_LINE_REST:
		fprintf(print->out, "and %" PRIu64 " more\n", line->nr);
		break;
	case FC_GRAPH_LINE_REST_ECHOES:
		fprintf(print->out, "and %" PRIu64 " more  (recursion)\n", line->nr);
		break;
	}
}

void fc_graph_print_text(const struct fc_graph_print *print)
{
	struct fc_graph_line line;
	bools goes_on = { 0 };

	fc_put_tone(print->out, FC_TONE_BOLD);
	fprintf(print->out, "%10s %11s %11s", "CALLS", "TOTAL  ", "SELF  ");
	if (has_waits(print))
		fprintf(print->out, " %11s", "WAIT  ");
	fprintf(print->out, " %7s  %s", "SHARE ",
		print->is_reversed ? "FUNCTION, AND WHO CALLS IT" : "FUNCTION");
	fc_put_tone(print->out, FC_TONE_PLAIN);
	fputc('\n', print->out);
	while (!fc_output_is_over() && fc_graph_view_next(print->view, &line)) {
		print_columns(print, &line);
		print_branches(print, &line, &goes_on);
		print_what(print, &line);
	}
	fc_vec_free(&goes_on);
}

/* ---- JSON ---- */

static void json_sums(const struct fc_graph_print *print, struct fc_json *json,
		      const struct fc_graph_sums *sums)
{
	const struct fc_clock *clock = fc_reader_clock(print->reader);

	fc_json_number(json, "calls", sums->calls);
	fc_json_number(json, "recursive_calls", sums->again);
	fc_json_number(json, "total_ns", fc_clock_duration_ns(clock, sums->total));
	fc_json_number(json, "self_ns", fc_clock_duration_ns(clock, sums->self));
	if (!fc_reader_off_funcs(print->reader))
		return;
	fc_json_number(json, "wait_ns", fc_clock_duration_ns(clock, sums->wait));
	fc_json_number(json, "self_wait_ns", fc_clock_duration_ns(clock, sums->self_wait));
}

static void json_line(const struct fc_graph_print *print, struct fc_json *json,
		      const struct fc_graph_line *line)
{
	fc_json_open(json, NULL, '{');
	if (line->kind == FC_GRAPH_LINE_NODE) {
		struct fc_name name = fc_graph_name(&print->namer, line->node.func);
		fc_json_number(json, "id", line->number);
		fc_json_number(json, "parent", line->node.parent);
		fc_json_string(json, "function", name.name);
		fc_json_string(json, "module", name.module);
	} else {
		fc_json_number(json, "parent", line->node.parent);
		fc_json_number(json, "more", line->nr);
	}
	fc_json_bool(json, "is_recursion", line->node.is_echo);
	json_sums(print, json, &line->node.sums);
	fc_json_close(json, '{');
}

void fc_graph_print_json(const struct fc_graph_print *print)
{
	struct fc_json json = { .out = print->out };
	struct fc_graph_sums whole = fc_graph_view_whole(print->view);
	struct fc_graph_line line;

	fc_json_open(&json, NULL, '{');
	json_sums(print, &json, &whole);
	fc_json_open(&json, "nodes", '[');
	while (!fc_output_is_over() && fc_graph_view_next(print->view, &line))
		json_line(print, &json, &line);
	fc_json_close(&json, '[');
	fc_unshown_json(&json, print->reader);
	fc_json_close(&json, '{');
}
