/* SPDX-License-Identifier: Apache-2.0 */
/* switch.h - recording, off and on again, while the target runs. */
#ifndef FC_CAPTURE_USER_SWITCH_H
#define FC_CAPTURE_USER_SWITCH_H

#include "capture/user/tracer.h"

/*
 * Off: calls that begin from now on are not recorded, and cost a few ns each; those that are
 * open still tell of their end. Other spaces of the same arena, copies of this one by fork,
 * are to be told as well. Nothing is stopped.
 */
void fc_space_switch(struct fc_space *space, bool is_on);

/* The next hook of each strand comes to the agent, nothing else. */
void fc_space_wake_strands(const struct fc_space *space);

/* All that is traced, and what is born from now on. The trace tells of it. */
void fc_tracer_switch(struct fc_tracer *tracer, bool is_on);

#endif
