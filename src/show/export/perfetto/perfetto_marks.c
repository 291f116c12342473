/* SPDX-License-Identifier: Apache-2.0 */
/* perfetto_marks.c - finds the track of a mark. */
#include "show/export/perfetto/perfetto_marks.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static uint32_t number_of(struct fc_perfetto_marks *marks, const char *name)
{
	for (size_t i = 0; i < marks->names.nr; i++)
		if (!strcmp(marks->names.at[i], name))
			return (uint32_t)i;
	fc_vec_push(&marks->names, fc_strdup(name));
	return (uint32_t)marks->names.nr - 1;
}

struct fc_perfetto_track *fc_perfetto_mark(struct fc_perfetto_marks *marks,
					   struct fc_perfetto_tracks *tracks,
					   enum fc_mark_kind kind, const char *name, int pid,
					   int tid)
{
	bool is_counter = kind == FC_MARK_IS_COUNTER;
	uint32_t thread = fc_perfetto_thread_uuid(tracks, pid, tid);
	uint32_t owner = is_counter ? fc_perfetto_process_uuid(tracks, pid) : thread;
	uint64_t pair = fc_pair(number_of(marks, name) * 2 + is_counter, owner);
	uint32_t number = fc_pairs_find(&marks->pairs, pair);

	if (!number) {
		number = fc_pairs_add(&marks->pairs, pair);
		uint32_t uuid = fc_perfetto_tell_mark(tracks, owner, name, is_counter);
		fc_vec_push(&marks->tracks, (struct fc_perfetto_track){ .uuid = uuid });
	}
	return &marks->tracks.at[number - 1];
}

void fc_perfetto_marks_deinit(struct fc_perfetto_marks *marks)
{
	fc_vec_each (&marks->names, name)
		free(*name);
	fc_vec_free(&marks->names);
	fc_pairs_deinit(&marks->pairs);
	fc_vec_free(&marks->tracks);
}
