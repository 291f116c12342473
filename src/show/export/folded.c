/* SPDX-License-Identifier: Apache-2.0 */
/*
 * folded.c - folded stacks: a line a stack, its functions from the outermost on, its weight.
 *
 *	bash;main;execute_command;copy_word 5210
 *
 * Weights are self times in nanoseconds, numbers of calls, or times off the CPU. The first word is the program, or
 * its thread. A stack of no weight stands there if no longer one has it for a part: all functions
 * that were called occur. By waits only those that waited do.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/printable.h"
#include "read/sums/stacks.h"
#include "show/export/format.h"
#include "show/export/quoted.h"
#include "show/export/stacked.h"

struct folded {
	struct fc_stacked stacked;
	struct fc_export_opts opts;
	struct fc_quoted names;
	FC_VEC(char) path; /* of a node, each name with a ; behind it */
};

/* Readers take the last blank for the end of the names, each ; for the end of one. */
static void quote(struct fc_stream *out, const char *text, size_t len)
{
	fc_auto_free char *shown = fc_strdup(text);

	fc_make_printable(shown, len);
	for (char *p = shown; *p; p++) {
		if (*p == ';')
			*p = ':';
	}
	fc_stream_put(out, *shown ? shown : "?", *shown ? len : 1);
}

static struct folded *folded_of(struct fc_exporter *exporter)
{
	return (struct folded *)exporter;
}

static void append(struct folded *folded, const char *text, size_t len)
{
	fc_vec_reserve(&folded->path, len + 1);
	memcpy(folded->path.at + folded->path.nr, text, len);
	folded->path.nr += len;
	folded->path.at[folded->path.nr++] = ';';
}

static void append_name(struct folded *folded, uint32_t func)
{
	if (!fc_graph_is_pseudo(func)) {
		struct fc_quoted_text name = fc_quoted_get(&folded->names, func).name;
		append(folded, name.text, name.len);
		return;
	}
	struct fc_quoted_text name =
		fc_quoted_make(quote, fc_stacks_name(folded->stacked.stacks, NULL, func).name);
	append(folded, name.text, name.len);
	free((char *)name.text);
}

/* Of the node's, what no node beneath it has: a call of [off CPU] may be left out. */
static uint64_t own_wait(const struct fc_stacks *stacks, uint32_t at)
{
	uint64_t wait = fc_stacks_get(stacks, at).sums.wait, beneath = 0;

	for (uint32_t i = fc_stacks_first(stacks, at); i; i = fc_stacks_next(stacks, i))
		beneath += fc_stacks_get(stacks, i).sums.wait;
	return wait > beneath ? wait - beneath : 0;
}

static uint64_t weight_of(const struct folded *folded, uint32_t at)
{
	const struct fc_stacks *stacks = folded->stacked.stacks;
	struct fc_graph_node node = fc_stacks_get(stacks, at);

	if (folded->opts.by_calls)
		return node.sums.calls;
	return fc_clock_duration_ns(folded->opts.clock, folded->opts.by_wait
								? own_wait(stacks, at)
								: node.sums.self);
}

static void put_line(struct folded *folded, uint32_t at)
{
	struct fc_graph_node node = fc_stacks_get(folded->stacked.stacks, at);
	uint64_t weight = weight_of(folded, at);
	bool is_leaf = !folded->opts.by_wait && !fc_stacks_first(folded->stacked.stacks, at);

	if (!weight && (!is_leaf || fc_graph_is_pseudo(node.func)))
		return;
	fc_stream_put(folded->opts.out, folded->path.at, folded->path.nr - 1);
	fc_stream_char(folded->opts.out, ' ');
	fc_stream_number(folded->opts.out, weight);
	fc_stream_char(folded->opts.out, '\n');
}

/* The path without its last name. */
static void shorten(struct folded *folded)
{
	folded->path.nr--;
	while (folded->path.nr && folded->path.at[folded->path.nr - 1] != ';')
		folded->path.nr--;
}

/* The node to be told next: below this one, or beside it or one that it is in; 0: no more. */
static uint32_t next_of(struct folded *folded, uint32_t at)
{
	const struct fc_stacks *stacks = folded->stacked.stacks;
	uint32_t first = fc_stacks_first(stacks, at);

	if (first)
		return first;
	for (; at; at = fc_stacks_get(stacks, at).parent) {
		shorten(folded);
		if (fc_stacks_next(stacks, at))
			return fc_stacks_next(stacks, at);
	}
	return 0;
}

static int folded_end(struct fc_exporter *exporter)
{
	struct folded *folded = folded_of(exporter);
	uint32_t at = fc_stacks_first(folded->stacked.stacks, 0);

	fc_stacked_note(&folded->stacked);
	while (at && !folded->opts.out->err) {
		append_name(folded, fc_stacks_get(folded->stacked.stacks, at).func);
		put_line(folded, at);
		at = next_of(folded, at);
	}
	return 0;
}

static void folded_destroy(struct fc_exporter *exporter)
{
	struct folded *folded = folded_of(exporter);

	fc_stacked_deinit(&folded->stacked);
	fc_quoted_deinit(&folded->names);
	fc_vec_free(&folded->path);
	free(folded);
}

static struct fc_exporter *folded_create(const struct fc_export_opts *opts)
{
	struct folded *folded = fc_alloc(sizeof(*folded));

	folded->opts = *opts;
	fc_stacked_init(&folded->stacked, opts);
	folded->stacked.summed.exporter.end = folded_end;
	folded->stacked.summed.exporter.destroy = folded_destroy;
	fc_quoted_init(&folded->names, opts->namer, quote);
	return &folded->stacked.summed.exporter;
}

const struct fc_format fc_format_folded = {
	.name = "folded",
	.suffix = "folded",
	.about = "folded stacks: a line a stack, its weight; flamegraph.pl",
	.can_by_calls = true,
	.can_by_wait = true,
	.can_by_thread = true,
	.create = folded_create,
};
