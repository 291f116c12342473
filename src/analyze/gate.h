/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gate.h - the tap before the trace writer: all passes, until somebody asks for a filter.
 *
 *   source -> gate ----------> writer       nothing is looked at
 *   source -> gate -> sieve -> writer       from the first filter on
 */
#ifndef FC_ANALYZE_GATE_H
#define FC_ANALYZE_GATE_H

#include "analyze/filter.h"
#include "trace/clock.h"
#include "trace/writer.h"

struct fc_gate;

/* filter: that it begins with, or NULL; match and ctx are ours. clock and writer outlive it. */
struct fc_gate *fc_gate_create(struct fc_writer *writer, const struct fc_clock *clock,
			       const struct fc_filter_opts *filter);
void fc_gate_destroy(struct fc_gate *gate);
struct fc_tap *fc_gate_tap(struct fc_gate *gate);

/* No more comes: hand on what is still held. */
void fc_gate_finish(struct fc_gate *gate, uint64_t tsc);

/* The filter it began with, which nobody has changed; NULL: there is none. */
const struct fc_filter *fc_gate_filter(const struct fc_gate *gate);

#endif
