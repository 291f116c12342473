/* SPDX-License-Identifier: Apache-2.0 */
/* off.h - recording, off and on again, while the target runs. */
#ifndef FC_CAPTURE_HOOK_OFF_H
#define FC_CAPTURE_HOOK_OFF_H

#include <stdbool.h>

struct fc_space;

/*
 * Off: calls that begin from now on are not recorded, and cost a few ns each; those that are
 * open still tell of their end. Other spaces of the same arena, copies of this one by fork,
 * are to be told as well. Nothing is stopped.
 */
void fc_space_switch(struct fc_space *space, bool is_on);

/* The next hook of each strand comes to the agent, nothing else. */
void fc_space_wake_strands(const struct fc_space *space);

#endif
