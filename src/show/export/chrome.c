/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chrome.c - the Trace Event Format of chrome://tracing, Perfetto's UI, speedscope and others, as
 * a JSON object.
 *
 *	{"displayTimeUnit":"ns","otherData":{...},"traceEvents":[
 *	{"ph":"M","pid":12,"tid":12,"name":"process_name","args":{"name":"a.out"}},
 *	{"ph":"B","ts":5.210,"pid":12,"tid":12,"name":"f","cat":"a.out"},
 *	{"ph":"E","ts":5.250,"pid":12,"tid":12,"name":"f"}]}
 *
 * A call is a begin and an end, not one complete event (X) when it ends: those would come
 * innermost first, and viewers that sort them by time cannot know which of two calls is the
 * outer one when both begin in the same nanosecond. Begins and ends come in order.
 *
 * Times that the trace has no finer are equal. Viewers that sort begins and ends by themselves
 * (speedscope) then take "f ends, g ends, f begins" for "f begins, f ends, g ends". So on a stack an
 * end and a begin are never in the same nanosecond: the later one is moved by one, as are what is at
 * the same time behind it. That is less than the trace's own resolution.
 *
 * speedscope pairs begins and ends by name and args. So the end repeats the name, and neither has
 * args: arguments and the result are an instant where the call ends, which speedscope leaves out:
 *
 *	{"ph":"i","ts":5.250,"pid":12,"tid":12,"name":"values","cat":"fctrace","s":"t",
 *	 "args":{"call":"f","args":"3, \"a\"","result":"-1 ENOENT"}},
 *
 * Marks (include/fctrace.h) of spans and counters are what viewers have for these: an async event ("b", "e") with an
 * id that is the span's own, for it need not nest, and a counter ("C").
 *
 * Where one thread woke another, or released the lock that it waited for, an arrow leads from one to the other
 * (docs/locks.md), if the whole trace is told:
 *
 *	{"ph":"s","ts":5.210,"pid":12,"tid":12,"name":"wakes","cat":"lock","id":1},
 *	{"ph":"f","ts":5.250,"pid":12,"tid":13,"name":"wakes","cat":"lock","id":1,"bp":"e"}
 *
 * What is special about a call is a further category, for the same reason: "entry only" (an instant,
 * as its end is not recorded) and "begun before" (fork, flight recorder, -r: it is not counted).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "calls/call_text.h"
#include "calls/kinds.h"
#include "calls/mark_kind.h"
#include "calls/thread_names.h"
#include "calls/programs.h"
#include "calls/tee.h"
#include "read/locks/locks.h"
#include "show/export/format.h"
#include "show/export/quoted.h"
#include "show/export/track.h"
#include "trace/mark.h"

struct chrome {
	struct fc_exporter exporter;
	struct fc_export_opts opts;
	struct fc_value_text args, result; /* of one call */
	struct fc_quoted names;
	struct fc_tracks tracks;
	struct fc_programs programs;
	struct fc_thread_names thread_names;
	struct fc_threads processes; /* by pid; first: its name was told */
	bool has_event, is_mark;     /* is_mark: what has just been entered was told as one */
	struct fc_locks *locks;	     /* NULL: there are no arrows */
	struct fc_lock_teller teller;
	struct fc_tee tee;
	uint64_t nr_arrows;
};

static struct chrome *chrome_of(struct fc_call_sink *sink)
{
	return (struct chrome *)sink;
}

static void begin_event(struct chrome *chrome, char phase)
{
	char text[] = ",\n{\"ph\":\"?\"";
	size_t skip = chrome->has_event ? 0 : 1; /* the comma */

	text[sizeof(text) - 3] = phase;
	fc_stream_put(chrome->opts.out, text + skip, sizeof(text) - 1 - skip);
	chrome->has_event = true;
}

static void put_time(struct chrome *chrome, uint64_t ns)
{
	fc_stream_literal(chrome->opts.out, ",\"ts\":");
	fc_stream_thousandths(chrome->opts.out, ns);
}

/* ---- names of processes and threads ---- */

static void put_process_name(struct chrome *chrome, int pid, const char *program)
{
	begin_event(chrome, 'M');
	fc_put_json_task(chrome->opts.out, pid, pid);
	fc_stream_literal(chrome->opts.out, ",\"name\":\"process_name\",\"args\":{\"name\":");
	fc_quote_json_text(chrome->opts.out, program);
	fc_stream_literal(chrome->opts.out, "}}");
	fc_threads_make(&chrome->processes, pid)->first = 1;
}

static void put_track_name(struct chrome *chrome, const struct fc_track *track)
{
	struct fc_stream *out = chrome->opts.out;
	const char *name = fc_thread_names_of(&chrome->thread_names, track->pid, track->tid);

	begin_event(chrome, 'M');
	fc_put_json_task(out, track->pid, track->id);
	fc_stream_literal(out, ",\"name\":\"thread_name\",\"args\":{\"name\":");
	char text[96];
	snprintf(text, sizeof(text), "%s%sthread %d%s%.32s",
		 track->is_extra ? "another stack of " : "",
		 track->tid == track->pid ? "main " : "", track->tid, name ? ": " : "",
		 name ? name : "");
	fc_quote_json_text(out, text);
	fc_stream_literal(out, "}}");
}

/* How the thread of each of its events is told, made once. */
static void make_text(struct fc_track *track)
{
	int len = snprintf(track->text, sizeof(track->text),
			   ",\"pid\":%d,\"tid\":%lld,\"name\":", track->pid,
			   (long long)track->id);
	track->text_len = (size_t)len;
}

static const char *program_of(const struct chrome *chrome, int pid)
{
	return fc_programs_name(&chrome->programs, fc_programs_of(&chrome->programs, pid));
}

static void introduce(struct chrome *chrome, struct fc_track *track)
{
	if (!fc_threads_make(&chrome->processes, track->pid)->first)
		put_process_name(chrome, track->pid, program_of(chrome, track->pid));
	put_track_name(chrome, track);
	make_text(track);
	track->is_known = true;
}

static struct fc_track *track_of(struct chrome *chrome, uint32_t strand, int pid, int tid)
{
	struct fc_track *track = fc_tracks_get(&chrome->tracks, strand, pid, tid);

	if (!track->is_known)
		introduce(chrome, track);
	return track;
}

/* ---- calls ---- */

/* When it is on its track: a begin is not when an end is, and nothing goes back in time. */
static uint64_t time_on(struct fc_track *track, char phase, uint64_t ns)
{
	uint64_t first = track->last_ns + (phase != track->last_phase && phase != 'i');

	if (track->last_phase && ns < first)
		ns = first;
	track->last_ns = ns;
	if (phase != 'i')
		track->last_phase = phase;
	return ns;
}

static void put_call(struct chrome *chrome, char phase, const struct fc_track *track,
		     uint64_t ns, struct fc_quoted_text name)
{
	begin_event(chrome, phase);
	put_time(chrome, ns);
	fc_stream_put(chrome->opts.out, track->text, track->text_len);
	fc_stream_put(chrome->opts.out, name.text, name.len);
}

/* A module's name, open for further words. */
static void put_category(struct fc_stream *out, struct fc_quoted_text module)
{
	fc_stream_literal(out, ",\"cat\":");
	fc_stream_put(out, module.text, module.len - 1);
}

/* Is it one number, as JSON has them? */
static bool is_number(const struct fc_value_text *text)
{
	static const char digits[] = "0123456789";
	const char *at = text->at, *end = at + text->nr;
	if (at < end && *at == '-')
		at++;
	bool has_zero = at < end && *at == '0';
	const char *first = at;
	while (at < end && strchr(digits, *at))
		at++;
	if (at == first || (has_zero && at > first + 1))
		return false;
	if (at < end && *at == '.')
		for (first = ++at; at < end && strchr(digits, *at);)
			at++;
	return at == end && at > first;
}

/*
 * A span or a counter, which viewers have something for. A span of one name is open once in a thread; it need
 * not nest in the calls. False: the mark is an instant, as other calls without an end.
 */
static bool put_mark(struct chrome *chrome, const struct fc_call *call,
		     const struct fc_track *track)
{
	static const char phases[] = {
		[FC_MARK_IS_BEGIN] = 'b', [FC_MARK_IS_END] = 'e', [FC_MARK_IS_COUNTER] = 'C'
	};
	struct fc_namer *namer = &chrome->names.namer;
	struct fc_stream *out = chrome->opts.out;
	const char *name;
	enum fc_mark_kind kind =
		fc_mark_kind_of(namer->name_of(namer->ctx, call->func).name, &name);
	bool has_args = kind != FC_MARK_IS_NONE &&
			fc_call_args_text(chrome->opts.values, call->values, &chrome->args);
	if (kind == FC_MARK_IS_NONE ||
	    (kind == FC_MARK_IS_COUNTER && (!has_args || !is_number(&chrome->args))))
		return false;
	begin_event(chrome, phases[kind]);
	put_time(chrome, fc_clock_ns(chrome->opts.clock, call->begin_tsc));
	fc_put_json_task(out, track->pid, track->id);
	fc_stream_literal(out, ",\"name\":");
	fc_quote_json_text(out, name);
	fc_stream_literal(out, ",\"cat\":\"mark\"");
	if (kind == FC_MARK_IS_COUNTER) {
		fc_stream_literal(out, ",\"args\":{\"value\":");
		fc_stream_put(out, chrome->args.at, chrome->args.nr);
		fc_stream_literal(out, "}}");
		return true;
	}
	fc_auto_free char *id = fc_asprintf("%lld %s", (long long)track->id, name);
	fc_stream_literal(out, ",\"id\":");
	fc_quote_json_text(out, id);
	fc_stream_literal(out, ",\"args\":{");
	if (has_args) {
		fc_stream_literal(out, "\"values\":");
		fc_quote_json(out, chrome->args.at, chrome->args.nr);
	}
	fc_stream_literal(out, "}}");
	return true;
}

static void chrome_enter(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct chrome *chrome = chrome_of(sink);
	struct fc_stream *out = chrome->opts.out;
	struct fc_quoted_func func = fc_quoted_get(&chrome->names, call->func);
	bool is_instant = call->left == FC_LEFT_UNSEEN;
	char phase = is_instant ? 'i' : 'B';
	struct fc_track *track = track_of(chrome, call->strand, call->pid, call->tid);
	chrome->is_mark = is_instant && put_mark(chrome, call, track);
	if (chrome->is_mark)
		return;
	uint64_t ns = time_on(track, phase, fc_clock_ns(chrome->opts.clock, call->begin_tsc));

	put_call(chrome, phase, track, ns, func.name);
	put_category(out, func.module);
	if (is_instant)
		fc_stream_literal(out, ",entry only\",\"s\":\"t\"}");
	else if (call->is_inherited || call->is_resumed)
		fc_stream_literal(out, ",begun before\"}");
	else
		fc_stream_literal(out, "\"}");
}

static void put_member(struct fc_stream *out, const char *key, const struct fc_value_text *text)
{
	fc_stream_literal(out, ",\"");
	fc_stream_text(out, key);
	fc_stream_literal(out, "\":");
	fc_quote_json(out, text->at, text->nr);
}

static void put_values(struct chrome *chrome, const struct fc_call *call,
		       const struct fc_track *track, uint64_t ns, struct fc_quoted_text name)
{
	static const struct fc_quoted_text values = { "\"values\"", sizeof("\"values\"") - 1 };
	const struct fc_values *known = chrome->opts.values;
	struct fc_stream *out = chrome->opts.out;
	bool has_args = fc_call_args_text(known, call->values, &chrome->args);
	bool has_result = fc_call_result_text(known, call->values, &chrome->result);

	if (!has_args && !has_result)
		return;
	put_call(chrome, 'i', track, ns, values);
	fc_stream_literal(out, ",\"cat\":\"fctrace\",\"s\":\"t\",\"args\":{\"call\":");
	fc_stream_put(out, name.text, name.len);
	if (has_args)
		put_member(out, "args", &chrome->args);
	if (has_result)
		put_member(out, "result", &chrome->result);
	fc_stream_literal(out, "}}");
}

static void chrome_leave(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct chrome *chrome = chrome_of(sink);
	struct fc_track *track = track_of(chrome, call->strand, call->pid, call->tid);
	struct fc_quoted_text name = fc_quoted_get(&chrome->names, call->func).name;
	bool is_unseen = call->left == FC_LEFT_UNSEEN;
	uint64_t ns =
		is_unseen ? track->last_ns
			  : time_on(track, 'E', fc_clock_ns(chrome->opts.clock, call->end_tsc));

	if (call->values && !(is_unseen && chrome->is_mark))
		put_values(chrome, call, track, ns, name);
	if (is_unseen)
		return;
	put_call(chrome, 'E', track, ns, name);
	fc_stream_char(chrome->opts.out, '}');
}

/* ---- instants ---- */

static void begin_instant(struct chrome *chrome, const char *word, uint64_t tsc)
{
	begin_event(chrome, 'i');
	put_time(chrome, fc_clock_ns(chrome->opts.clock, tsc));
	fc_stream_literal(chrome->opts.out, ",\"name\":\"");
	fc_stream_text(chrome->opts.out, word);
	fc_stream_literal(chrome->opts.out, "\",\"cat\":\"fctrace\"");
}

static void put_number_arg(struct fc_stream *out, const char *key, int64_t n)
{
	fc_stream_literal(out, ",\"args\":{\"");
	fc_stream_text(out, key);
	fc_stream_literal(out, "\":");
	fc_stream_signed(out, n);
	fc_stream_literal(out, "}}");
}

static void put_text_arg(struct fc_stream *out, const char *key, const char *text)
{
	fc_stream_literal(out, ",\"args\":{\"");
	fc_stream_text(out, key);
	fc_stream_literal(out, "\":");
	fc_quote_json_text(out, text ? text : "");
	fc_stream_literal(out, "}}");
}

static void chrome_event(struct fc_call_sink *sink, const struct fc_event *event)
{
	struct chrome *chrome = chrome_of(sink);
	const char *word = fc_mark_word(event->mark);

	if (!word)
		return;
	const struct fc_track *track = track_of(chrome, event->strand, event->pid, event->tid);
	begin_instant(chrome, word, event->tsc);
	fc_put_json_task(chrome->opts.out, track->pid, track->id);
	fc_stream_literal(chrome->opts.out, ",\"s\":\"t\"");
	put_number_arg(chrome->opts.out,
		       event->mark == FC_MARK_WAITED ? "ns" : fc_mark_value_word(event->mark),
		       (int64_t)fc_mark_shown_value(event, chrome->opts.clock));
}

static void put_life_arg(struct fc_stream *out, const struct fc_life_info *life)
{
	switch (life->life) {
	case FC_LIFE_START:
		put_number_arg(out, "parent", life->other);
		break;
	case FC_LIFE_EXIT:
		if (WIFSIGNALED(life->status))
			put_number_arg(out, "signal", WTERMSIG(life->status));
		else
			put_number_arg(out, "status", WEXITSTATUS(life->status));
		break;
	case FC_LIFE_EXEC:
		put_text_arg(out, "program", life->text);
		break;
	case FC_LIFE_SAY:
	case FC_LIFE_NOTE:
	case FC_LIFE_NAME:
	case FC_LIFE_SIGNAL:
		put_text_arg(out, "text", life->text);
		break;
	default:
		fc_stream_char(out, '}');
	}
}

/* Its own stack's; the last name of a track is the one that is shown. */
static void rename_track(struct chrome *chrome, const struct fc_life_info *life)
{
	uint32_t strand = fc_threads_make(&chrome->tracks.threads, life->tid)->first;
	if (strand)
		put_track_name(chrome, track_of(chrome, strand, life->pid, life->tid));
}

static void follow(struct chrome *chrome, const struct fc_life_info *life)
{
	fc_programs_life(&chrome->programs, life);
	fc_thread_names_life(&chrome->thread_names, life);
	if (life->life == FC_LIFE_NAME)
		rename_track(chrome, life);
	if (life->life == FC_LIFE_EXEC)
		put_process_name(chrome, life->pid, program_of(chrome, life->pid));
	fc_tracks_life(&chrome->tracks, life);
	if (life->life == FC_LIFE_EXIT)
		fc_threads_make(&chrome->processes, life->pid)->first = 0;
}

static void chrome_earlier(struct fc_exporter *exporter, const struct fc_life_info *life)
{
	fc_programs_life(&chrome_of(&exporter->sink)->programs, life);
	fc_thread_names_life(&chrome_of(&exporter->sink)->thread_names, life);
}

static void chrome_life(struct fc_exporter *exporter, const struct fc_life_info *life)
{
	struct chrome *chrome = chrome_of(&exporter->sink);
	const char *word = fc_life_word(life->life);
	bool is_threads = fc_life_is_of_thread(life);

	if (chrome->locks)
		fc_locks_life(chrome->locks, life);
	if (!word)
		return;
	follow(chrome, life);
	begin_instant(chrome, word, life->tsc);
	fc_put_json_task(chrome->opts.out, life->pid, is_threads ? life->tid : life->pid);
	fc_stream_text(chrome->opts.out, is_threads ? ",\"s\":\"t\"" : ",\"s\":\"p\"");
	put_life_arg(chrome->opts.out, life);
}

/* ---- arrows ---- */

static void put_arrow_end(struct chrome *chrome, char phase, const struct fc_track *track,
			  uint64_t tsc)
{
	struct fc_stream *out = chrome->opts.out;

	begin_event(chrome, phase);
	put_time(chrome, fc_clock_ns(chrome->opts.clock, tsc));
	fc_put_json_task(out, track->pid, track->id);
	fc_stream_literal(out, ",\"name\":\"wakes\",\"cat\":\"lock\",\"id\":");
	fc_stream_number(out, chrome->nr_arrows);
	if (phase == 'f') /* at the call that is open there, not at the next one */
		fc_stream_literal(out, ",\"bp\":\"e\"");
	fc_stream_char(out, '}');
}

static void put_arrow(void *ctx, const struct fc_lock_wake *wake)
{
	struct chrome *chrome = ctx;
	const struct fc_track *from =
		track_of(chrome, wake->from_strand, wake->pid, wake->from_tid);
	const struct fc_track *to = track_of(chrome, wake->to_strand, wake->pid, wake->to_tid);

	chrome->nr_arrows++;
	put_arrow_end(chrome, 's', from, wake->from_tsc);
	put_arrow_end(chrome, 'f', to, wake->to_tsc);
}

/* Some calls alone do not tell for sure who woke whom. */
static void make_arrows(struct chrome *chrome)
{
	if (chrome->opts.is_part || !fc_reader_nr_values(chrome->opts.reader))
		return;
	chrome->teller = (struct fc_lock_teller){ put_arrow, chrome };
	chrome->locks = fc_locks_create(&chrome->opts.namer, chrome->opts.values);
	fc_locks_tell(chrome->locks, &chrome->teller);
	fc_tee_init(&chrome->tee, &chrome->exporter.sink, fc_locks_sink(chrome->locks));
	chrome->exporter.summing = &chrome->tee.sink;
}

/* ---- the whole ---- */

static void put_command(struct fc_stream *out, const struct fc_reader *reader)
{
	fc_stream_literal(out, "\"command\":[");
	for (int i = 0; i < fc_reader_argc(reader); i++) {
		if (i)
			fc_stream_char(out, ',');
		fc_quote_json_text(out, fc_reader_arg(reader, i));
	}
	fc_stream_char(out, ']');
}

static void put_head(struct chrome *chrome)
{
	struct fc_stream *out = chrome->opts.out;

	fc_stream_literal(out,
			  "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"tracer\":\"fctrace\",");
	put_command(out, chrome->opts.reader);
	fc_stream_literal(out, ",\"machine\":");
	fc_quote_json_text(out, fc_reader_machine(chrome->opts.reader));
	fc_stream_literal(out, ",\"begin_unix_ns\":\"");
	fc_stream_number(out, chrome->opts.clock->real0_ns);
	fc_stream_literal(out, "\"},\"traceEvents\":[");
}

static int chrome_end(struct fc_exporter *exporter)
{
	fc_stream_literal(chrome_of(&exporter->sink)->opts.out, "]}\n");
	return 0;
}

static void chrome_destroy(struct fc_exporter *exporter)
{
	struct chrome *chrome = chrome_of(&exporter->sink);

	fc_locks_destroy(chrome->locks);
	fc_quoted_deinit(&chrome->names);
	fc_tracks_deinit(&chrome->tracks);
	fc_programs_deinit(&chrome->programs);
	fc_thread_names_deinit(&chrome->thread_names);
	fc_threads_deinit(&chrome->processes);
	free(chrome);
}

static struct fc_exporter *chrome_create(const struct fc_export_opts *opts)
{
	struct chrome *chrome = fc_alloc(sizeof(*chrome));

	chrome->exporter = (struct fc_exporter){
		.sink = { chrome_enter, chrome_leave, chrome_event, fc_sink_skip_finish },
		.life = chrome_life,
		.earlier = chrome_earlier,
		.end = chrome_end,
		.destroy = chrome_destroy,
	};
	chrome->opts = *opts;
	fc_quoted_init(&chrome->names, opts->namer, fc_quote_json);
	fc_tracks_init(&chrome->tracks);
	make_arrows(chrome);
	put_head(chrome);
	return &chrome->exporter;
}

const struct fc_format fc_format_chrome = {
	.name = "chrome",
	.suffix = "json",
	.bytes_per_call = 120,
	.about = "Trace Event JSON: chrome://tracing, ui.perfetto.dev, speedscope",
	.create = chrome_create,
};
