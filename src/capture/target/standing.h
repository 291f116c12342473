/* SPDX-License-Identifier: Apache-2.0 */
/* standing.h - where the threads of a process stand. What they will come back to: stackwalk.h. */
#ifndef FC_CAPTURE_TARGET_STANDING_H
#define FC_CAPTURE_TARGET_STANDING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct fc_stand {
	int tid, own_tid; /* here, and in its own pid namespace; -1: not known */
	uint64_t ip, sp;
};

/* Threads that are stopped. */
struct fc_standing {
	FC_VEC(struct fc_stand) threads;
};

/* -errno with a sentence: the thread is gone. */
int fc_standing_add(struct fc_standing *standing, int tid);
void fc_standing_deinit(struct fc_standing *standing);
#define fc_auto_standing __attribute__((cleanup(fc_standing_deinit)))

#endif
