/* SPDX-License-Identifier: Apache-2.0 */
/* thread_names.c - the last name of each thread, by its process and its id. */
#include "calls/thread_names.h"

void fc_thread_names_deinit(struct fc_thread_names *names)
{
	fc_vec_free(&names->names);
	fc_pairs_deinit(&names->threads);
}

static void set(struct fc_thread_names *names, int pid, int tid, const char *name)
{
	uint64_t thread = fc_pair((uint32_t)pid, (uint32_t)tid);
	uint32_t at = fc_pairs_find(&names->threads, thread);

	if (!at && !name)
		return;
	if (!at) {
		at = fc_pairs_add(&names->threads, thread);
		fc_vec_push(&names->names, NULL);
	}
	names->names.at[at - 1] = name;
}

void fc_thread_names_life(struct fc_thread_names *names, const struct fc_life_info *life)
{
	if (life->life == FC_LIFE_NAME)
		set(names, life->pid, life->tid, life->text);
	else if (life->life == FC_LIFE_START || life->life == FC_LIFE_EXEC)
		set(names, life->pid, life->pid, NULL);
	else if (life->life == FC_LIFE_THREAD_START)
		set(names, life->pid, life->tid, NULL);
}

void fc_thread_names_find(struct fc_thread_names *names, const struct fc_reader *reader)
{
	for (size_t i = 0; i < fc_reader_nr_lives(reader); i++)
		fc_thread_names_life(names, fc_reader_life(reader, i));
}

const char *fc_thread_names_of(const struct fc_thread_names *names, int pid, int tid)
{
	uint32_t at = fc_pairs_find(&names->threads, fc_pair((uint32_t)pid, (uint32_t)tid));

	return at ? names->names.at[at - 1] : NULL;
}
