/* SPDX-License-Identifier: Apache-2.0 */
/*
 * comms.h - how threads are called. One that names itself by prctl() tells so at once; a name that
 * another thread has given it, or that it had before, is seen at the next look.
 */
#ifndef FC_CAPTURE_USER_COMMS_H
#define FC_CAPTURE_USER_COMMS_H

#include "capture/user/session.h"

/* Thread tid has this name from here on. */
void fc_comms_set(struct fc_tracer *tracer, int tid, const char *name);

/* A thread was born: look soon. */
void fc_comms_expect(struct fc_tracer *tracer);

uint64_t fc_comms_next_ns(const struct fc_tracer *tracer);
void fc_comms_look(struct fc_tracer *tracer);

#endif
