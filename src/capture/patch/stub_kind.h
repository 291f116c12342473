/* SPDX-License-Identifier: Apache-2.0 */
/* stub_kind.h - which kind of stub a function gets. */
#ifndef FC_CAPTURE_PATCH_STUB_KIND_H
#define FC_CAPTURE_PATCH_STUB_KIND_H

#include "capture/patch/plan.h"

struct fc_planned;

/*
 * When calls are only counted. Control goes on. Where a function jumps to its own start only a
 * shadow stack tells a round from a call: it is recorded, or when calls are counted by caller,
 * its stub leaves all to the agent.
 */
enum fc_stub_kind fc_stub_kind_of(const struct fc_planned *p, enum fc_counting counting);

/* Of the stub that is written for it. */
enum fc_stub_kind fc_stubs_kind(const struct fc_stubs *stubs, const struct fc_planned *p);

/* When its patches go. */
enum fca_undo fc_undo_of(const struct fc_planned *p);

#endif
