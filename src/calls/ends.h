/* SPDX-License-Identifier: Apache-2.0 */
/* ends.h - when processes and threads ended, found by strand: what was open then ends there. */
#ifndef FC_CALLS_ENDS_H
#define FC_CALLS_ENDS_H

#include <stddef.h>
#include <stdint.h>

#include "trace/reader.h"

struct fc_ends;
struct fc_ends *fc_ends_create(const struct fc_reader *reader);
void fc_ends_destroy(struct fc_ends *ends);

/*
 * The first end of the thread, of its process, or of the program that the process ran, at or
 * after from_tsc. UINT64_MAX: there is none.
 */
uint64_t fc_ends_next(const struct fc_ends *ends, int pid, int tid, uint64_t from_tsc);
/* The latest time of any life; 0: there is none. */
uint64_t fc_ends_last(const struct fc_ends *ends);

#endif
