/* SPDX-License-Identifier: Apache-2.0 */
/* timekinds.h - functions whose time is not that of the program's own work, by their names. */
#ifndef FC_READ_DIFF_TIMEKINDS_H
#define FC_READ_DIFF_TIMEKINDS_H

#include "calls/names.h"

enum fc_kind_of_time {
	FC_TIME_WORK,
	FC_TIME_SLEEP, /* as long as the program asks for */
	FC_TIME_WAIT,  /* for others: a thread, a lock, the other end of a pipe, a disk */
	FC_TIME_JOIN, /* for the end of another thread or process, which has its own functions */
	FC_TIME_LOADER, /* of the dynamic loader, before and beside the program */
};

/* By where the function waits (calls/waits.h). */
enum fc_kind_of_time fc_kind_of_time(struct fc_name name);

#endif
