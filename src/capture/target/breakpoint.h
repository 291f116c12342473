/* SPDX-License-Identifier: Apache-2.0 */
/* breakpoint.h - do the CPU's debug registers stop a thread, on this machine? */
#ifndef FC_CAPTURE_TARGET_BREAKPOINT_H
#define FC_CAPTURE_TARGET_BREAKPOINT_H

#include <stdbool.h>

/*
 * Tried on a child of the caller, which must not reap all children in another thread meanwhile.
 * Virtual machines may take fc_registers_break_at() and not do it. False: they do not stop it, or
 * nothing can be traced at all.
 */
bool fc_breakpoints_fire(void);

#endif
