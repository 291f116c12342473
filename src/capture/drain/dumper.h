/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dumper.h - a thread that writes what a flight recorder holds (--loss=ring), one dump at a time:
 * however long the disk takes, the drain goes on to free the rings of threads that end.
 *
 * The drain's thread only.
 */
#ifndef FC_CAPTURE_DRAIN_DUMPER_H
#define FC_CAPTURE_DRAIN_DUMPER_H

#include "capture/drain/flight.h"
#include "trace/source.h"

struct fc_dumper;

struct fc_dumper *fc_dumper_create(struct fc_flight *flight, struct fc_tap *tap);
/* It is not at work. */
void fc_dumper_destroy(struct fc_dumper *dumper);

/* Give the flight, with the live strands that were looked at, to the tap. It is not at work. */
void fc_dumper_start(struct fc_dumper *dumper, const char *why, bool is_end);

/*
 * Is it at work? If not any more, *ret is what the tap has said, once; 0 later. With is_patient
 * it is waited for.
 */
bool fc_dumper_is_busy(struct fc_dumper *dumper, bool is_patient, int *ret);

#endif
