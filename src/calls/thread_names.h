/* SPDX-License-Identifier: Apache-2.0 */
/* thread_names.h - how threads are called, as far as they have a name of their own. */
#ifndef FC_CALLS_THREAD_NAMES_H
#define FC_CALLS_THREAD_NAMES_H

#include "base/pairs.h"
#include "trace/reader.h"
#include "trace/source.h"

struct fc_thread_names {
	struct fc_pairs threads;    /* pid, tid */
	FC_VEC(const char *) names; /* by their numbers; NULL: none. Texts of lives */
};

void fc_thread_names_deinit(struct fc_thread_names *names);

/* Lives in order, which outlive it: the last name counts, until its id is another thread's or program's. */
void fc_thread_names_life(struct fc_thread_names *names, const struct fc_life_info *life);

/* All of a trace, at its end. */
void fc_thread_names_find(struct fc_thread_names *names, const struct fc_reader *reader);

/* NULL: none is known. */
const char *fc_thread_names_of(const struct fc_thread_names *names, int pid, int tid);

#endif
