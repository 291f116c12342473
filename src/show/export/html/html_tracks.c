/* SPDX-License-Identifier: Apache-2.0 */
/*
 * html_tracks.c - the time line of a trace, a track a strand.
 *
 *	"tracks":[{"pid":7,"tid":7,"program":"bash","calls":40,"levels":[[...],...]},...]
 *
 * A level is a row of spans in order of time: nanoseconds since the end of the one before (first:
 * since the session's start), duration, name, calls, and where that is more than one, the duration
 * of the longest, whose name it is; where it is known, a text behind that name: what was given and
 * returned.
 */
#include "calls/programs.h"
#include "show/export/html/html_data.h"

static void put_span(struct fc_html_names *names, struct fc_stream *out,
		     const struct fc_timeline_span *span, const char *values, uint64_t *at_ns)
{
	const struct fc_clock *clock = fc_reader_clock(names->data->reader);
	uint64_t begin_ns = fc_clock_ns(clock, span->begin_tsc);
	uint64_t end_ns = fc_clock_ns(clock, span->end_tsc);

	fc_stream_signed(out, (int64_t)(begin_ns - *at_ns));
	fc_stream_char(out, ',');
	fc_stream_number(out, end_ns - begin_ns);
	fc_stream_char(out, ',');
	fc_stream_signed(out, fc_html_number(names, span->func));
	fc_stream_char(out, ',');
	fc_stream_number(out, span->calls);
	if (span->calls > 1) {
		fc_stream_char(out, ',');
		fc_stream_number(out, fc_clock_duration_ns(clock, span->longest));
	}
	if (values) {
		fc_stream_char(out, ',');
		fc_html_string(out, values);
	}
	*at_ns = end_ns;
}

/* From span i on; returns the first that is on another track. */
static size_t put_levels(struct fc_html_names *names, struct fc_stream *out, size_t i)
{
	const struct fc_timeline *timeline = names->data->timeline;
	uint32_t track = fc_timeline_span(timeline, i)->track, depth = 0;
	uint64_t at_ns = 0;
	const char *comma = "";

	fc_stream_char(out, '[');
	for (; i < fc_timeline_nr(timeline); i++) {
		const struct fc_timeline_span *span = fc_timeline_span(timeline, i);
		if (span->track != track)
			break;
		for (; depth < span->depth; depth++) {
			fc_stream_text(out, "],[");
			at_ns = 0;
			comma = "";
		}
		fc_stream_text(out, comma);
		put_span(names, out, span, names->values ? names->values[i] : NULL, &at_ns);
		comma = ",";
	}
	fc_stream_char(out, ']');
	return i;
}

static void put_head(struct fc_html_names *names, struct fc_stream *out,
		     const struct fc_timeline_track *track)
{
	const struct fc_programs *programs = names->data->programs;
	const uint32_t *program = fc_strands_find(&names->data->programs_of, track->strand);

	fc_stream_text(out, "{\"pid\":");
	fc_stream_signed(out, track->pid);
	fc_stream_text(out, ",\"tid\":");
	fc_stream_signed(out, track->tid);
	fc_stream_text(out, ",\"program\":");
	fc_html_string(out, fc_programs_name(programs,
					     program && *program
						     ? *program
						     : fc_programs_of(programs, track->pid)));
	fc_stream_text(out, ",\"calls\":");
	fc_stream_number(out, track->calls);
	fc_stream_text(out, ",\"levels\":[");
}

void fc_html_tracks_put(struct fc_html_names *names, struct fc_stream *out)
{
	const struct fc_timeline *timeline = names->data->timeline;
	size_t i = 0;

	fc_stream_text(out, "\"tracks\":[");
	for (size_t t = 0; t < fc_timeline_nr_tracks(timeline); t++) {
		if (t)
			fc_stream_text(out, ",\n");
		put_head(names, out, fc_timeline_track(timeline, t));
		if (i < fc_timeline_nr(timeline) && fc_timeline_span(timeline, i)->track == t)
			i = put_levels(names, out, i);
		fc_stream_text(out, "]}");
	}
	fc_stream_text(out, "],\n");
}
