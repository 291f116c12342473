/* SPDX-License-Identifier: Apache-2.0 */
/* planning.h - files are read and planned: how far that is, on a terminal, if it takes long. */
#ifndef FC_CMD_VIEW_PLANNING_H
#define FC_CMD_VIEW_PLANNING_H

#include "base/progress.h"

/* Struct fc_user_opts's planning(). */
void fc_planning_show(void *ctx, const struct fc_progress *progress);

/* Around a plan that is made without a program that runs. */
void fc_planning_begin(struct fc_progress *progress);
void fc_planning_end(struct fc_progress *progress);

#endif
