/* SPDX-License-Identifier: Apache-2.0 */
/* namesakes.h - the processes that run a program of one name. */
#ifndef FC_CAPTURE_TARGET_NAMESAKES_H
#define FC_CAPTURE_TARGET_NAMESAKES_H

#include <stdbool.h>

#include "base/vec.h"

struct fc_namesake {
	int pid, ppid;
	bool is_waiting; /* for the others, whose parent it is, or for signals: they do the work */
	char command[96]; /* its words, as many as have room; control characters as they are */
};

struct fc_namesakes {
	FC_VEC(struct fc_namesake) list;
};

/*
 * By name: what the process calls itself (proc(5), /proc/PID/comm), the last part of its first word,
 * or the name of its file. In order of their ids, without this process and those that have ended.
 */
void fc_namesakes_find(const char *name, struct fc_namesakes *ret);
void fc_namesakes_deinit(struct fc_namesakes *namesakes);

#endif
