/* SPDX-License-Identifier: Apache-2.0 */
/* paged.h - numbers by number, of which few are ever used: those are found in O(1). */
#ifndef FC_BASE_PAGED_H
#define FC_BASE_PAGED_H

#include <stddef.h>
#include <stdint.h>

#define FC_PAGED_BITS 9

/* Zeroed means: all are 0. A page exists once one of its numbers was asked for. */
struct fc_paged {
	uint32_t **pages;
	size_t nr_pages;
};

uint32_t *fc_paged_page(struct fc_paged *paged, size_t page);
void fc_paged_deinit(struct fc_paged *paged);

/* The number at i, good until fc_paged_deinit(). */
static inline uint32_t *fc_paged_at(struct fc_paged *paged, uint32_t i)
{
	size_t page = i >> FC_PAGED_BITS;
	uint32_t *at = page < paged->nr_pages ? paged->pages[page] : NULL;

	if (!at)
		at = fc_paged_page(paged, page);
	return at + (i & ((1u << FC_PAGED_BITS) - 1));
}

#endif
