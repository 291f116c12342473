/* SPDX-License-Identifier: Apache-2.0 */
/* patches.h - what is to be written over code, as the sites of functions tell it. */
#ifndef FC_CAPTURE_PATCH_PATCHES_H
#define FC_CAPTURE_PATCH_PATCHES_H

#include "capture/patch/plan.h"

/*
 * Over size bytes at vaddr, for function i: the new ones are to be filled in. Valid until the
 * next one is added.
 */
struct fc_patch *fc_stubs_add_patch(struct fc_stubs *stubs, size_t i, uint64_t vaddr,
				    uint8_t size, enum fc_patch_order order);

/* By taddr: the first patch that ends behind it, as an index. */
size_t fc_stubs_find_patch(const struct fc_stubs *stubs, uint64_t taddr);

/* The bytes that will be there when all patches are written. */
void fc_stubs_read_patched(const struct fc_stubs *stubs, uint64_t taddr, uint8_t *ret,
			   size_t size);

#endif
