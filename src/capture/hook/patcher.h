/* SPDX-License-Identifier: Apache-2.0 */
/* patcher.h - writes patches into a target's code, and undoes them. */
#ifndef FC_CAPTURE_HOOK_PATCHER_H
#define FC_CAPTURE_HOOK_PATCHER_H

#include "capture/patch/plan.h"

/*
 * mem_fd: /proc/PID/mem of a target that is attached. patches: by taddr, not overlapping. All of
 * them are written or none.
 * -EBUSY with a sentence: the target's bytes are not those of the file; nothing is written.
 * -errno with a sentence: they cannot be written.
 */
int fc_patch_write(int mem_fd, const struct fc_patch *patches, size_t nr);

/*
 * The other way: make the bytes what they were, wherever they are what was written.
 * -errno with a sentence: they cannot be written, though they are there. Some may have been; what
 * they lead to is to stay.
 */
int fc_patch_undo(int mem_fd, const struct fc_patch *patches, size_t nr);

/* Write those again that were undone. As above. */
int fc_patch_redo(int mem_fd, const struct fc_patch *patches, size_t nr);

/* Is it written at this moment? */
bool fc_patch_is_there(int mem_fd, const struct fc_patch *patch);

#endif
