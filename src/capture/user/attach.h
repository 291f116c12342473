/* SPDX-License-Identifier: Apache-2.0 */
/* attach.h - to processes that run: seize them, and put hooks into them. */
#ifndef FC_CAPTURE_USER_ATTACH_H
#define FC_CAPTURE_USER_ATTACH_H

#include "capture/user/session.h"

/*
 * Trace all threads of process pid from now on, which run on. -errno with a sentence: some of
 * them may be traced nevertheless.
 */
int fc_attach_seize(struct fc_tracer *tracer, int pid);

/* Hook all processes that were seized. -errno with a sentence; fc_detach_all() follows. */
int fc_attach_all(struct fc_tracer *tracer);

#endif
