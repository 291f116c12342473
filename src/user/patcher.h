/* SPDX-License-Identifier: Apache-2.0 */
/* patcher.h - writes patches into a target's code: all of them or none. */
#ifndef FC_USER_PATCHER_H
#define FC_USER_PATCHER_H

#include "patch/plan.h"

/*
 * mem_fd: /proc/PID/mem of a target that is attached. patches: by taddr, not overlapping.
 * -EBUSY with a sentence: the target's bytes are not those of the file; nothing is written.
 */
int fc_patch_write(int mem_fd, const struct fc_patch *patches, size_t nr);

#endif
