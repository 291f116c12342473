/* SPDX-License-Identifier: Apache-2.0 */
/*
 * off_funcs.h - which functions stand for time off the CPU: those of the module FC_OFF_CPU_MODULE.
 */
#ifndef FC_TRACE_OFF_FUNCS_H
#define FC_TRACE_OFF_FUNCS_H

#include "base/vec.h"
#include "trace/source.h"

/* Zeroed: none. */
struct fc_off_funcs {
	FC_VEC(bool) is; /* by function id; behind its end: none */
};

/* off may be NULL. */
static inline bool fc_off_funcs_has(const struct fc_off_funcs *off, uint32_t func)
{
	return off && func < off->is.nr && off->is.at[func];
}

/* Take the functions of this module, if it is the one. */
void fc_off_funcs_add(struct fc_off_funcs *off, const struct fc_module_info *module);
void fc_off_funcs_deinit(struct fc_off_funcs *off);

#endif
