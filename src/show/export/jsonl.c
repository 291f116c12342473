/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jsonl.c - JSON lines: an object a line, a call when it ends.
 *
 *	{"type":"call","name":"f","module":"a.out","begin_ns":5210,"duration_ns":40,"self_ns":40,
 *	 "depth":1,"pid":12,"tid":12,"ended":"return","entered":true,"args":"3, \"a\"","result":3}
 *	{"type":"start","time_ns":0,"pid":12,"value":1}
 *
 * The words are those of fctrace query's tables calls and events. No "duration_ns" where the
 * end was not observed, no "begin_ns" where the begin was not. "entered" is false for a call
 * that began in the process that forked this one, or before what was kept: it counts there. "args"
 * and "result" are there where they were recorded: a result that is a number is one.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "calls/call_text.h"
#include "calls/kinds.h"
#include "show/export/format.h"
#include "show/export/quoted.h"
#include "show/export/told.h"
#include "trace/mark.h"
#include "values/recorded_scalar.h"

struct jsonl {
	struct fc_exporter exporter;
	struct fc_export_opts opts;
	struct fc_quoted names;
	struct fc_scalar scalar; /* of one call */
};

static struct jsonl *jsonl_of(struct fc_call_sink *sink)
{
	return (struct jsonl *)sink;
}

static void put_times(struct fc_stream *out, const struct fc_told *told)
{
	if (told->has_begin) {
		fc_stream_literal(out, ",\"begin_ns\":");
		fc_stream_number(out, told->begin_ns);
	}
	if (!told->has_end)
		return;
	fc_stream_literal(out, ",\"duration_ns\":");
	fc_stream_number(out, told->duration_ns);
	fc_stream_literal(out, ",\"self_ns\":");
	fc_stream_number(out, told->self_ns);
	if (!told->has_waits)
		return;
	fc_stream_literal(out, ",\"wait_ns\":");
	fc_stream_number(out, told->wait_ns);
	fc_stream_literal(out, ",\"self_wait_ns\":");
	fc_stream_number(out, told->self_wait_ns);
}

static void put_text(struct fc_stream *out, const char *key, const char *text)
{
	fc_stream_literal(out, ",\"");
	fc_stream_text(out, key);
	fc_stream_literal(out, "\":");
	fc_quote_json_text(out, text);
}

static void put_values(struct jsonl *jsonl, const struct fc_call_values *of)
{
	struct fc_scalar *scalar = &jsonl->scalar;
	struct fc_stream *out = jsonl->opts.out;

	if (fc_call_args_text(jsonl->opts.values, of, &scalar->text))
		put_text(out, "args", scalar->text.at);
	if (!fc_values_result(jsonl->opts.values, fc_call_result(of), scalar))
		return;
	if (scalar->kind == FC_SCALAR_INT) {
		fc_stream_literal(out, ",\"result\":");
		fc_stream_signed(out, scalar->number);
	} else if (scalar->kind == FC_SCALAR_FLOAT && isfinite(scalar->real)) {
		fc_stream_literal(out, ",\"result\":");
		fc_stream_text(out, scalar->text.at);
	} else {
		put_text(out, "result", scalar->text.at);
	}
}

static void jsonl_leave(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct jsonl *jsonl = jsonl_of(sink);
	struct fc_stream *out = jsonl->opts.out;
	struct fc_quoted_func func = fc_quoted_get(&jsonl->names, call->func);
	struct fc_told told = fc_told(jsonl->opts.reader, call);

	fc_stream_literal(out, "{\"type\":\"call\",\"name\":");
	fc_stream_put(out, func.name.text, func.name.len);
	fc_stream_literal(out, ",\"module\":");
	fc_stream_put(out, func.module.text, func.module.len);
	put_times(out, &told);
	fc_stream_literal(out, ",\"depth\":");
	fc_stream_number(out, call->depth);
	fc_put_json_task(out, call->pid, call->tid);
	fc_stream_literal(out, ",\"ended\":\"");
	fc_stream_text(out, fc_left_word(call->left));
	fc_stream_literal(out, "\",\"entered\":");
	fc_stream_text(out, told.is_entered ? "true" : "false");
	if (call->values && jsonl->opts.values)
		put_values(jsonl, call->values);
	fc_stream_literal(out, "}\n");
}

static void begin_event(struct jsonl *jsonl, const char *type, uint64_t tsc)
{
	fc_stream_literal(jsonl->opts.out, "{\"type\":\"");
	fc_stream_text(jsonl->opts.out, type);
	fc_stream_literal(jsonl->opts.out, "\",\"time_ns\":");
	fc_stream_number(jsonl->opts.out, fc_clock_ns(jsonl->opts.clock, tsc));
}

static void end_event(struct jsonl *jsonl, int64_t value)
{
	fc_stream_literal(jsonl->opts.out, ",\"value\":");
	fc_stream_signed(jsonl->opts.out, value);
	fc_stream_literal(jsonl->opts.out, "}\n");
}

static void jsonl_event(struct fc_call_sink *sink, const struct fc_event *event)
{
	struct jsonl *jsonl = jsonl_of(sink);
	const char *word = fc_mark_word(event->mark);

	if (!word)
		return;
	begin_event(jsonl, word, event->tsc);
	fc_put_json_task(jsonl->opts.out, event->pid, event->tid);
	end_event(jsonl, (int64_t)fc_mark_shown_value(event, jsonl->opts.clock));
}

static void jsonl_life(struct fc_exporter *exporter, const struct fc_life_info *life)
{
	struct jsonl *jsonl = jsonl_of(&exporter->sink);
	const char *word = fc_life_word(life->life);

	if (!word)
		return;
	begin_event(jsonl, word, life->tsc);
	fc_put_json_task(jsonl->opts.out, life->pid, life->tid);
	if (*life->text)
		put_text(jsonl->opts.out, "text", life->text);
	end_event(jsonl, life->life == FC_LIFE_EXIT ? life->status : life->other);
}

static void jsonl_destroy(struct fc_exporter *exporter)
{
	struct jsonl *jsonl = jsonl_of(&exporter->sink);

	fc_quoted_deinit(&jsonl->names);
	free(jsonl);
}

static struct fc_exporter *jsonl_create(const struct fc_export_opts *opts)
{
	struct jsonl *jsonl = fc_alloc(sizeof(*jsonl));

	jsonl->exporter = (struct fc_exporter){
		.sink = { fc_sink_skip_call, jsonl_leave, jsonl_event, fc_sink_skip_finish },
		.life = jsonl_life,
		.destroy = jsonl_destroy,
	};
	jsonl->opts = *opts;
	fc_quoted_init(&jsonl->names, opts->namer, fc_quote_json);
	return &jsonl->exporter;
}

const struct fc_format fc_format_jsonl = {
	.name = "jsonl",
	.suffix = "jsonl",
	.about = "JSON lines: an object a call and an event; jq, any script",
	.create = jsonl_create,
};
