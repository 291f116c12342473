/* SPDX-License-Identifier: Apache-2.0 */
/* track.c - assigns a track to each strand. */
#include "show/export/track.h"

void fc_tracks_init(struct fc_tracks *tracks)
{
	*tracks = (struct fc_tracks){ .strands = { .size = sizeof(struct fc_track) } };
}

void fc_tracks_deinit(struct fc_tracks *tracks)
{
	fc_strands_deinit(&tracks->strands);
	fc_threads_deinit(&tracks->threads);
}

struct fc_track *fc_tracks_ask(struct fc_tracks *tracks, uint32_t strand, int pid, int tid)
{
	struct fc_track *track = fc_strands_make(&tracks->strands, strand);
	struct fc_thread *thread = fc_threads_make(&tracks->threads, tid);

	if (!thread->first)
		thread->first = strand;
	*track = (struct fc_track){
		.pid = pid,
		.tid = tid,
		.id = tid,
		.is_extra = thread->first != strand,
	};
	if (track->is_extra)
		track->id = FC_TRACK_EXTRA + (int64_t)strand;
	return track;
}

static void end_thread(struct fc_tracks *tracks, int tid)
{
	fc_threads_make(&tracks->threads, tid)->first = 0;
}

void fc_tracks_life(struct fc_tracks *tracks, const struct fc_life_info *life)
{
	if (life->life == FC_LIFE_EXEC || life->life == FC_LIFE_EXIT)
		end_thread(tracks, life->pid);
	else if (life->life == FC_LIFE_THREAD_EXIT)
		end_thread(tracks, life->tid);
}
