/* SPDX-License-Identifier: Apache-2.0 */
/*
 * callgrind.c - who called whom, as callgrind tells it: for KCachegrind, callgrind_annotate.
 *
 *	fn=(3) main                       what is told next is of main
 *	12 5210 1                         at its line: self time, calls of it
 *	cfn=(4) read_line                 it called this one,
 *	calls=7 40                        so often, which begins at line 40,
 *	12 9100 35                        from its own line: time in these and below, calls
 *
 * A recursive call adds nothing to the inclusive costs: so those of all calls of a function are
 * its total as report has it. What nobody called is called by [all]. Names, files and objects
 * are numbers behind their first time. The format: valgrind's manual, "Callgrind Format
 * Specification".
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/printable.h"
#include "base/vec.h"
#include "read/sums/callers.h"
#include "show/export/summed.h"

/* The numbers of names: these for what is no function, NR_PSEUDO + its id for a function. */
enum { NAME_ALL = 1, NAME_UNKNOWN, NAME_OTHER, NR_PSEUDO };

struct func {
	uint64_t self, calls;
	uint32_t file; /* 0: not known */
	uint32_t line;
	bool is_called, is_named;
};

struct file {
	const char *path;
	uint32_t func;
};

typedef FC_VEC(bool) flags;

struct callgrind {
	struct fc_summed summed;
	struct fc_export_opts opts;
	struct fc_callers *callers;
	FC_VEC(struct func) funcs; /* by id */
	FC_VEC(struct file) files; /* by path, then by function */
	size_t *order;		   /* of callers' rows: by caller */
	bool is_named[NR_PSEUDO];
	flags is_file_named, is_object_named; /* by number */
};

/* ---- what there is ---- */

static void sum_functions(struct callgrind *grind)
{
	uint64_t nr_other = 0;

	for (size_t i = 0; i < fc_callers_nr(grind->callers); i++) {
		struct fc_callers_row row = fc_callers_get(grind->callers, i);
		struct func *func = fc_vec_make(&grind->funcs, row.callee);
		func->is_called = true;
		func->self += row.self;
		func->calls += row.calls;
		nr_other += row.caller == FC_CALLERS_BEYOND ? row.calls : 0;
	}
	if (nr_other)
		grind->summed.note =
			fc_asprintf("there are more than %u pairs of caller and callee: "
				    "%" PRIu64 " calls are those of [other]; -F FUNC "
				    "looks at fewer",
				    FC_CALLERS_PAIRS, nr_other);
}

static int by_path(const void *a, const void *b)
{
	const struct file *x = a, *y = b;
	int order = strcmp(x->path, y->path);

	return order ?: fc_order(x->func, y->func);
}

/* A file's number is that of the first function in it. */
static void find_files(struct callgrind *grind)
{
	for (uint32_t i = 0; i < grind->funcs.nr; i++) {
		struct func *func = &grind->funcs.at[i];
		const struct fc_source *source =
			func->is_called
				? grind->opts.namer.name_of(grind->opts.namer.ctx, i).source
				: NULL;
		if (!source)
			continue;
		func->line = source->line > 0 ? (uint32_t)source->line : 0;
		fc_vec_push(&grind->files, (struct file){ source->file, i });
	}
	fc_vec_sort(&grind->files, by_path);
	for (size_t i = 0, first = 0; i < grind->files.nr; i++) {
		if (strcmp(grind->files.at[i].path, grind->files.at[first].path) != 0)
			first = i;
		grind->funcs.at[grind->files.at[i].func].file = (uint32_t)first + 1;
	}
}

static int by_caller(const void *a, const void *b, void *ctx)
{
	const struct fc_callers *callers = ctx;
	struct fc_callers_row x = fc_callers_get(callers, *(const size_t *)a),
			      y = fc_callers_get(callers, *(const size_t *)b);

	return fc_order(x.caller, y.caller) ?: fc_order(x.callee, y.callee);
}

static void sort_rows(struct callgrind *grind)
{
	size_t nr = fc_callers_nr(grind->callers);

	grind->order = fc_alloc(nr * sizeof(*grind->order) + 1);
	for (size_t i = 0; i < nr; i++)
		grind->order[i] = i;
	if (nr)
		qsort_r(grind->order, nr, sizeof(*grind->order), by_caller, grind->callers);
}

/* ---- names ---- */

/* A name goes to the end of its line. */
static void put_text(struct callgrind *grind, const char *text)
{
	fc_auto_free char *shown = fc_strdup(text);

	fc_make_printable(shown, strlen(shown));
	fc_stream_text(grind->opts.out, *shown ? shown : "?");
}

/* "fn=(12) name", or "fn=(12)" when it was told before. */
static void put_name(struct callgrind *grind, const char *key, uint32_t number, bool *is_named,
		     const char *name)
{
	fc_stream_text(grind->opts.out, key);
	fc_stream_text(grind->opts.out, "=(");
	fc_stream_number(grind->opts.out, number);
	fc_stream_char(grind->opts.out, ')');
	if (!*is_named) {
		fc_stream_char(grind->opts.out, ' ');
		put_text(grind, name);
	}
	fc_stream_char(grind->opts.out, '\n');
	*is_named = true;
}

static void put_pseudo(struct callgrind *grind, uint32_t number)
{
	static const char *const names[NR_PSEUDO] = { "", "[all]", "[unknown]", "[other]" };

	fc_stream_text(grind->opts.out, "ob=\nfl=???\n");
	put_name(grind, "fn", number, &grind->is_named[number], names[number]);
}

struct keys {
	const char *object, *file, *name;
};

static const struct keys caller_keys = { "ob", "fl", "fn" },
			 callee_keys = { "cob", "cfi", "cfn" };

static bool *flag_at(flags *flags, uint32_t number)
{
	while (flags->nr <= number)
		fc_vec_push(flags, false);
	return &flags->at[number];
}

static void put_function(struct callgrind *grind, const struct keys *keys, uint32_t id)
{
	const struct fc_module_info *of = fc_reader_func(grind->opts.reader, id).of;
	struct func *func = &grind->funcs.at[id];
	uint32_t object = of ? of->id : 0;

	put_name(grind, keys->object, object, flag_at(&grind->is_object_named, object),
		 of ? of->path : "???");
	put_name(grind, keys->file, func->file, flag_at(&grind->is_file_named, func->file),
		 func->file ? grind->files.at[func->file - 1].path : "???");
	put_name(grind, keys->name, id + NR_PSEUDO, &func->is_named,
		 grind->opts.namer.name_of(grind->opts.namer.ctx, id).name);
}

/* ---- costs ---- */

static void put_costs(struct callgrind *grind, uint64_t ticks, uint64_t calls)
{
	uint64_t ns = fc_clock_duration_ns(grind->opts.clock, ticks);

	fc_stream_char(grind->opts.out, ' ');
	fc_stream_number(grind->opts.out, grind->opts.by_calls ? calls : ns);
	fc_stream_char(grind->opts.out, ' ');
	fc_stream_number(grind->opts.out, grind->opts.by_calls ? ns : calls);
	fc_stream_char(grind->opts.out, '\n');
}

static void put_edge(struct callgrind *grind, uint32_t line, const struct fc_callers_row *row)
{
	put_function(grind, &callee_keys, row->callee);
	fc_stream_text(grind->opts.out, "calls=");
	/* An inherited call is none here, but what follows "calls=0" is taken for self time. */
	fc_stream_number(grind->opts.out, row->calls ? row->calls : 1);
	fc_stream_char(grind->opts.out, ' ');
	fc_stream_number(grind->opts.out, grind->funcs.at[row->callee].line);
	fc_stream_char(grind->opts.out, '\n');
	fc_stream_number(grind->opts.out, line);
	put_costs(grind, row->once_total, row->once_calls);
}

/* The calls that a caller made, which are next in order. Returns where those of others begin. */
static size_t put_edges(struct callgrind *grind, uint32_t caller, uint32_t line, size_t at)
{
	for (; at < fc_callers_nr(grind->callers); at++) {
		struct fc_callers_row row = fc_callers_get(grind->callers, grind->order[at]);
		if (row.caller != caller)
			break;
		if (row.calls || row.once_total)
			put_edge(grind, line, &row);
	}
	return at;
}

static void put_head(struct callgrind *grind)
{
	fc_stream_text(grind->opts.out, "# callgrind format\nversion: 1\ncreator: fctrace\n");
	for (int i = 0; i < fc_reader_argc(grind->opts.reader); i++) {
		fc_stream_text(grind->opts.out, i ? " " : "cmd: ");
		put_text(grind, fc_reader_arg(grind->opts.reader, i));
	}
	fc_stream_text(grind->opts.out, fc_reader_argc(grind->opts.reader) ? "\n" : "");
	fc_stream_text(grind->opts.out, "positions: line\nevent: ns : Nanoseconds\n"
					"event: Calls : Calls of functions\n");
	fc_stream_text(grind->opts.out,
		       grind->opts.by_calls ? "events: Calls ns\n" : "events: ns Calls\n");
}

static size_t put_pseudo_edges(struct callgrind *grind, uint32_t name, uint32_t caller,
			       size_t at)
{
	if (at == fc_callers_nr(grind->callers) ||
	    fc_callers_get(grind->callers, grind->order[at]).caller != caller)
		return at;
	fc_stream_char(grind->opts.out, '\n');
	put_pseudo(grind, name);
	return put_edges(grind, caller, 0, at);
}

/* Callers in order: unknown ones, functions, what stands for others. */
static void put_body(struct callgrind *grind)
{
	uint64_t self = 0, calls = 0;
	size_t at = put_pseudo_edges(grind, NAME_UNKNOWN, FC_CALLERS_UNKNOWN, 0);

	for (uint32_t i = 1; i < grind->funcs.nr && !grind->opts.out->err; i++) {
		const struct func *func = &grind->funcs.at[i];
		if (!func->is_called)
			continue;
		self += func->self;
		calls += func->calls;
		fc_stream_char(grind->opts.out, '\n');
		put_function(grind, &caller_keys, i);
		fc_stream_number(grind->opts.out, func->line);
		put_costs(grind, func->self, func->calls);
		at = put_edges(grind, i, func->line, at);
	}
	at = put_pseudo_edges(grind, NAME_ALL, FC_CALLERS_OUTERMOST, at);
	put_pseudo_edges(grind, NAME_OTHER, FC_CALLERS_BEYOND, at);
	fc_stream_text(grind->opts.out, "\ntotals:");
	put_costs(grind, self, calls);
}

static int callgrind_end(struct fc_exporter *exporter)
{
	struct callgrind *grind = (struct callgrind *)exporter;

	sum_functions(grind);
	find_files(grind);
	sort_rows(grind);
	put_head(grind);
	put_body(grind);
	return 0;
}

static void callgrind_destroy(struct fc_exporter *exporter)
{
	struct callgrind *grind = (struct callgrind *)exporter;

	fc_callers_destroy(grind->callers);
	fc_vec_free(&grind->funcs);
	fc_vec_free(&grind->files);
	fc_vec_free(&grind->is_file_named);
	fc_vec_free(&grind->is_object_named);
	free(grind->order);
	fc_summed_deinit(&grind->summed);
	free(grind);
}

static struct fc_exporter *callgrind_create(const struct fc_export_opts *opts)
{
	struct callgrind *grind = fc_alloc(sizeof(*grind));

	grind->opts = *opts;
	grind->callers = fc_callers_create(FC_CALLERS_PAIRS);
	fc_summed_init(&grind->summed, fc_callers_sink(grind->callers));
	grind->summed.exporter.end = callgrind_end;
	grind->summed.exporter.destroy = callgrind_destroy;
	return &grind->summed.exporter;
}

const struct fc_format fc_format_callgrind = {
	.name = "callgrind",
	.suffix = "callgrind",
	.about = "callgrind: callers and callees; KCachegrind, callgrind_annotate",
	.can_by_calls = true,
	.can_source = true,
	.create = callgrind_create,
};
