/* SPDX-License-Identifier: Apache-2.0 */
/* targets.h - a set of addresses that lie close together: a bit for each. */
#ifndef FC_ARCH_TARGETS_H
#define FC_ARCH_TARGETS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"

/* Of those from vaddr on, and no others. bits is the owner's to free(). */
struct fc_targets {
	uint64_t vaddr, size;
	uint64_t *bits;
};

/* With none in it. */
static inline struct fc_targets fc_targets_make(uint64_t vaddr, uint64_t size)
{
	return (struct fc_targets){ vaddr, size, fc_alloc((size / 64 + 1) * sizeof(uint64_t)) };
}

static inline bool fc_targets_has(const struct fc_targets *targets, uint64_t vaddr)
{
	uint64_t off = vaddr - targets->vaddr;
	return off < targets->size && targets->bits[off / 64] >> off % 64 & 1;
}

/* One that the set cannot hold is passed over. */
static inline void fc_targets_add(struct fc_targets *targets, uint64_t vaddr)
{
	uint64_t off = vaddr - targets->vaddr;
	if (off < targets->size)
		targets->bits[off / 64] |= 1ull << off % 64;
}

#endif
