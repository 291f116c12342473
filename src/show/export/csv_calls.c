/* SPDX-License-Identifier: Apache-2.0 */
/*
 * csv_calls.c - comma-separated values (RFC 4180): a line a call, as it ends, below the heads.
 *
 *	func,name,module,begin_ns,end_ns,duration_ns,self_ns,wait_ns,self_wait_ns,depth,caller,...
 *	17,fib,a.out,5210,5250,40,40,,,3,17,fib,1,12,12,return,1,1,"3, ""a""",-1 ENOENT
 *
 * The columns are those of fctrace query's table of calls, in its order, but for id; arguments and the
 * result are as the tree tells them, in two columns. What is not known is empty.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/memory.h"
#include "calls/call_text.h"
#include "calls/kinds.h"
#include "show/export/format.h"
#include "show/export/quoted.h"
#include "show/export/told.h"

struct csv {
	struct fc_exporter exporter;
	struct fc_export_opts opts;
	struct fc_value_text text; /* of one call's */
	struct fc_quoted names;
	uint32_t strand; /* the last one, as its calls have it: "strand,tid,pid," */
	char thread[48];
	size_t thread_len;
};

static const char head[] = "func,name,module,begin_ns,end_ns,duration_ns,self_ns,wait_ns,self_"
			   "wait_ns,depth,caller,"
			   "caller_name,strand,tid,pid,ended,recursive,entered,args,result\r\n";

static struct csv *csv_of(struct fc_call_sink *sink)
{
	return (struct csv *)sink;
}

/* A field that another one follows. */

static void put_text(struct fc_stream *out, struct fc_quoted_text text)
{
	fc_stream_put(out, text.text, text.len);
	fc_stream_char(out, ',');
}

static void put_number(struct fc_stream *out, uint64_t n)
{
	fc_stream_number(out, n);
	fc_stream_char(out, ',');
}

static void put_known(struct fc_stream *out, bool is_known, uint64_t n)
{
	if (is_known)
		put_number(out, n);
	else
		fc_stream_char(out, ',');
}

/* Calls come in runs of one strand. */
static void put_thread(struct csv *csv, const struct fc_call *call)
{
	if (csv->strand != call->strand || !csv->thread_len)
		csv->thread_len =
			(size_t)snprintf(csv->thread, sizeof(csv->thread), "%u,%d,%d,",
					 call->strand, call->tid, call->pid);
	csv->strand = call->strand;
	fc_stream_put(csv->opts.out, csv->thread, csv->thread_len);
}

static void put_times(struct fc_stream *out, const struct fc_told *told)
{
	put_known(out, told->has_begin, told->begin_ns);
	put_known(out, told->has_end, told->end_ns);
	put_known(out, told->has_end, told->duration_ns);
	put_known(out, told->has_end, told->self_ns);
	put_known(out, told->has_waits, told->wait_ns);
	put_known(out, told->has_waits, told->self_wait_ns);
}

static void put_caller(struct csv *csv, uint32_t caller)
{
	if (caller) {
		put_number(csv->opts.out, caller);
		put_text(csv->opts.out, fc_quoted_get(&csv->names, caller).name);
	} else {
		fc_stream_put(csv->opts.out, ",,", 2);
	}
}

/* A number is no formula, and stays one: no ' stands before it. */
static void put_value(struct fc_stream *out, const struct fc_value_text *text)
{
	size_t sign = text->at[0] == '-';

	if (text->nr > sign && strspn(text->at + sign, "0123456789.") == text->nr - sign)
		fc_stream_put(out, text->at, text->nr);
	else
		fc_csv_quote(out, text->at, text->nr);
}

static void put_values(struct csv *csv, const struct fc_call_values *of)
{
	if (fc_call_args_text(csv->opts.values, of, &csv->text))
		put_value(csv->opts.out, &csv->text);
	fc_stream_char(csv->opts.out, ',');
	if (fc_call_result_text(csv->opts.values, of, &csv->text))
		put_value(csv->opts.out, &csv->text);
}

static void csv_leave(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct csv *csv = csv_of(sink);
	struct fc_stream *out = csv->opts.out;
	struct fc_quoted_func func = fc_quoted_get(&csv->names, call->func);
	struct fc_told told = fc_told(csv->opts.reader, call);

	put_number(out, call->func);
	put_text(out, func.name);
	put_text(out, func.module);
	put_times(out, &told);
	put_number(out, call->depth);
	put_caller(csv, call->caller);
	put_thread(csv, call);
	fc_stream_text(out, fc_left_word(call->left));
	fc_stream_text(out, call->is_recursive ? ",1," : ",0,");
	fc_stream_text(out, told.is_entered ? "1," : "0,");
	if (call->values)
		put_values(csv, call->values);
	else
		fc_stream_char(out, ',');
	fc_stream_put(out, "\r\n", 2);
}

static void csv_destroy(struct fc_exporter *exporter)
{
	struct csv *csv = csv_of(&exporter->sink);

	fc_quoted_deinit(&csv->names);
	free(csv);
}

static struct fc_exporter *csv_create(const struct fc_export_opts *opts)
{
	struct csv *csv = fc_alloc(sizeof(*csv));

	csv->exporter = (struct fc_exporter){
		.sink = { fc_sink_skip_call, csv_leave, fc_sink_skip_event,
			  fc_sink_skip_finish },
		.destroy = csv_destroy,
	};
	csv->opts = *opts;
	fc_quoted_init(&csv->names, opts->namer, fc_csv_quote);
	fc_stream_put(csv->opts.out, head, sizeof(head) - 1);
	return &csv->exporter;
}

const struct fc_format fc_format_csv = {
	.name = "csv",
	.suffix = "csv",
	.about = "comma-separated values, a line a call: spreadsheets, pandas",
	.create = csv_create,
};
