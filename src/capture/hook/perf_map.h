/* SPDX-License-Identifier: Apache-2.0 */
/*
 * perf_map.h - the stubs of a process by name, for samplers: a call chain of perf's has the addresses of
 * stubs in it, as return addresses of open calls, and /tmp/perf-PID.map is where perf looks for their names
 * (tools/perf/Documentation/jit-interface.txt).
 */
#ifndef FC_CAPTURE_HOOK_PERF_MAP_H
#define FC_CAPTURE_HOOK_PERF_MAP_H

#include "capture/module/module.h"
#include "capture/patch/plan.h"

/*
 * Add the stubs of a module. -errno with a sentence: it cannot be written, or a file of somebody else's is
 * there, which stays as it is.
 */
int fc_perf_map_add(int pid, const struct fc_module *module, const struct fc_stubs *stubs);
/* A process that was forked has the same. */
int fc_perf_map_copy(int parent, int child);

#endif
