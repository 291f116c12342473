/* SPDX-License-Identifier: Apache-2.0 */
/* plan_private.h - what plan.c decides and stubs.c writes. */
#ifndef FC_PATCH_PLAN_PRIVATE_H
#define FC_PATCH_PLAN_PRIVATE_H

#include <errno.h>

#include "arch/arch.h"
#include "patch/plan.h"
#include "trace/record.h"

struct fc_planned {
	struct fc_window window;
	uint8_t kind; /* enum fc_stub_kind */
	bool is_hooked; /* gets a stub; true also for those that record nothing (FC_STUB_DL) */
};

struct fc_plan {
	const struct fc_elf *elf;
	const struct fc_arch *arch;
	struct fc_plan_opts opts;
	struct fc_func_info *infos; /* as elf->funcs */
	struct fc_planned *planned; /* as elf->funcs */
	size_t nr;
	struct fc_code_range *ranges;
	size_t nr_ranges;
};

#endif
