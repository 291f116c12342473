/* SPDX-License-Identifier: Apache-2.0 */
/* waker.h - a process that looks after what is traced while fctrace stands still (suspend.h). */
#ifndef FC_CAPTURE_TARGET_WAKER_H
#define FC_CAPTURE_TARGET_WAKER_H

#include <stdbool.h>

#include "capture/target/tracee.h"

/* It sends SIGCONT when this process is needed. Its id; -1: there is none. */
int fc_waker_start(const struct fc_tracees *tracees);
/* Has a shell taken the terminal since the last one was started? */
bool fc_waker_saw_background(void);
void fc_waker_end(int waker);

#endif
