/* SPDX-License-Identifier: Apache-2.0 */
/*
 * perfetto_marks.h - spans and counters of a program's own marks (include/fctrace.h): each name has a track, spans below
 * their thread, as they need not nest in the calls, and counters below their process.
 */
#ifndef FC_SHOW_EXPORT_PERFETTO_PERFETTO_MARKS_H
#define FC_SHOW_EXPORT_PERFETTO_PERFETTO_MARKS_H

#include "base/pairs.h"
#include "calls/mark_kind.h"
#include "show/export/perfetto/perfetto_tracks.h"

/* Zeroed: none. */
struct fc_perfetto_marks {
	FC_VEC(char *) names;			 /* malloc()ed */
	struct fc_pairs pairs;			 /* name and thread, or name and process */
	FC_VEC(struct fc_perfetto_track) tracks; /* as pairs */
};

/* Its track, which is told when it is asked for the first time. Good until the next call. */
struct fc_perfetto_track *fc_perfetto_mark(struct fc_perfetto_marks *marks,
					   struct fc_perfetto_tracks *tracks,
					   enum fc_mark_kind kind, const char *name, int pid,
					   int tid);
void fc_perfetto_marks_deinit(struct fc_perfetto_marks *marks);

#endif
