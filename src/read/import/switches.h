/* SPDX-License-Identifier: Apache-2.0 */
/*
 * switches.h - when threads were taken off a CPU, came back and ended, from uftrace's perf-cpuN.dat:
 * records of perf_event_open(2), of all CPUs in order of time.
 */
#ifndef FC_READ_IMPORT_SWITCHES_H
#define FC_READ_IMPORT_SWITCHES_H

#include "read/import/folder.h"

struct fc_uf_switch {
	uint64_t ns;
	int tid;
	bool is_out, is_preempted; /* off the CPU; and not of its own will */
	bool is_end;		   /* the thread exits */
};

struct fc_uf_switches;

/* Of all CPUs that the folder has a file of; there may be none. */
struct fc_uf_switches *fc_uf_switches_open(const struct fc_folder *folder);
void fc_uf_switches_close(struct fc_uf_switches *switches);

/* The next one, which stays the next until it is taken; NULL: there is none. */
const struct fc_uf_switch *fc_uf_switches_peek(struct fc_uf_switches *switches);
void fc_uf_switches_take(struct fc_uf_switches *switches);

/* How many files were damaged or could not be read, up to now. */
size_t fc_uf_switches_nr_bad(const struct fc_uf_switches *switches);

#endif
