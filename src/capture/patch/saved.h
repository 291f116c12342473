/* SPDX-License-Identifier: Apache-2.0 */
/*
 * saved.h - a plan as bytes, to be kept on disk between sessions.
 *
 * Only for the very same fctrace and the very same file: whoever keeps the bytes sees to that.
 */
#ifndef FC_CAPTURE_PATCH_SAVED_H
#define FC_CAPTURE_PATCH_SAVED_H

#include "base/vec.h"
#include "capture/patch/plan.h"

struct fc_saved {
	FC_VEC(uint8_t) list;
};

/* Add the bytes of a plan; ids are not kept. -E2BIG: there are too many, of functions or ids. */
int fc_plan_save(const struct fc_plan *plan, struct fc_saved *ret);

/*
 * The plan that was saved, for a file of which the headers are open (it has no functions).
 * -EBADMSG without a sentence: these are no such bytes, or they are not of this file. Each
 * window is made again from the file's code and must be what it was; bytes from nowhere may
 * make a plan that is wrong but none that is not one.
 */
int fc_plan_load(const struct fc_elf *elf, const struct fc_plan_opts *opts,
		 const uint8_t *bytes, size_t size, struct fc_plan **ret);

#endif
