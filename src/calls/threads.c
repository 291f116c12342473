/* SPDX-License-Identifier: Apache-2.0 */
/* threads.c - a hash table of threads by their ids. */
#include "calls/threads.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Where tid is, or would be put. room is a power of two. */
static struct fc_thread *slot_of(struct fc_thread *at, size_t room, int tid)
{
	size_t i = (unsigned int)tid * 0x9e3779b1u & (room - 1);

	while (at[i].is_there && at[i].tid != tid)
		i = (i + 1) & (room - 1);
	return &at[i];
}

static void grow(struct fc_threads *threads)
{
	size_t room = threads->room ? 2 * threads->room : 64;
	struct fc_thread *at = fc_alloc(room * sizeof(*at));

	for (size_t i = 0; i < threads->room; i++) {
		if (threads->at[i].is_there)
			*slot_of(at, room, threads->at[i].tid) = threads->at[i];
	}
	free(threads->at);
	threads->at = at;
	threads->room = room;
}

struct fc_thread *fc_threads_make(struct fc_threads *threads, int tid)
{
	if (2 * threads->nr >= threads->room)
		grow(threads);
	struct fc_thread *thread = slot_of(threads->at, threads->room, tid);
	if (!thread->is_there) {
		threads->nr++;
		*thread = (struct fc_thread){ .is_there = true, .tid = tid };
	}
	return thread;
}

void fc_threads_deinit(struct fc_threads *threads)
{
	free(threads->at);
	memset(threads, 0, sizeof(*threads));
}
