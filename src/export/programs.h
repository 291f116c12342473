/* SPDX-License-Identifier: Apache-2.0 */
/* programs.h - which program a process runs, for who gives processes and threads a name. */
#ifndef FC_EXPORT_PROGRAMS_H
#define FC_EXPORT_PROGRAMS_H

#include "analyze/threads.h"
#include "base/vec.h"
#include "trace/reader.h"

struct fc_programs {
	struct fc_threads by_pid;   /* current: place in paths + 1 */
	FC_VEC(const char *) paths; /* the reader's */
};

void fc_programs_init(struct fc_programs *programs, const struct fc_reader *reader);
void fc_programs_deinit(struct fc_programs *programs);

/*
 * The base name of the program that the process ran last: what it became by exec, else what its
 * parent ran then. "" if that is not known.
 */
const char *fc_programs_of(struct fc_programs *programs, int pid);

#endif
