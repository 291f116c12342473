/* SPDX-License-Identifier: Apache-2.0 */
/* teller.h - tells a tap now and then how often functions were called that are only counted. */
#ifndef FC_CAPTURE_DRAIN_TELLER_H
#define FC_CAPTURE_DRAIN_TELLER_H

#include "capture/drain/drain.h"
#include "trace/source.h"

struct fc_teller;

/* The first time at once, then every every_ns. drain counts nr_counters functions. */
struct fc_teller *fc_teller_create(struct fc_drain *drain, uint32_t nr_counters,
				   struct fc_tap *tap, uint64_t every_ns);
void fc_teller_destroy(struct fc_teller *teller);

/* When to look next, ns of CLOCK_MONOTONIC. */
uint64_t fc_teller_next_ns(const struct fc_teller *teller);
/* Tell, if it is time. */
void fc_teller_look(struct fc_teller *teller);

#endif
