/* SPDX-License-Identifier: Apache-2.0 */
/* arrivals.h - signals that come to threads, as the trace tells of them beside system calls. */
#ifndef FC_CAPTURE_USER_ARRIVALS_H
#define FC_CAPTURE_USER_ARRIVALS_H

#include "capture/user/session.h"

/* The thread has stopped for this signal, which is about to come to it. */
void fc_arrivals_tell(struct fc_tracer *tracer, const struct fc_tracee *tracee, int sig);

#endif
