/* SPDX-License-Identifier: Apache-2.0 */
/* event.h - a record of a trace, decoded: whole time, its strand, its mark's words. */
#ifndef FC_TRACE_EVENT_H
#define FC_TRACE_EVENT_H

#include "trace/record.h"

struct fc_event {
	uint64_t tsc; /* full ticks; fc_clock_ns() makes nanoseconds of it */
	uint32_t strand;
	int pid, tid;
	uint32_t func; /* function id; for FC_POP the number that stays open */
	uint8_t kind;  /* enum fc_kind */
	uint8_t mark;  /* enum fc_mark when kind is FC_MARK */
	uint64_t word[3];
};

#endif
