/* SPDX-License-Identifier: Apache-2.0 */
/* under.h - what -F asks for, of a file before it runs: functions that need no hook for it. */
#ifndef FC_CAPTURE_MODULE_UNDER_H
#define FC_CAPTURE_MODULE_UNDER_H

#include "capture/patch/plan.h"

/* Does a function of the file at path match one of the globs? These: NULL-terminated, or NULL: none. */
bool fc_under_is_named(char **globs, const char *path, const struct fc_func_info *func);

/*
 * Leave out of the plan of the file at path what cannot be called under the functions that
 * match one of the globs of only: NULL-terminated, or NULL: all is wanted. Returns how many
 * functions are left out.
 */
size_t fc_under_prune(struct fc_plan *plan, const char *path, char **only);

#endif
