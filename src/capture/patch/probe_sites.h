/* SPDX-License-Identifier: Apache-2.0 */
/*
 * probe_sites.h - the static probes that are asked for, as functions of a plan (planned_probe.h): named
 * "provider:name", of no size, and hooked at the nop in the midst of the function that has them.
 *
 *   a nop of 5 bytes     a far jump over it, and nothing moves
 *   a nop of 1 byte      a far jump moves what is behind it, if it is certain that nobody jumps there;
 *                        else a pun, which changes that one byte
 */
#ifndef FC_CAPTURE_PATCH_PROBE_SITES_H
#define FC_CAPTURE_PATCH_PROBE_SITES_H

#include "capture/patch/plan.h"

/* When all functions are known: add those that opts.asks_probe wants. */
void fc_plan_add_probes(struct fc_plan *plan);
/* When the other functions are planned: hook them, or say why not. */
void fc_plan_hook_probes(struct fc_plan *plan);

/* Do bytes from probe i up to end move with the jump to another's stub? */
bool fc_plan_is_moved(const struct fc_plan *plan, size_t i, uint64_t end);

/* Bytes of the nop that probe i is. */
uint8_t fc_plan_nop_size(const struct fc_plan *plan, size_t i);

/* When it is known which jumps are written: what counts who looks at these probes goes up with them. */
void fc_stubs_add_semaphores(struct fc_stubs *stubs);

#endif
