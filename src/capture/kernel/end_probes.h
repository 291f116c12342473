/* SPDX-License-Identifier: Apache-2.0 */
/*
 * end_probes.h - how threads and processes end, for whom nobody waits: probes of the functions that end
 * them (the kernel's kernel/exit.c).
 *
 *	do_group_exit(3 << 8)        this thread ends all of its process
 *	do_exit(3 << 8)              it ends; of all that end so the status is the process's
 *	taskstats_exit(task, true)   it was the last one of its process
 */
#ifndef FC_CAPTURE_KERNEL_END_PROBES_H
#define FC_CAPTURE_KERNEL_END_PROBES_H

#include "capture/kernel/probe_event.h"

#define FC_END_PROBES_EVENT "end"
/* Its fields: enum fc_end, and what the function was given. */
#define FC_END_PROBES_WHAT  "what"
#define FC_END_PROBES_VALUE "value"

enum fc_end {
	FC_END_OF_ALL = 1, /* value: not final */
	FC_END_OF_ONE,	   /* value: as waitpid() has it */
	FC_END_LAST,	   /* value: is it the last one? */
};

/* As event. -errno with a sentence: there is none then. */
int fc_end_probes_add(const struct fc_probe_event *event);

#endif
