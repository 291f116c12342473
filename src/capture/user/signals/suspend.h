/* SPDX-License-Identifier: Apache-2.0 */
/*
 * suspend.h - Ctrl-Z, fg and bg. A shell waits for fctrace, its child, and not for the program: so
 * fctrace stops when the program has stopped, and by the same signal, and goes on with it.
 *
 *   Ctrl-Z  -->  SIGTSTP to both: fctrace waits, the program stops, at once or after its handler
 *                fctrace empties the rings, and stops                        shell: "Stopped"
 *   fg      -->  SIGCONT to both; if only fctrace got it, it passes it on
 *
 * A tracer that stands still must not hold up what it traces. A process of its own, the waker, looks
 * while it stands: if somebody lets the program go on, if it ends, or if others that have not stopped
 * need the tracer, that process lets fctrace go on.
 */
#ifndef FC_CAPTURE_USER_SIGNALS_SUSPEND_H
#define FC_CAPTURE_USER_SIGNALS_SUSPEND_H

#include "capture/user/session.h"

/* Events are seen to: stop, if the program has. It returns when fctrace goes on. */
void fc_suspend_look(struct fc_tracer *tracer);

/* SIGCONT has come while it did not stand. */
void fc_suspend_continued(struct fc_tracer *tracer, const siginfo_t *info);

/*
 * Stop by this signal, which is blocked, until SIGCONT. SIGTSTP and its like do not stop a process of
 * a group that no shell looks after.
 */
void fc_suspend_self(int sig);

/* When to look again, by the monotonic clock; UINT64_MAX: not before something happens. */
uint64_t fc_suspend_next_ns(const struct fc_tracer *tracer);

#endif
