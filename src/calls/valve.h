/* SPDX-License-Identifier: Apache-2.0 */
/*
 * valve.h - the tap before the trace writer: all passes, until somebody asks for a filter.
 *
 *   source -> valve ----------> writer       nothing is looked at
 *   source -> valve -> sieve -> writer       from the first filter on
 */
#ifndef FC_CALLS_VALVE_H
#define FC_CALLS_VALVE_H

#include "calls/filter.h"
#include "trace/clock.h"
#include "trace/writer.h"

struct fc_valve;

/* filter: that it begins with, or NULL; match and ctx are ours. clock and writer outlive it. */
struct fc_valve *fc_valve_create(struct fc_writer *writer, const struct fc_clock *clock,
				 const struct fc_filter_opts *filter);
void fc_valve_destroy(struct fc_valve *valve);
struct fc_tap *fc_valve_tap(struct fc_valve *valve);

/* No more comes: hand on what is still held. */
void fc_valve_finish(struct fc_valve *valve, uint64_t tsc);

/* The filter it began with, which nobody has changed; NULL: there is none. */
const struct fc_filter *fc_valve_filter(const struct fc_valve *valve);

#endif
