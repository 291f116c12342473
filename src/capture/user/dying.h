/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dying.h - a process that a signal is about to kill with a core dump. Debuggers look for callers in
 * what is left of its stacks: the return addresses and next instructions that they find are the
 * program's own.
 */
#ifndef FC_CAPTURE_USER_DYING_H
#define FC_CAPTURE_USER_DYING_H

#include "capture/user/session.h"

/* Signals whose default is to dump core (signal(7)). */
bool fc_dying_is_core(int sig);

/* Will sig, for which the thread has stopped, kill its process, and leave a core? */
bool fc_dying_is_deadly(const struct fc_tracee *tracee, int sig);

/* It will: the thread stays where it is until fc_dying_serve(). False: it is to go on. */
bool fc_dying_add(struct fc_tracer *tracer, struct fc_tracee *tracee, int sig);

/* See to one of them. False: there is none. */
bool fc_dying_serve(struct fc_tracer *tracer);

/* A thread of it stops, so the process lives on after all: all its threads do. */
void fc_dying_revive(struct fc_tracer *tracer, struct fc_process *process);

#endif
