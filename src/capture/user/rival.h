/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rival.h - targets that use ptrace themselves. A process has one tracer only, and its own
 * comes first. The tracer's thread only; whoever asks waits for the answer in the agent.
 */
#ifndef FC_CAPTURE_USER_RIVAL_H
#define FC_CAPTURE_USER_RIVAL_H

#include "capture/user/session.h"

/*
 * The thread is about to be traced by its parent (PTRACE_TRACEME). If that is this process, it
 * is told that it is, once, and goes on as before; otherwise it is let go, with its hooks.
 */
void fc_rival_is_parent(struct fc_tracer *tracer, int tid);

/* Process asker is about to trace the process of thread tid, which is let go, unhooked. */
void fc_rival_attaches(struct fc_tracer *tracer, int asker, int tid);

/*
 * All threads of tid's process are about to be traced by one of its own. They are let go with
 * their hooks, and record on; what they give birth to is not followed.
 */
void fc_rival_is_inside(struct fc_tracer *tracer, int tid);

/* A traced thread is at the entry or exit of a system call: see to PTRACE_TRACEME. */
void fc_rival_on_call(struct fc_tracee *tracee);

#endif
