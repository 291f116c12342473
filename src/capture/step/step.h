/* SPDX-License-Identifier: Apache-2.0 */
/*
 * step.h - the witness: a source of events that single-steps a program and changes no byte
 * of it.
 *
 * It finds calls by what the CPU does, not by hooks, and tells them as the patch backend
 * does, of the same functions: what the two tell must be equal. Slow: for small programs.
 */
#ifndef FC_CAPTURE_STEP_STEP_H
#define FC_CAPTURE_STEP_STEP_H

#include "capture/backend.h"

/* step. If the calling process is killed, so are the programs: by SIGTRAP. */
extern const struct fc_backend fc_step_backend;

#endif
