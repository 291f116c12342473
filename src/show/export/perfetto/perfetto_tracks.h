/* SPDX-License-Identifier: Apache-2.0 */
/*
 * perfetto_tracks.h - the tracks of a Perfetto trace: one for each thread, and one more, below
 * it, for each further stack that it has (a signal's, a coroutine's), as calls on a track must
 * nest.
 *
 * A track is told (as TrackDescriptor) when it is asked for the first time.
 */
#ifndef FC_SHOW_EXPORT_PERFETTO_PERFETTO_TRACKS_H
#define FC_SHOW_EXPORT_PERFETTO_PERFETTO_TRACKS_H

#include "base/stream.h"
#include "base/vec.h"
#include "calls/thread_names.h"
#include "calls/programs.h"
#include "calls/strands.h"
#include "calls/threads.h"
#include "show/export/perfetto/protobuf.h"
#include "trace/reader.h"

/* The fields of the messages that more than one file writes. */
enum {
	FC_PERFETTO_PACKET = 1,		 /* Trace */
	FC_PERFETTO_SEQUENCE = 10,	 /* TracePacket.trusted_packet_sequence_id */
	FC_PERFETTO_SEQUENCE_FLAGS = 13, /* TracePacket */
};

/* The one sequence of packets that there is. */
#define FC_PERFETTO_SEQUENCE_ID 1

struct fc_perfetto_track {
	uint64_t last_ns; /* times on a track do not go back */
	uint32_t uuid;
	uint32_t nr_open;
	char field[1 + 5]; /* TrackEvent.track_uuid, as it is written */
	uint8_t field_len;
};

struct fc_perfetto_thread {
	uint32_t uuid;
	uint32_t strand; /* that is on the thread's own track; 0: none */
	int pid;
	bool has_restarted; /* by exec: its next strand takes over from the one before */
};

struct fc_perfetto_tracks {
	struct fc_stream *out;
	const struct fc_reader *reader;
	struct fc_programs programs;
	struct fc_thread_names names;
	struct fc_strands strands; /* of struct fc_perfetto_track */
	struct fc_threads by_tid;  /* current: place in threads + 1 */
	struct fc_threads by_pid;  /* current: the process' uuid */
	FC_VEC(struct fc_perfetto_thread) threads;
	uint32_t nr_uuids, session_uuid;
	int first_pid; /* whose command line is the session's; 0: not known */
};

void fc_perfetto_tracks_init(struct fc_perfetto_tracks *tracks, struct fc_stream *out,
			     const struct fc_reader *reader);
void fc_perfetto_tracks_deinit(struct fc_perfetto_tracks *tracks);

struct fc_perfetto_track *fc_perfetto_track_make(struct fc_perfetto_tracks *tracks,
						 uint32_t strand, int pid, int tid);

/* Good until the next call. */
static inline struct fc_perfetto_track *fc_perfetto_track(struct fc_perfetto_tracks *tracks,
							  uint32_t strand, int pid, int tid)
{
	struct fc_perfetto_track *track = fc_strands_find(&tracks->strands, strand);
	return track ? track : fc_perfetto_track_make(tracks, strand, pid, tid);
}

/* The thread's own track; with pid 0 that of the session. */
uint32_t fc_perfetto_thread_uuid(struct fc_perfetto_tracks *tracks, int pid, int tid);

/* The process' track. */
uint32_t fc_perfetto_process_uuid(struct fc_perfetto_tracks *tracks, int pid);

/* One more track, below another, of a program's own mark. Returns its uuid. */
uint32_t fc_perfetto_tell_mark(struct fc_perfetto_tracks *tracks, uint32_t parent,
			       const char *name, bool is_counter);

/* A process or a thread began, or became something else: its tracks are new ones. */
void fc_perfetto_tracks_life(struct fc_perfetto_tracks *tracks,
			     const struct fc_life_info *life);

#endif
