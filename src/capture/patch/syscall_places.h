/* SPDX-License-Identifier: Apache-2.0 */
/* syscall_places.h - the places in a file's code that make system calls. */
#ifndef FC_CAPTURE_PATCH_SYSCALL_PLACES_H
#define FC_CAPTURE_PATCH_SYSCALL_PLACES_H

#include "arch/arch.h"
#include "base/vec.h"
#include "capture/patch/plan.h"

struct fc_syscall_place {
	struct fc_syscall_insn insn;
	const struct fc_func_info *func; /* that it is in; NULL: in none that is known */
};

struct fc_syscall_places {
	FC_VEC(struct fc_syscall_place) list; /* by address */
};

/* Of all code of the plan's file; the plan must outlive it. */
void fc_syscall_places_find(struct fc_syscall_places *places, const struct fc_plan *plan);
void fc_syscall_places_deinit(struct fc_syscall_places *places);

#endif
