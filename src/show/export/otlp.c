/* SPDX-License-Identifier: Apache-2.0 */
/*
 * otlp.c - OpenTelemetry's spans, as OTLP's JSON has them (opentelemetry.io/docs/specs/otlp, "JSON Protobuf Encoding",
 * and the file exporter's lines): an object a line, each of which a collector takes by itself.
 *
 *	{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"nginx"}},...]},
 *	"scopeSpans":[{"scope":{"name":"fctrace"},"spans":[
 *	{"traceId":"...","spanId":"...","parentSpanId":"...","name":"f","kind":1,
 *	 "startTimeUnixNano":"1764354000000000000","endTimeUnixNano":"...","attributes":[...],"status":{...}}]}]}]}
 *
 * A call is a span, told when it ends. The outermost call of a stack is the root of a trace of its own, with all that is
 * called beneath it: with -F, what it asks for. A line has spans of one process, which is its resource.
 *
 * Ids are made of the session's start and of how many spans there were before: the same trace gives the same ids, and
 * traces of other sessions give others.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "base/mix.h"
#include "calls/call_text.h"
#include "calls/kinds.h"
#include "calls/programs.h"
#include "calls/strands.h"
#include "show/export/format.h"
#include "show/export/quoted.h"
#include "show/export/told.h"

/* Numbers of the schema's enums (trace.proto). */
enum { SPAN_KIND_INTERNAL = 1, STATUS_CODE_ERROR = 2 };
enum { MOST_SPANS = 2000 }; /* of a line: collectors take some megabytes at a time */

/* The calls of a strand that are open. */
struct stack {
	uint64_t trace[2];
	FC_VEC(uint64_t) spans; /* their ids, the outermost first */
};

struct otlp {
	struct fc_exporter exporter;
	struct fc_export_opts opts;
	struct fc_quoted names;
	struct fc_programs programs;
	struct fc_strands stacks; /* of struct stack */
	struct fc_value_text text;
	uint64_t seed, nr_ids;
	int pid; /* of the line that is being written; 0: none is */
	uint32_t program;
	uint32_t nr_spans; /* on it */
};

static struct otlp *otlp_of(struct fc_call_sink *sink)
{
	return (struct otlp *)sink;
}

/* ---- ids ---- */

/* No id is 0. */
static uint64_t next_id(struct otlp *otlp)
{
	uint64_t id;
	do
		id = fc_mix64(otlp->seed + ++otlp->nr_ids);
	while (!id);
	return id;
}

static void put_hex(struct fc_stream *out, uint64_t n)
{
	static const char digits[] = "0123456789abcdef";
	char *at = fc_stream_room(out, 16);

	for (int i = 0; i < 16; i++)
		at[i] = digits[n >> (60 - 4 * i) & 15];
	out->len += 16;
}

/* ---- attributes ---- */

static void begin_attribute(struct fc_stream *out, bool is_first, const char *key)
{
	fc_stream_text(out, is_first ? "{\"key\":\"" : ",{\"key\":\"");
	fc_stream_text(out, key);
}

static void put_text(struct fc_stream *out, bool is_first, const char *key, const char *text)
{
	begin_attribute(out, is_first, key);
	fc_stream_literal(out, "\",\"value\":{\"stringValue\":");
	fc_quote_json_text(out, text);
	fc_stream_literal(out, "}}");
}

/* 64-bit integers are texts. */
static void put_number(struct fc_stream *out, bool is_first, const char *key, int64_t n)
{
	begin_attribute(out, is_first, key);
	fc_stream_literal(out, "\",\"value\":{\"intValue\":\"");
	fc_stream_signed(out, n);
	fc_stream_literal(out, "\"}}");
}

static void put_bool(struct fc_stream *out, const char *key, bool is_true)
{
	begin_attribute(out, false, key);
	fc_stream_text(out, is_true ? "\",\"value\":{\"boolValue\":true}}"
				    : "\",\"value\":{\"boolValue\":false}}");
}

/* ---- lines ---- */

static void end_line(struct otlp *otlp)
{
	if (otlp->pid)
		fc_stream_literal(otlp->opts.out, "]}]}]}\n");
	otlp->pid = 0;
}

static void begin_line(struct otlp *otlp, int pid, uint32_t program)
{
	struct fc_stream *out = otlp->opts.out;

	fc_stream_literal(out, "{\"resourceSpans\":[{\"resource\":{\"attributes\":[");
	put_text(out, true, "service.name", fc_programs_name(&otlp->programs, program));
	put_number(out, false, "process.pid", pid);
	fc_stream_literal(out,
			  "]},\"scopeSpans\":[{\"scope\":{\"name\":\"fctrace\"},\"spans\":[");
	otlp->pid = pid;
	otlp->program = program;
	otlp->nr_spans = 0;
}

static void begin_span(struct otlp *otlp, int pid)
{
	uint32_t program = fc_programs_of(&otlp->programs, pid);

	if (otlp->pid != pid || otlp->program != program || otlp->nr_spans == MOST_SPANS) {
		end_line(otlp);
		begin_line(otlp, pid, program);
	}
	fc_stream_text(otlp->opts.out, otlp->nr_spans++ ? ",{" : "{");
}

/* ---- calls ---- */

static struct stack *stack_of(struct otlp *otlp, uint32_t strand)
{
	return fc_strands_make(&otlp->stacks, strand);
}

static void otlp_enter(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct otlp *otlp = otlp_of(sink);
	struct stack *stack = stack_of(otlp, call->strand);

	if (!stack->spans.nr) {
		stack->trace[0] = next_id(otlp);
		stack->trace[1] = next_id(otlp);
	}
	fc_vec_push(&stack->spans, next_id(otlp));
}

static void put_ids(struct fc_stream *out, const struct stack *stack)
{
	size_t nr = stack->spans.nr;

	fc_stream_literal(out, "\"traceId\":\"");
	put_hex(out, stack->trace[0]);
	put_hex(out, stack->trace[1]);
	fc_stream_literal(out, "\",\"spanId\":\"");
	put_hex(out, stack->spans.at[nr - 1]);
	if (nr > 1) {
		fc_stream_literal(out, "\",\"parentSpanId\":\"");
		put_hex(out, stack->spans.at[nr - 2]);
	}
	fc_stream_char(out, '"');
}

static void put_times(struct otlp *otlp, const struct fc_told *told)
{
	uint64_t real0_ns = otlp->opts.clock->real0_ns;

	fc_stream_literal(otlp->opts.out, ",\"startTimeUnixNano\":\"");
	fc_stream_number(otlp->opts.out, real0_ns + told->begin_ns);
	fc_stream_literal(otlp->opts.out, "\",\"endTimeUnixNano\":\"");
	fc_stream_number(otlp->opts.out,
			 real0_ns + (told->has_end ? told->end_ns : told->begin_ns));
	fc_stream_char(otlp->opts.out, '"');
}

static void put_attributes(struct otlp *otlp, const struct fc_call *call,
			   const struct fc_told *told, struct fc_quoted_text module)
{
	struct fc_stream *out = otlp->opts.out;
	const struct fc_values *values = otlp->opts.values;

	fc_stream_literal(
		out,
		",\"attributes\":[{\"key\":\"fctrace.module\",\"value\":{\"stringValue\":");
	fc_stream_put(out, module.text, module.len);
	fc_stream_literal(out, "}}");
	put_number(out, false, "thread.id", call->tid);
	if (told->has_end)
		put_number(out, false, "fctrace.self_ns", (int64_t)told->self_ns);
	if (told->has_waits)
		put_number(out, false, "fctrace.wait_ns", (int64_t)told->wait_ns);
	if (call->left != FC_LEFT_RETURN)
		put_text(out, false, "fctrace.ended", fc_left_word(call->left));
	if (!told->is_entered)
		put_bool(out, "fctrace.entered", false);
	if (call->values && fc_call_args_text(values, call->values, &otlp->text))
		put_text(out, false, "fctrace.args", otlp->text.at);
	if (call->values && fc_call_result_text(values, call->values, &otlp->text))
		put_text(out, false, "fctrace.result", otlp->text.at);
	fc_stream_char(out, ']');
}

/* What failed says so, in the words of its result. */
static void put_status(struct otlp *otlp, const struct fc_call *call)
{
	struct fc_stream *out = otlp->opts.out;
	const struct fc_values *values = otlp->opts.values;

	if (!call->values || !values ||
	    !fc_values_is_failure(values, fc_call_result(call->values)))
		return;
	fc_stream_literal(out, ",\"status\":{\"code\":");
	fc_stream_number(out, STATUS_CODE_ERROR);
	if (fc_call_result_text(values, call->values, &otlp->text)) {
		fc_stream_literal(out, ",\"message\":");
		fc_quote_json_text(out, otlp->text.at);
	}
	fc_stream_char(out, '}');
}

static void otlp_leave(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct otlp *otlp = otlp_of(sink);
	struct fc_stream *out = otlp->opts.out;
	struct stack *stack = stack_of(otlp, call->strand);
	struct fc_told told = fc_told(otlp->opts.reader, call);
	struct fc_quoted_func func = fc_quoted_get(&otlp->names, call->func);

	begin_span(otlp, call->pid);
	put_ids(out, stack);
	fc_stream_literal(out, ",\"name\":");
	fc_stream_put(out, func.name.text, func.name.len);
	fc_stream_literal(out, ",\"kind\":");
	fc_stream_number(out, SPAN_KIND_INTERNAL);
	put_times(otlp, &told);
	put_attributes(otlp, call, &told, func.module);
	put_status(otlp, call);
	fc_stream_char(out, '}');
	stack->spans.nr--;
}

static void otlp_life(struct fc_exporter *exporter, const struct fc_life_info *life)
{
	fc_programs_life(&otlp_of(&exporter->sink)->programs, life);
}

static int otlp_end(struct fc_exporter *exporter)
{
	end_line(otlp_of(&exporter->sink));
	return 0;
}

static void otlp_destroy(struct fc_exporter *exporter)
{
	struct otlp *otlp = otlp_of(&exporter->sink);
	struct stack *stack;

	fc_strands_each (&otlp->stacks, stack)
		fc_vec_free(&stack->spans);
	fc_strands_deinit(&otlp->stacks);
	fc_programs_deinit(&otlp->programs);
	fc_quoted_deinit(&otlp->names);
	free(otlp);
}

static struct fc_exporter *otlp_create(const struct fc_export_opts *opts)
{
	struct otlp *otlp = fc_alloc(sizeof(*otlp));

	otlp->exporter = (struct fc_exporter){
		.sink = { otlp_enter, otlp_leave, fc_sink_skip_event, fc_sink_skip_finish },
		.life = otlp_life,
		.earlier = otlp_life,
		.end = otlp_end,
		.destroy = otlp_destroy,
	};
	otlp->opts = *opts;
	otlp->seed = fc_mix64(opts->clock->real0_ns) ^ fc_mix64(opts->clock->mono0_ns + 1);
	otlp->stacks.size = sizeof(struct stack);
	fc_quoted_init(&otlp->names, opts->namer, fc_quote_json);
	return &otlp->exporter;
}

const struct fc_format fc_format_otlp = {
	.name = "otlp",
	.suffix = "otlp.jsonl",
	.other_suffix = "otlp.json",
	.bytes_per_call = 400,
	.about = "OpenTelemetry's spans (OTLP's JSON); any collector",
	.create = otlp_create,
};
