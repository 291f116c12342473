/* SPDX-License-Identifier: Apache-2.0 */
/*
 * perfetto.c - Perfetto's own format: a row of TracePacket messages (perfetto_trace.proto).
 *
 *	session		ClockSnapshot, and that times are CLOCK_MONOTONIC
 *	process, thread	TrackDescriptor, when it is first needed (perfetto_tracks.h)
 *	function	InternedData: its name and its module's, when it is first called
 *	enter, leave	TrackEvent SLICE_BEGIN with both by number, and SLICE_END; what is
 *			recorded of its values as debug annotations "args" and "result"
 *	span, counter	TrackEvent SLICE_BEGIN and SLICE_END, or COUNTER, on a track of its own: marks
 *			of include/fctrace.h (perfetto_marks.h)
 *	all else	TrackEvent INSTANT: of a call whose end is not observed, too
 *
 * All packets are of one sequence, so that a name is told once. Begins and ends are most of a
 * trace: these are written straight into the stream, from pieces that are made once for each
 * function and each track.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/memory.h"
#include "calls/kinds.h"
#include "show/export/format.h"
#include "show/export/perfetto/perfetto_marks.h"
#include "show/export/perfetto/perfetto_tracks.h"
#include "trace/mark.h"
#include "values/recorded_text.h"

/* Numbers of fields, from perfetto_trace.proto. */
enum {
	PACKET_CLOCK_SNAPSHOT = 6,
	PACKET_TIMESTAMP = 8,
	PACKET_TRACK_EVENT = 11,
	PACKET_INTERNED_DATA = 12,
	PACKET_DEFAULTS = 59,
	PACKET_FIRST_ON_SEQUENCE = 87,
	DEFAULTS_CLOCK_ID = 58,
	CLOCKS = 1,
	PRIMARY_CLOCK = 2,
	CLOCK_ID = 1,
	CLOCK_TIMESTAMP = 2,
	INTERNED_CATEGORY = 1,
	INTERNED_NAME = 2,
	INTERNED_ANNOTATION = 3,
	INTERNED_STRING = 29,
	INTERNED_IID = 1,
	INTERNED_TEXT = 2,
	EVENT_CATEGORY_IID = 3,
	EVENT_ANNOTATION = 4,
	EVENT_TYPE = 9,
	EVENT_NAME_IID = 10,
	EVENT_TRACK_UUID = 11,
	EVENT_NAME = 23,
	EVENT_COUNTER = 30,
	EVENT_DOUBLE_COUNTER = 44,
	ANNOTATION_NAME_IID = 1,
	ANNOTATION_BOOL = 2,
	ANNOTATION_INT = 4,
	ANNOTATION_TEXT = 6,
	ANNOTATION_NAME = 10,
	ANNOTATION_TEXT_IID = 17,
};

enum { CLOCK_IS_REALTIME = 1, CLOCK_IS_MONOTONIC = 3 };
enum { STATE_CLEARED = 1, NEEDS_STATE = 2 };
enum { SLICE_BEGIN = 1, SLICE_END = 2, INSTANT = 3, COUNTER = 4 };

/* The numbers of what is interned at the session's start. */
enum { CATEGORY_FCTRACE = 1, CATEGORY_MODULES };
enum {
	ANNOTATION_ENDED = 1,
	ANNOTATION_ENTERED,
	ANNOTATION_ARGS,
	ANNOTATION_RESULT,
	ANNOTATION_WRITTEN
};

/* A function as an event names it: name_iid and category_iids. len 0: not told yet. */
struct function {
	uint8_t len;
	char fields[15];
};

struct perfetto {
	struct fc_exporter exporter;
	struct fc_export_opts opts;
	struct fc_value_text text, written; /* of one call's values */
	struct fc_perfetto_tracks tracks;
	struct fc_perfetto_marks marks;
	FC_VEC(struct function) functions; /* by id */
	FC_VEC(const char *) modules; /* the namer's; categories from CATEGORY_MODULES on */
};

static struct perfetto *perfetto_of(struct fc_call_sink *sink)
{
	return (struct perfetto *)sink;
}

/* ---- what is told once ---- */

static void put_packet(struct perfetto *perfetto, struct fc_pb *packet, unsigned flags)
{
	fc_pb_number(packet, FC_PERFETTO_SEQUENCE, FC_PERFETTO_SEQUENCE_ID);
	fc_pb_number(packet, FC_PERFETTO_SEQUENCE_FLAGS, flags);
	fc_pb_stream(perfetto->opts.out, FC_PERFETTO_PACKET, packet);
	fc_pb_deinit(packet);
}

static void intern(struct fc_pb *interned, unsigned kind, uint64_t iid, const char *text)
{
	struct fc_pb entry = { 0 };

	fc_pb_number(&entry, INTERNED_IID, iid);
	fc_pb_text(&entry, INTERNED_TEXT, text);
	fc_pb_message(interned, kind, &entry);
	fc_pb_deinit(&entry);
}

static void put_clock(struct fc_pb *snapshot, int id, uint64_t ns)
{
	struct fc_pb clock = { 0 };

	fc_pb_number(&clock, CLOCK_ID, (uint64_t)id);
	fc_pb_number(&clock, CLOCK_TIMESTAMP, ns);
	fc_pb_message(snapshot, CLOCKS, &clock);
	fc_pb_deinit(&clock);
}

static void put_snapshot(const struct perfetto *perfetto, struct fc_pb *packet)
{
	struct fc_pb inner = { 0 };

	put_clock(&inner, CLOCK_IS_MONOTONIC, perfetto->opts.clock->mono0_ns);
	put_clock(&inner, CLOCK_IS_REALTIME, perfetto->opts.clock->real0_ns);
	fc_pb_number(&inner, PRIMARY_CLOCK, CLOCK_IS_MONOTONIC);
	fc_pb_message(packet, PACKET_CLOCK_SNAPSHOT, &inner);
	fc_pb_number(&inner, DEFAULTS_CLOCK_ID, CLOCK_IS_MONOTONIC);
	fc_pb_message(packet, PACKET_DEFAULTS, &inner);
	fc_pb_deinit(&inner);
}

static void put_session(struct perfetto *perfetto)
{
	struct fc_pb packet = { 0 }, interned = { 0 };

	fc_pb_number(&packet, PACKET_FIRST_ON_SEQUENCE, 1);
	put_snapshot(perfetto, &packet);
	intern(&interned, INTERNED_CATEGORY, CATEGORY_FCTRACE, "fctrace");
	intern(&interned, INTERNED_ANNOTATION, ANNOTATION_ENDED, "ended");
	intern(&interned, INTERNED_ANNOTATION, ANNOTATION_ENTERED, "entered");
	intern(&interned, INTERNED_ANNOTATION, ANNOTATION_ARGS, "args");
	intern(&interned, INTERNED_ANNOTATION, ANNOTATION_RESULT, "result");
	intern(&interned, INTERNED_ANNOTATION, ANNOTATION_WRITTEN, "args at end");
	for (int left = FC_LEFT_RETURN; left <= FC_LEFT_UNSEEN; left++)
		intern(&interned, INTERNED_STRING, (uint64_t)left + 1, fc_left_word(left));
	fc_pb_message(&packet, PACKET_INTERNED_DATA, &interned);
	fc_pb_deinit(&interned);
	put_packet(perfetto, &packet, STATE_CLEARED | NEEDS_STATE);
}

static uint64_t category_of(struct perfetto *perfetto, const char *module,
			    struct fc_pb *interned)
{
	for (size_t i = 0; i < perfetto->modules.nr; i++) {
		if (perfetto->modules.at[i] == module)
			return CATEGORY_MODULES + i;
	}
	fc_vec_push(&perfetto->modules, module);
	uint64_t iid = CATEGORY_MODULES + perfetto->modules.nr - 1;
	intern(interned, INTERNED_CATEGORY, iid, *module ? module : "?");
	return iid;
}

static __attribute__((noinline)) struct function *make_function(struct perfetto *perfetto,
								uint32_t func)
{
	struct fc_name name = perfetto->opts.namer.name_of(perfetto->opts.namer.ctx, func);
	struct fc_pb packet = { 0 }, interned = { 0 };

	intern(&interned, INTERNED_NAME, func, name.name);
	uint64_t category = category_of(perfetto, name.module, &interned);
	fc_pb_message(&packet, PACKET_INTERNED_DATA, &interned);
	fc_pb_deinit(&interned);
	put_packet(perfetto, &packet, NEEDS_STATE);

	struct function *function = fc_vec_make(&perfetto->functions, func);
	char *at = function->fields;
	*at++ = FC_PB_TAG(EVENT_NAME_IID, FC_PB_VARINT);
	at = fc_pb_put_varint(at, func);
	*at++ = FC_PB_TAG(EVENT_CATEGORY_IID, FC_PB_VARINT);
	at = fc_pb_put_varint(at, category);
	function->len = (uint8_t)(at - function->fields);
	return function;
}

static inline const struct function *function_of(struct perfetto *perfetto, uint32_t func)
{
	if (func < perfetto->functions.nr && perfetto->functions.at[func].len)
		return &perfetto->functions.at[func];
	return make_function(perfetto, func);
}

/* ---- begins and ends ---- */

/*
 * Times on a track do not go back, or an end would be taken for that of another call. Where
 * time is known to the tick they do not do so anyway.
 */
static inline uint64_t time_on(const struct perfetto *perfetto, struct fc_perfetto_track *track,
			       uint64_t tsc)
{
	uint64_t ns = perfetto->opts.clock->mono0_ns + fc_clock_ns(perfetto->opts.clock, tsc);

	if (ns < track->last_ns)
		ns = track->last_ns;
	track->last_ns = ns;
	return ns;
}

/* A few bytes, read as one word where there is room behind them. */
static inline char *put_few(char *at, const char *bytes, size_t room, size_t len)
{
	memcpy(at, bytes, room);
	return at + len;
}

/* A message within a message, both shorter than 128 bytes, whose lengths are one byte. */
enum { EVENT_ROOM = 128 };

struct event {
	char *packet_len, *event_len;
};

static inline char *begin_event(struct perfetto *perfetto, struct event *event,
				struct fc_perfetto_track *track, int type, uint64_t tsc)
{
	static const char flags[] = { FC_PB_TAG(FC_PERFETTO_SEQUENCE, FC_PB_VARINT),
				      FC_PERFETTO_SEQUENCE_ID,
				      FC_PB_TAG(FC_PERFETTO_SEQUENCE_FLAGS, FC_PB_VARINT),
				      NEEDS_STATE };
	uint64_t ns = time_on(perfetto, track, tsc);
	char *at = fc_stream_room(perfetto->opts.out, EVENT_ROOM);

	*at++ = FC_PB_TAG(FC_PERFETTO_PACKET, FC_PB_LEN);
	event->packet_len = at++;
	*at++ = FC_PB_TAG(PACKET_TIMESTAMP, FC_PB_VARINT);
	at = fc_pb_put_varint(at, ns);
	at = put_few(at, flags, sizeof(flags), sizeof(flags));
	*at++ = FC_PB_TAG(PACKET_TRACK_EVENT, FC_PB_LEN);
	event->event_len = at++;
	*at++ = FC_PB_TAG(EVENT_TYPE, FC_PB_VARINT);
	*at++ = (char)type;
	return put_few(at, track->field, sizeof(track->field), track->field_len);
}

static inline void end_event(struct perfetto *perfetto, const struct event *event, char *at)
{
	struct fc_stream *out = perfetto->opts.out;

	*event->event_len = (char)(at - event->event_len - 1);
	*event->packet_len = (char)(at - event->packet_len - 1);
	out->len = (size_t)(at - out->data);
}

/* How it ended, unless it returned; that it was not entered here. */
static char *put_ended(char *at, int left)
{
	*at++ = FC_PB_TAG(EVENT_ANNOTATION, FC_PB_LEN);
	*at++ = 5;
	*at++ = FC_PB_TAG(ANNOTATION_NAME_IID, FC_PB_VARINT);
	*at++ = ANNOTATION_ENDED;
	at = fc_pb_put_varint(at, FC_PB_TAG(ANNOTATION_TEXT_IID, FC_PB_VARINT));
	*at++ = (char)(left + 1);
	return at;
}

static char *put_not_entered(char *at)
{
	*at++ = FC_PB_TAG(EVENT_ANNOTATION, FC_PB_LEN);
	*at++ = 4;
	*at++ = FC_PB_TAG(ANNOTATION_NAME_IID, FC_PB_VARINT);
	*at++ = ANNOTATION_ENTERED;
	*at++ = FC_PB_TAG(ANNOTATION_BOOL, FC_PB_VARINT);
	*at++ = 0;
	return at;
}

static void annotate_value(struct fc_pb *event, uint64_t annotation,
			   const struct fc_value_text *text)
{
	struct fc_pb inner = { 0 };

	fc_pb_number(&inner, ANNOTATION_NAME_IID, annotation);
	fc_pb_text(&inner, ANNOTATION_TEXT, text->at);
	fc_pb_message(event, EVENT_ANNOTATION, &inner);
	fc_pb_deinit(&inner);
}

/* A begin or an end that tells values: too long for a byte. what: further fields; frees event. */
static void put_valued(struct perfetto *perfetto, struct fc_perfetto_track *track, int type,
		       uint64_t tsc, struct fc_pb *event, const char *what, size_t len)
{
	struct fc_pb packet = { 0 };

	fc_pb_number(event, EVENT_TYPE, (uint64_t)type);
	fc_pb_number(event, EVENT_TRACK_UUID, track->uuid);
	fc_pb_fields(event, what, len);
	fc_pb_number(&packet, PACKET_TIMESTAMP, time_on(perfetto, track, tsc));
	fc_pb_message(&packet, PACKET_TRACK_EVENT, event);
	fc_pb_deinit(event);
	put_packet(perfetto, &packet, NEEDS_STATE);
}

/* False: nothing is known. */
static bool make_args(struct perfetto *perfetto, const struct fc_call *call)
{
	struct fc_value_words none = { NULL, 0 };
	if (!call->values || !perfetto->opts.values)
		return false;
	struct fc_value_words args = fc_call_args(call->values);
	return fc_values_args_text(perfetto->opts.values, args, none, &perfetto->text);
}

/*
 * What is known when it has returned: its result, and arguments behind which it has written. A tail
 * call has what the last of its chain returned.
 */
static bool make_ended(struct perfetto *perfetto, const struct fc_call *call,
		       struct fc_pb *event)
{
	const struct fc_call_values *of = call->values;
	bool may_return = call->left == FC_LEFT_RETURN || call->left == FC_LEFT_TAIL;
	if (!may_return || !of || !perfetto->opts.values)
		return false;
	struct fc_value_words args = fc_call_args(of);
	struct fc_value_words result = fc_call_result(of);
	bool is_written =
		make_args(perfetto, call) &&
		fc_values_args_text(perfetto->opts.values, args, result, &perfetto->written) &&
		strcmp(perfetto->text.at, perfetto->written.at) != 0;
	if (is_written)
		annotate_value(event, ANNOTATION_WRITTEN, &perfetto->written);
	bool has_result = fc_values_result_text(perfetto->opts.values, result, &perfetto->text);
	if (has_result)
		annotate_value(event, ANNOTATION_RESULT, &perfetto->text);
	return is_written || has_result;
}

/* ---- marks ---- */

/* False: what the counter was given is no number. */
static bool put_count(struct fc_pb *event, const char *text)
{
	char *end;
	long long whole = strtoll(text, &end, 10);

	if (end > text && !*end) {
		fc_pb_number(event, EVENT_COUNTER, (uint64_t)whole);
		return true;
	}
	double number = strtod(text, &end);
	if (end == text || *end)
		return false;
	fc_pb_double(event, EVENT_DOUBLE_COUNTER, number);
	return true;
}

/* An end without a begin is none: it began before the trace, or with another name. */
static void put_span(struct perfetto *perfetto, struct fc_perfetto_track *track, bool is_begin,
		     const char *name, uint64_t tsc, struct fc_pb *event)
{
	if (!is_begin && !track->nr_open) {
		fc_pb_deinit(event);
		return;
	}
	track->nr_open += is_begin ? 1 : -1;
	if (is_begin) {
		fc_pb_number(event, EVENT_CATEGORY_IID, CATEGORY_FCTRACE);
		fc_pb_text(event, EVENT_NAME, name);
	}
	put_valued(perfetto, track, is_begin ? SLICE_BEGIN : SLICE_END, tsc, event, NULL, 0);
}

/* False: it is an instant, as other calls without an end. */
static bool put_mark(struct perfetto *perfetto, const struct fc_call *call)
{
	const struct fc_namer *namer = &perfetto->opts.namer;
	const char *name;
	enum fc_mark_kind kind =
		fc_mark_kind_of(namer->name_of(namer->ctx, call->func).name, &name);
	struct fc_pb event = { 0 };

	if (kind == FC_MARK_IS_NONE)
		return false;
	bool has_args = make_args(perfetto, call);
	if (kind == FC_MARK_IS_COUNTER &&
	    (!has_args || !put_count(&event, perfetto->text.at))) {
		fc_pb_deinit(&event);
		return false;
	}
	struct fc_perfetto_track *track = fc_perfetto_mark(&perfetto->marks, &perfetto->tracks,
							   kind, name, call->pid, call->tid);
	if (kind == FC_MARK_IS_COUNTER) {
		put_valued(perfetto, track, COUNTER, call->begin_tsc, &event, NULL, 0);
		return true;
	}
	if (has_args)
		annotate_value(&event, ANNOTATION_ARGS, &perfetto->text);
	put_span(perfetto, track, kind == FC_MARK_IS_BEGIN, name, call->begin_tsc, &event);
	return true;
}

/* ---- calls ---- */

/* All of a begin but its type, time and track. */
static char *put_begin(char *at, const struct function *function, const struct fc_call *call)
{
	at = put_few(at, function->fields, sizeof(function->fields), function->len);
	if (call->is_inherited || call->is_resumed)
		at = put_not_entered(at);
	return call->left == FC_LEFT_UNSEEN ? put_ended(at, FC_LEFT_UNSEEN) : at;
}

static void perfetto_enter(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct perfetto *perfetto = perfetto_of(sink);
	bool is_unseen = call->left == FC_LEFT_UNSEEN;

	if (is_unseen && put_mark(perfetto, call))
		return;
	struct fc_perfetto_track *track =
		fc_perfetto_track(&perfetto->tracks, call->strand, call->pid, call->tid);
	const struct function *function = function_of(perfetto, call->func);
	int type = is_unseen ? INSTANT : SLICE_BEGIN;

	track->nr_open += !is_unseen;
	if (make_args(perfetto, call)) {
		struct fc_pb valued = { 0 };
		char what[EVENT_ROOM];
		size_t len = (size_t)(put_begin(what, function, call) - what);
		annotate_value(&valued, ANNOTATION_ARGS, &perfetto->text);
		put_valued(perfetto, track, type, call->begin_tsc, &valued, what, len);
		return;
	}
	struct event event;
	char *at = begin_event(perfetto, &event, track, type, call->begin_tsc);
	end_event(perfetto, &event, put_begin(at, function, call));
}

static void perfetto_leave(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct perfetto *perfetto = perfetto_of(sink);
	struct event event;

	if (call->left == FC_LEFT_UNSEEN)
		return;
	struct fc_perfetto_track *track =
		fc_perfetto_track(&perfetto->tracks, call->strand, call->pid, call->tid);
	track->nr_open--;
	struct fc_pb valued = { 0 };
	if (make_ended(perfetto, call, &valued)) {
		char what[EVENT_ROOM];
		bool is_left = call->left != FC_LEFT_RETURN;
		size_t len = is_left ? (size_t)(put_ended(what, call->left) - what) : 0;
		put_valued(perfetto, track, SLICE_END, call->end_tsc, &valued, what, len);
		return;
	}
	char *at = begin_event(perfetto, &event, track, SLICE_END, call->end_tsc);
	if (call->left != FC_LEFT_RETURN)
		at = put_ended(at, call->left);
	end_event(perfetto, &event, at);
}

/* ---- what happens besides ---- */

static void annotate_number(struct fc_pb *event, const char *name, int64_t value)
{
	struct fc_pb annotation = { 0 };

	fc_pb_text(&annotation, ANNOTATION_NAME, name);
	fc_pb_number(&annotation, ANNOTATION_INT, (uint64_t)value);
	fc_pb_message(event, EVENT_ANNOTATION, &annotation);
	fc_pb_deinit(&annotation);
}

static void annotate_text(struct fc_pb *event, const char *name, const char *text)
{
	struct fc_pb annotation = { 0 };

	fc_pb_text(&annotation, ANNOTATION_NAME, name);
	fc_pb_text(&annotation, ANNOTATION_TEXT, text);
	fc_pb_message(event, EVENT_ANNOTATION, &annotation);
	fc_pb_deinit(&annotation);
}

static void put_instant(struct perfetto *perfetto, uint32_t uuid, uint64_t ns, const char *name,
			struct fc_pb *event)
{
	struct fc_pb packet = { 0 };

	fc_pb_number(event, EVENT_TYPE, INSTANT);
	fc_pb_number(event, EVENT_TRACK_UUID, uuid);
	fc_pb_number(event, EVENT_CATEGORY_IID, CATEGORY_FCTRACE);
	fc_pb_text(event, EVENT_NAME, name);
	fc_pb_number(&packet, PACKET_TIMESTAMP, ns);
	fc_pb_message(&packet, PACKET_TRACK_EVENT, event);
	fc_pb_deinit(event);
	put_packet(perfetto, &packet, NEEDS_STATE);
}

static void perfetto_event(struct fc_call_sink *sink, const struct fc_event *event)
{
	struct perfetto *perfetto = perfetto_of(sink);
	const char *word = fc_mark_word(event->mark);
	struct fc_pb instant = { 0 };

	if (!word)
		return;
	struct fc_perfetto_track *track =
		fc_perfetto_track(&perfetto->tracks, event->strand, event->pid, event->tid);
	annotate_number(&instant, fc_mark_value_word(event->mark),
			(int64_t)fc_mark_shown_value(event, perfetto->opts.clock));
	put_instant(perfetto, track->uuid, time_on(perfetto, track, event->tsc), word,
		    &instant);
}

static void annotate_life(struct fc_pb *event, const struct fc_life_info *life)
{
	if (life->life == FC_LIFE_START && life->other)
		annotate_number(event, "parent", life->other);
	if (life->life == FC_LIFE_EXIT && WIFSIGNALED(life->status))
		annotate_number(event, "signal", WTERMSIG(life->status));
	else if (life->life == FC_LIFE_EXIT)
		annotate_number(event, "status", WEXITSTATUS(life->status));
	if (*life->text)
		annotate_text(event, life->life == FC_LIFE_EXEC ? "program" : "text",
			      life->text);
}

static void perfetto_life(struct fc_exporter *exporter, const struct fc_life_info *life)
{
	struct perfetto *perfetto = perfetto_of(&exporter->sink);
	const char *word = fc_life_word(life->life);
	uint64_t ns =
		perfetto->opts.clock->mono0_ns + fc_clock_ns(perfetto->opts.clock, life->tsc);
	int tid = life->tid ? life->tid : life->pid;
	struct fc_pb event = { 0 };

	if (!word)
		return;
	annotate_life(&event, life);
	put_instant(perfetto, fc_perfetto_thread_uuid(&perfetto->tracks, life->pid, tid), ns,
		    word, &event);
	fc_perfetto_tracks_life(&perfetto->tracks, life);
}

static void perfetto_destroy(struct fc_exporter *exporter)
{
	struct perfetto *perfetto = perfetto_of(&exporter->sink);

	fc_perfetto_tracks_deinit(&perfetto->tracks);
	fc_perfetto_marks_deinit(&perfetto->marks);
	fc_vec_free(&perfetto->functions);
	fc_vec_free(&perfetto->modules);
	free(perfetto);
}

static struct fc_exporter *perfetto_create(const struct fc_export_opts *opts)
{
	struct perfetto *perfetto = fc_alloc(sizeof(*perfetto));

	perfetto->exporter = (struct fc_exporter){
		.sink = { perfetto_enter, perfetto_leave, perfetto_event, fc_sink_skip_finish },
		.life = perfetto_life,
		.destroy = perfetto_destroy,
	};
	perfetto->opts = *opts;
	fc_perfetto_tracks_init(&perfetto->tracks, opts->out, opts->reader);
	put_session(perfetto);
	return &perfetto->exporter;
}

const struct fc_format fc_format_perfetto = {
	.name = "perfetto",
	.suffix = "pftrace",
	.other_suffix = "perfetto-trace",
	.about = "Perfetto's protobuf trace; ui.perfetto.dev, trace_processor",
	.is_binary = true,
	.create = perfetto_create,
};
