/* SPDX-License-Identifier: Apache-2.0 */
/* perfetto_tracks.c - describes each process, thread and stack when it is first used. */
#include "show/export/perfetto/perfetto_tracks.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of fields, from perfetto_trace.proto. */
enum {
	PACKET_TRACK_DESCRIPTOR = 60,
	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_PROCESS = 3,
	TRACK_THREAD = 4,
	TRACK_PARENT_UUID = 5,
	TRACK_COUNTER = 8,
	TRACK_SIBLING_MERGE = 15,
	SIBLING_MERGE_NONE = 2,
	PROCESS_PID = 1,
	PROCESS_CMDLINE = 2,
	PROCESS_NAME = 6,
	THREAD_PID = 1,
	THREAD_TID = 2,
	THREAD_NAME = 5,
	EVENT_TRACK_UUID = 11,
};

void fc_perfetto_tracks_init(struct fc_perfetto_tracks *tracks, struct fc_stream *out,
			     const struct fc_reader *reader)
{
	*tracks = (struct fc_perfetto_tracks){ .out = out, .reader = reader };
	tracks->strands.size = sizeof(struct fc_perfetto_track);
	for (size_t i = 0; i < fc_reader_nr_lives(reader); i++) {
		const struct fc_life_info *life = fc_reader_life(reader, i);
		fc_programs_life(&tracks->programs, life);
		fc_thread_names_life(&tracks->names, life);
		if (life->life == FC_LIFE_START && !tracks->first_pid)
			tracks->first_pid = life->pid;
	}
}

void fc_perfetto_tracks_deinit(struct fc_perfetto_tracks *tracks)
{
	fc_programs_deinit(&tracks->programs);
	fc_thread_names_deinit(&tracks->names);
	fc_strands_deinit(&tracks->strands);
	fc_threads_deinit(&tracks->by_tid);
	fc_threads_deinit(&tracks->by_pid);
	fc_vec_free(&tracks->threads);
}

/* ---- descriptors ---- */

static void tell_track(struct fc_perfetto_tracks *tracks, struct fc_pb *track)
{
	struct fc_pb packet = { 0 };

	fc_pb_number(&packet, FC_PERFETTO_SEQUENCE, FC_PERFETTO_SEQUENCE_ID);
	fc_pb_message(&packet, PACKET_TRACK_DESCRIPTOR, track);
	fc_pb_stream(tracks->out, FC_PERFETTO_PACKET, &packet);
	fc_pb_deinit(&packet);
	fc_pb_deinit(track);
}

static void put_cmdline(const struct fc_perfetto_tracks *tracks, struct fc_pb *process)
{
	for (int i = 0; i < fc_reader_argc(tracks->reader); i++)
		fc_pb_text(process, PROCESS_CMDLINE, fc_reader_arg(tracks->reader, i));
}

static uint32_t tell_process(struct fc_perfetto_tracks *tracks, int pid)
{
	struct fc_pb track = { 0 }, process = { 0 };
	uint32_t program = fc_programs_of(&tracks->programs, pid);

	fc_pb_number(&process, PROCESS_PID, (uint64_t)(int64_t)pid);
	if (program)
		fc_pb_text(&process, PROCESS_NAME,
			   fc_programs_name(&tracks->programs, program));
	if (pid == tracks->first_pid)
		put_cmdline(tracks, &process);
	fc_pb_number(&track, TRACK_UUID, ++tracks->nr_uuids);
	fc_pb_message(&track, TRACK_PROCESS, &process);
	fc_pb_deinit(&process);
	tell_track(tracks, &track);
	return tracks->nr_uuids;
}

/* As Linux has it, a thread is called as its program, if it gives itself no other name. */
static uint32_t tell_thread(struct fc_perfetto_tracks *tracks, uint32_t process, int pid,
			    int tid)
{
	struct fc_pb track = { 0 }, thread = { 0 };
	uint32_t program = fc_programs_of(&tracks->programs, pid);
	const char *name = fc_thread_names_of(&tracks->names, pid, tid);

	fc_pb_number(&thread, THREAD_PID, (uint64_t)(int64_t)pid);
	fc_pb_number(&thread, THREAD_TID, (uint64_t)(int64_t)tid);
	if (name || program)
		fc_pb_text(&thread, THREAD_NAME,
			   name ? name : fc_programs_name(&tracks->programs, program));
	fc_pb_number(&track, TRACK_UUID, ++tracks->nr_uuids);
	fc_pb_number(&track, TRACK_PARENT_UUID, process);
	fc_pb_message(&track, TRACK_THREAD, &thread);
	fc_pb_deinit(&thread);
	tell_track(tracks, &track);
	return tracks->nr_uuids;
}

static uint32_t tell_stack(struct fc_perfetto_tracks *tracks, uint32_t thread, uint32_t strand)
{
	struct fc_pb track = { 0 };
	char name[64];

	snprintf(name, sizeof(name), "another stack (strand %u)", strand);
	fc_pb_number(&track, TRACK_UUID, ++tracks->nr_uuids);
	fc_pb_number(&track, TRACK_PARENT_UUID, thread);
	fc_pb_text(&track, TRACK_NAME, name);
	fc_pb_number(&track, TRACK_SIBLING_MERGE, SIBLING_MERGE_NONE);
	tell_track(tracks, &track);
	return tracks->nr_uuids;
}

static uint32_t tell_session(struct fc_perfetto_tracks *tracks)
{
	struct fc_pb track = { 0 };

	fc_pb_number(&track, TRACK_UUID, ++tracks->nr_uuids);
	fc_pb_text(&track, TRACK_NAME, "fctrace");
	tell_track(tracks, &track);
	return tracks->nr_uuids;
}

uint32_t fc_perfetto_tell_mark(struct fc_perfetto_tracks *tracks, uint32_t parent,
			       const char *name, bool is_counter)
{
	struct fc_pb track = { 0 }, counter = { 0 };

	fc_pb_number(&track, TRACK_UUID, ++tracks->nr_uuids);
	fc_pb_number(&track, TRACK_PARENT_UUID, parent);
	fc_pb_text(&track, TRACK_NAME, name);
	if (is_counter)
		fc_pb_message(&track, TRACK_COUNTER, &counter);
	fc_pb_deinit(&counter);
	tell_track(tracks, &track);
	return tracks->nr_uuids;
}

/* ---- threads ---- */

uint32_t fc_perfetto_process_uuid(struct fc_perfetto_tracks *tracks, int pid)
{
	struct fc_thread *process = fc_threads_make(&tracks->by_pid, pid);

	if (!process->current)
		process->current = tell_process(tracks, pid);
	return process->current;
}

static struct fc_perfetto_thread *thread_of(struct fc_perfetto_tracks *tracks, int pid, int tid)
{
	uint32_t place = fc_threads_make(&tracks->by_tid, tid)->current;
	struct fc_perfetto_thread *thread = place ? &tracks->threads.at[place - 1] : NULL;

	if (thread && thread->pid == pid)
		return thread;
	uint32_t uuid = tell_thread(tracks, fc_perfetto_process_uuid(tracks, pid), pid, tid);
	fc_vec_push(&tracks->threads, (struct fc_perfetto_thread){ .uuid = uuid, .pid = pid });
	fc_threads_make(&tracks->by_tid, tid)->current = (uint32_t)tracks->threads.nr;
	return &tracks->threads.at[tracks->threads.nr - 1];
}

uint32_t fc_perfetto_thread_uuid(struct fc_perfetto_tracks *tracks, int pid, int tid)
{
	if (pid && tid)
		return thread_of(tracks, pid, tid)->uuid;
	if (!tracks->session_uuid)
		tracks->session_uuid = tell_session(tracks);
	return tracks->session_uuid;
}

static void forget(struct fc_threads *threads, int id)
{
	fc_threads_make(threads, id)->current = 0;
}

void fc_perfetto_tracks_life(struct fc_perfetto_tracks *tracks, const struct fc_life_info *life)
{
	/* Ids are given again; who has them now is somebody else. */
	if (life->life == FC_LIFE_EXIT) {
		forget(&tracks->by_pid, life->pid);
		forget(&tracks->by_tid, life->pid);
	}
	if (life->life == FC_LIFE_EXIT || life->life == FC_LIFE_THREAD_EXIT)
		forget(&tracks->by_tid, life->tid);
	if (life->life == FC_LIFE_EXEC)
		thread_of(tracks, life->pid, life->pid)->has_restarted = true;
}

/* ---- tracks ---- */

static void set_uuid(struct fc_perfetto_track *track, uint32_t uuid)
{
	char *at = track->field;

	*at++ = FC_PB_TAG(EVENT_TRACK_UUID, FC_PB_VARINT);
	track->field_len = (uint8_t)(fc_pb_put_varint(at, uuid) - track->field);
	track->uuid = uuid;
}

/* The strand of the program before exec has ended: it leaves its track to the next. */
static bool take_over(struct fc_perfetto_tracks *tracks, struct fc_perfetto_thread *thread,
		      struct fc_perfetto_track *track)
{
	struct fc_perfetto_track *before = fc_strands_find(&tracks->strands, thread->strand);

	if (!thread->has_restarted || !before || before->nr_open)
		return false;
	*track = *before;
	fc_strands_drop(&tracks->strands, thread->strand);
	thread->has_restarted = false;
	return true;
}

struct fc_perfetto_track *fc_perfetto_track_make(struct fc_perfetto_tracks *tracks,
						 uint32_t strand, int pid, int tid)
{
	struct fc_perfetto_track *track = fc_strands_make(&tracks->strands, strand);
	struct fc_perfetto_thread *thread = thread_of(tracks, pid, tid);

	assert(track); /* who makes calls of events knows no strand beyond FC_STRAND_MAX */
	if (thread->strand && take_over(tracks, thread, track)) {
		thread->strand = strand;
	} else if (thread->strand) {
		set_uuid(track, tell_stack(tracks, thread->uuid, strand));
	} else {
		thread->strand = strand;
		set_uuid(track, thread->uuid);
	}
	return track;
}
