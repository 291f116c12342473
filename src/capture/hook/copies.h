/* SPDX-License-Identifier: Apache-2.0 */
/* copies.h - stack frames that were copied to other memory, and may come back from there. */
#ifndef FC_CAPTURE_HOOK_COPIES_H
#define FC_CAPTURE_HOOK_COPIES_H

#include "capture/hook/remnant.h"

/*
 * Stacks that are copied to other memory and back (some coroutines) take return sites with
 * them. Where frames were given up that still held theirs (attics), all memory but the stacks is
 * looked at. The remnant is settled. -EBUSY with a sentence: there may be such a frame; all is to
 * stay mapped, unused.
 */
int fc_copies_check(const struct fc_remnant *remnant, const struct fc_standing *standing);

#endif
