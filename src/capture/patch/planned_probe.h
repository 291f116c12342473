/* SPDX-License-Identifier: Apache-2.0 */
/* planned_probe.h - a static probe (elf/probes.h) that is among the functions of a plan. */
#ifndef FC_CAPTURE_PATCH_PLANNED_PROBE_H
#define FC_CAPTURE_PATCH_PLANNED_PROBE_H

#include <stdint.h>

#include "arch/sdt_operand.h"

struct fc_planned_probe {
	uint64_t vaddr;
	uint64_t semaphore; /* vaddr; 0: it has none */
	const char *kinds;  /* as struct fc_probe's */
	uint8_t turns; /* FCA_SWITCH_ON, FCA_SWITCH_OFF: it turns recording of its thread on or off; 0: no */
	bool is_sound; /* as in struct fc_probe */
	uint8_t nr_operands;
	struct fc_sdt_operand operand[FC_MAX_SDT_OPERANDS];
};

#endif
