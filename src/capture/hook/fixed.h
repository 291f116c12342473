/* SPDX-License-Identifier: Apache-2.0 */
/* fixed.h - memory that does not change: of loaded files, where it may not be written. */
#ifndef FC_CAPTURE_HOOK_FIXED_H
#define FC_CAPTURE_HOOK_FIXED_H

#include "capture/hook/space.h"

/* Tell the agent, which need not ask the kernel for these bytes each time: struct fca_config. */
void fc_space_tell_fixed(const struct fc_space *space, const struct fc_maps *maps);

#endif
