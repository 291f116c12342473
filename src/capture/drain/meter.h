/* SPDX-License-Identifier: Apache-2.0 */
/*
 * meter.h - a tap between the drain and another that counts, by function, the calls that pass.
 *
 * The drain's thread counts, the tracer's reads: a figure may be a moment old, never torn.
 */
#ifndef FC_CAPTURE_DRAIN_METER_H
#define FC_CAPTURE_DRAIN_METER_H

#include "calls/pass.h"

struct fc_meter {
	struct fc_pass pass;
	uint64_t *calls; /* by function id, below nr */
	uint32_t nr;
};

/* Functions from nr on are not counted. next must outlive it. */
void fc_meter_init(struct fc_meter *meter, uint32_t nr, struct fc_tap *next);
void fc_meter_deinit(struct fc_meter *meter);

#endif
