/* SPDX-License-Identifier: Apache-2.0 */
/* comm.h - what a thread is called: /proc/TID/comm (proc(5)). */
#ifndef FC_CAPTURE_TARGET_COMM_H
#define FC_CAPTURE_TARGET_COMM_H

#include <stdbool.h>
#include <stddef.h>

/* As many bytes as a program can give a thread, with the zero (TASK_COMM_LEN); kernel threads have longer names. */
enum { FC_COMM_SIZE = 16 };

/* Without the line's end, cut where it is longer than room. False: it has ended, and *ret is "". */
bool fc_comm_read(int tid, char *ret, size_t room);

#endif
