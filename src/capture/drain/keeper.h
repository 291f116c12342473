/* SPDX-License-Identifier: Apache-2.0 */
/*
 * keeper.h - words in shared memory by which others see whether this fctrace lives.
 *
 * The kernel goes through a thread's list of robust futexes when the thread dies, and marks their
 * words (set_robust_list(2)). The list lies in memory of this process alone: of what is shared
 * nothing is followed and nothing is believed. The calling thread is the one that is watched.
 */
#ifndef FC_CAPTURE_DRAIN_KEEPER_H
#define FC_CAPTURE_DRAIN_KEEPER_H

#include <stddef.h>
#include <stdint.h>

struct fc_keeper;

/* -errno with a sentence. Its thread keeps no other robust futexes from here on. */
int fc_keeper_create(struct fc_keeper **ret);
void fc_keeper_destroy(struct fc_keeper *keeper);

/*
 * The first 32 bits of the file: this thread's id from now on; FCA_KEEPER_DIED is set when it
 * dies. Returns a slot for fc_keeper_drop(), or -errno with a sentence.
 */
int fc_keeper_take(struct fc_keeper *keeper, int fd);
/* The word is 0 from now on: nobody listens any more. Twice is fine. */
void fc_keeper_drop(struct fc_keeper *keeper, int slot);

#endif
