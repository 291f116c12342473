/* SPDX-License-Identifier: Apache-2.0 */
/* reclaim.h - the stub pools of files that are not mapped any more are given back. */
#ifndef FC_CAPTURE_USER_RECLAIM_H
#define FC_CAPTURE_USER_RECLAIM_H

#include "capture/user/session.h"

/*
 * If there are many of them in the process: hold it, look whether anything will come back to
 * them, and unmap those that are of no use any more. The others wait for the next time.
 */
void fc_reclaim(struct fc_tracer *tracer, struct fc_process *process);

#endif
