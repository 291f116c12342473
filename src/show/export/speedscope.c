/* SPDX-License-Identifier: Apache-2.0 */
/*
 * speedscope.c - speedscope's own format (https://www.speedscope.app/file-format-schema.json): a
 * profile a strand, of calls opened and closed.
 *
 *	{"$schema":"...","shared":{"frames":[
 *	{"name":"f","file":"a.out"}]},"profiles":[
 *	{"type":"evented","name":"thread 12 of a.out (12)","unit":"nanoseconds",
 *	"startValue":5210,"endValue":5250,"events":[
 *	{"type":"O","frame":0,"at":5210},
 *	{"type":"C","frame":0,"at":5250}]}],...}
 *
 * The whole is told once, to see which functions there are, and from when to when each strand
 * has calls; then strand after strand is told by itself.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/vec.h"
#include "calls/programs.h"
#include "show/export/format.h"
#include "show/export/quoted.h"
#include "show/export/track.h"

struct profile {
	uint32_t strand;
	int pid, tid;
	uint32_t program; /* of programs */
	bool is_further;  /* stack of its thread */
	uint64_t begin_tsc, end_tsc;
	uint64_t nr_calls;
};

struct speedscope {
	struct fc_exporter exporter;
	struct fc_export_opts opts;
	struct fc_quoted names;
	FC_VEC(uint32_t) funcs;	 /* by frame */
	FC_VEC(uint32_t) frames; /* by function id: the frame + 1 */
	struct fc_tracks tracks;
	struct fc_programs programs;
	FC_VEC(struct profile) profiles;
	size_t nr_told; /* of the profiles; the last of them is being told */
	bool has_event; /* in the profile */
};

static struct speedscope *speedscope_of(struct fc_call_sink *sink)
{
	return (struct speedscope *)sink;
}

/* ---- the first time: what there is ---- */

static struct profile *add_profile(struct speedscope *speedscope, const struct fc_call *call,
				   struct fc_track *track)
{
	fc_vec_push(
		&speedscope->profiles,
		(struct profile){ .strand = call->strand,
				  .pid = call->pid,
				  .tid = call->tid,
				  .program = fc_programs_of(&speedscope->programs, call->pid),
				  .is_further = track->is_extra,
				  .begin_tsc = call->begin_tsc });
	track->is_known = true;
	track->place = speedscope->profiles.nr - 1;
	return &speedscope->profiles.at[track->place];
}

static struct profile *profile_of(struct speedscope *speedscope, const struct fc_call *call)
{
	struct fc_track *track =
		fc_tracks_get(&speedscope->tracks, call->strand, call->pid, call->tid);

	return track->is_known ? &speedscope->profiles.at[track->place]
			       : add_profile(speedscope, call, track);
}

static void note_func(struct speedscope *speedscope, uint32_t func)
{
	uint32_t *frame = fc_vec_make(&speedscope->frames, func);

	if (*frame)
		return;
	fc_vec_push(&speedscope->funcs, func);
	*frame = (uint32_t)speedscope->funcs.nr;
}

static void note_enter(struct speedscope *speedscope, const struct fc_call *call)
{
	struct profile *profile = profile_of(speedscope, call);

	profile->nr_calls++;
	note_func(speedscope, call->func);
}

static void note_leave(struct speedscope *speedscope, const struct fc_call *call)
{
	struct profile *profile = profile_of(speedscope, call);

	if (call->end_tsc > profile->end_tsc)
		profile->end_tsc = call->end_tsc;
}

/* ---- what stands before the calls ---- */

static void put_frames(struct speedscope *speedscope)
{
	struct fc_stream *out = speedscope->opts.out;

	fc_stream_literal(out, "\"shared\":{\"frames\":[");
	for (size_t i = 0; i < speedscope->funcs.nr; i++) {
		struct fc_quoted_func func =
			fc_quoted_get(&speedscope->names, speedscope->funcs.at[i]);
		fc_stream_text(out, i ? ",\n{\"name\":" : "\n{\"name\":");
		fc_stream_put(out, func.name.text, func.name.len);
		fc_stream_literal(out, ",\"file\":");
		fc_stream_put(out, func.module.text, func.module.len);
		fc_stream_char(out, '}');
	}
	fc_stream_literal(out, "]},");
}

/* The one with most calls is shown first. */
static size_t busiest(const struct speedscope *speedscope)
{
	size_t best = 0;

	for (size_t i = 1; i < speedscope->profiles.nr; i++)
		if (speedscope->profiles.at[i].nr_calls >
		    speedscope->profiles.at[best].nr_calls)
			best = i;
	return best;
}

/* The command line, as one name. */
static void put_name(struct fc_stream *out, const struct fc_reader *reader)
{
	FC_VEC(char) text = { 0 };

	for (int i = 0; i < fc_reader_argc(reader); i++) {
		if (i)
			fc_vec_push(&text, ' ');
		for (const char *p = fc_reader_arg(reader, i); *p; p++)
			fc_vec_push(&text, *p);
	}
	fc_quote_json(out, text.nr ? text.at : "fctrace",
		      text.nr ? text.nr : strlen("fctrace"));
	fc_vec_free(&text);
}

static void put_head(struct speedscope *speedscope)
{
	struct fc_stream *out = speedscope->opts.out;

	fc_stream_literal(out,
			  "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\","
			  "\"exporter\":\"fctrace\",\"name\":");
	put_name(out, speedscope->opts.reader);
	fc_stream_literal(out, ",\"activeProfileIndex\":");
	fc_stream_number(out, busiest(speedscope));
	fc_stream_char(out, ',');
	put_frames(speedscope);
	fc_stream_literal(out, "\"profiles\":[");
}

static void put_profile_name(struct speedscope *speedscope, const struct profile *profile)
{
	struct fc_stream *out = speedscope->opts.out;
	fc_auto_free char *text = fc_asprintf(
		"%sthread %d of %s (%d)", profile->is_further ? "another stack of " : "",
		profile->tid, fc_programs_name(&speedscope->programs, profile->program),
		profile->pid);

	fc_quote_json_text(out, text);
}

static void begin_profile(struct speedscope *speedscope, const struct profile *profile)
{
	struct fc_stream *out = speedscope->opts.out;

	fc_stream_literal(out, "\n{\"type\":\"evented\",\"name\":");
	put_profile_name(speedscope, profile);
	fc_stream_literal(out, ",\"unit\":\"nanoseconds\",\"startValue\":");
	fc_stream_number(out, fc_clock_ns(speedscope->opts.clock, profile->begin_tsc));
	fc_stream_literal(out, ",\"endValue\":");
	fc_stream_number(out, fc_clock_ns(speedscope->opts.clock, profile->end_tsc));
	fc_stream_literal(out, ",\"events\":[");
	speedscope->has_event = false;
}

static bool speedscope_again(struct fc_exporter *exporter, struct fc_choice *choice)
{
	struct speedscope *speedscope = speedscope_of(&exporter->sink);

	if (!speedscope->nr_told)
		put_head(speedscope);
	else
		fc_stream_literal(speedscope->opts.out, "]}");
	if (speedscope->nr_told == speedscope->profiles.nr)
		return false;
	if (speedscope->nr_told)
		fc_stream_char(speedscope->opts.out, ',');
	const struct profile *profile = &speedscope->profiles.at[speedscope->nr_told++];
	begin_profile(speedscope, profile);
	choice->strand = profile->strand;
	choice->pid = profile->pid;
	choice->tid = profile->tid;
	return true;
}

/* ---- calls ---- */

/* A file that changes while it is read may tell of others the second time: they have no frame. */
static bool has_frame(const struct speedscope *speedscope, uint32_t func)
{
	return func < speedscope->frames.nr && speedscope->frames.at[func];
}

static void put_event(struct speedscope *speedscope, char type, const struct fc_call *call,
		      uint64_t tsc)
{
	struct fc_stream *out = speedscope->opts.out;

	if (!has_frame(speedscope, call->func))
		return;
	char text[] = ",\n{\"type\":\"?\",\"frame\":";
	size_t skip = speedscope->has_event ? 0 : 1; /* the comma */

	text[11] = type;
	fc_stream_put(out, text + skip, sizeof(text) - 1 - skip);
	fc_stream_number(out, speedscope->frames.at[call->func] - 1);
	fc_stream_literal(out, ",\"at\":");
	fc_stream_number(out, fc_clock_ns(speedscope->opts.clock, tsc));
	fc_stream_char(out, '}');
	speedscope->has_event = true;
}

static void speedscope_enter(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct speedscope *speedscope = speedscope_of(sink);

	if (speedscope->nr_told)
		put_event(speedscope, 'O', call, call->begin_tsc);
	else
		note_enter(speedscope, call);
}

static void speedscope_leave(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct speedscope *speedscope = speedscope_of(sink);

	if (speedscope->nr_told)
		put_event(speedscope, 'C', call, call->end_tsc);
	else
		note_leave(speedscope, call);
}

static void speedscope_life(struct fc_exporter *exporter, const struct fc_life_info *life)
{
	struct speedscope *speedscope = speedscope_of(&exporter->sink);

	if (speedscope->nr_told)
		return;
	fc_programs_life(&speedscope->programs, life);
	fc_tracks_life(&speedscope->tracks, life);
}

static void speedscope_earlier(struct fc_exporter *exporter, const struct fc_life_info *life)
{
	fc_programs_life(&speedscope_of(&exporter->sink)->programs, life);
}

static int speedscope_end(struct fc_exporter *exporter)
{
	fc_stream_literal(speedscope_of(&exporter->sink)->opts.out, "]}\n");
	return 0;
}

static void speedscope_destroy(struct fc_exporter *exporter)
{
	struct speedscope *speedscope = speedscope_of(&exporter->sink);

	fc_quoted_deinit(&speedscope->names);
	fc_vec_free(&speedscope->funcs);
	fc_vec_free(&speedscope->frames);
	fc_tracks_deinit(&speedscope->tracks);
	fc_programs_deinit(&speedscope->programs);
	fc_vec_free(&speedscope->profiles);
	free(speedscope);
}

static struct fc_exporter *speedscope_create(const struct fc_export_opts *opts)
{
	struct speedscope *speedscope = fc_alloc(sizeof(*speedscope));

	speedscope->exporter = (struct fc_exporter){
		.sink = { speedscope_enter, speedscope_leave, fc_sink_skip_event,
			  fc_sink_skip_finish },
		.life = speedscope_life,
		.earlier = speedscope_earlier,
		.again = speedscope_again,
		.end = speedscope_end,
		.destroy = speedscope_destroy,
	};
	speedscope->opts = *opts;
	fc_quoted_init(&speedscope->names, opts->namer, fc_quote_json);
	fc_tracks_init(&speedscope->tracks);
	return &speedscope->exporter;
}

const struct fc_format fc_format_speedscope = {
	.name = "speedscope",
	.suffix = "speedscope.json",
	.about = "speedscope's own: a profile a thread; www.speedscope.app",
	.create = speedscope_create,
};
