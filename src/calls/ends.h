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
 * When the strand's calls end, at or after from_tsc: with its process, with the program that this
 * ran, with its thread if it is of a kind that does. UINT64_MAX: with none that is known.
 */
uint64_t fc_ends_next(const struct fc_ends *ends, const struct fc_strand_info *strand,
		      uint64_t from_tsc);
/* The latest time of any life; 0: there is none. */
uint64_t fc_ends_last(const struct fc_ends *ends);

#endif
