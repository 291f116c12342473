/* SPDX-License-Identifier: Apache-2.0 */
/* call_stops.h - threads that stop at system calls: for wells that see them all, or for one that is awaited. */
#ifndef FC_CAPTURE_USER_CALL_STOPS_H
#define FC_CAPTURE_USER_CALL_STOPS_H

#include "capture/user/session.h"

/* The thread stands still, and is traced from now on: wells follow it. */
void fc_call_stops_follow(struct fc_tracer *tracer, struct fc_tracee *tracee);

/* It has stopped at the entry or the end of a system call, for PTRACE_SYSCALL. */
void fc_call_stops_take(struct fc_tracer *tracer, struct fc_tracee *tracee);

#endif
