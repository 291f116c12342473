/* SPDX-License-Identifier: Apache-2.0 */
/* left_out.h - sentences that say which functions and static probes of a module are not hooked, and why. */
#ifndef FC_CAPTURE_MODULE_LEFT_OUT_H
#define FC_CAPTURE_MODULE_LEFT_OUT_H

#include "capture/module/module.h"

/*
 * A sentence: nr functions are not hooked, and why. funcs names them, as fc_plan_funcs(); NULL: no
 * name is told.
 */
char *fc_module_left_out(const struct fc_module *module, const size_t *funcs, size_t nr,
			 const char *why);

/*
 * A sentence for each reason why probes that were asked for are not hooked in a process. stubs NULL: none of
 * the module's are.
 */
void fc_module_probes_left_out(const struct fc_module *module, const struct fc_stubs *stubs,
			       void (*say)(void *ctx, const char *sentence), void *ctx);

#endif
