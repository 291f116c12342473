/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ids.h - threads of other pid namespaces: which ids they have here.
 *
 * An agent tells ids as its process sees them (getpid(2)), and as which process fctrace knows it
 * (struct fca_config, number). Processes of this namespace have the number 0, and the same ids
 * here as there. Any thread may ask.
 */
#ifndef FC_CAPTURE_DRAIN_IDS_H
#define FC_CAPTURE_DRAIN_IDS_H

#include <stdbool.h>
#include <stdint.h>

struct fc_ids;

struct fc_ids *fc_ids_create(void);
void fc_ids_destroy(struct fc_ids *ids);

/* Has this process ids of its own, in another pid namespace? */
bool fc_ids_are_own(int pid);

/* Thread own_tid of process number is thread tid of process pid here. */
void fc_ids_add(struct fc_ids *ids, uint32_t number, int own_tid, int pid, int tid);

/* What an agent tells becomes what it is here; ids that nobody has become 0. */
void fc_ids_find(struct fc_ids *ids, uint32_t number, int *pid, int *tid);

#endif
