/* SPDX-License-Identifier: Apache-2.0 */
/*
 * interrupted.h - system calls that end with EINTR only because their thread is traced: by a stop that
 * was asked for, or by a signal that the program ignores, which reaches a traced thread alone. The
 * kernel makes most calls again by itself; signal(7) lists the others.
 */
#ifndef FC_CAPTURE_TARGET_INTERRUPTED_H
#define FC_CAPTURE_TARGET_INTERRUPTED_H

#include "capture/target/tracee.h"

/* In a stop that was asked for: nothing else would have ended the call that it has ended; it is made again. */
void fc_interrupted_by_stop(int tid);
/*
 * The same in the stop in which this signal is delivered, if the program ignores it. Not of SIGCONT when
 * the thread was stopped with its group: that ends such calls of anybody.
 */
void fc_interrupted_by_signal(struct fc_tracee *tracee, int sig);

#endif
