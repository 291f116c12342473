/* SPDX-License-Identifier: Apache-2.0 */
/* programs.h - which program runs in a process, as lives tell it one after the other. */
#ifndef FC_CALLS_PROGRAMS_H
#define FC_CALLS_PROGRAMS_H

#include "base/pairs.h"
#include "base/vec.h"
#include "trace/source.h"

/* Zeroed means: nothing was told yet. Programs are numbers from 0 on; 0: not known. */
struct fc_programs {
	FC_VEC(char *) names;	 /* by number - 1: base names, each once */
	struct fc_pairs pids;	 /* (pid, 0) */
	FC_VEC(uint32_t) of_pid; /* by the pair's number - 1 */
};

void fc_programs_deinit(struct fc_programs *programs);

/* A life that is told: a fork runs what its parent runs, an exec something else. */
void fc_programs_life(struct fc_programs *programs, const struct fc_life_info *life);
uint32_t fc_programs_of(const struct fc_programs *programs, int pid);
/* "process" for one that is not known. Lives as long as programs. */
const char *fc_programs_name(const struct fc_programs *programs, uint32_t number);

#endif
