/* SPDX-License-Identifier: Apache-2.0 */
/* paged.c - allocates a page of numbers when it is first used. */
#include "base/paged.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

uint32_t *fc_paged_page(struct fc_paged *paged, size_t page)
{
	if (page >= paged->nr_pages) {
		size_t want = page + 1;
		paged->pages = fc_realloc(paged->pages, want * sizeof(*paged->pages));
		memset(paged->pages + paged->nr_pages, 0,
		       (want - paged->nr_pages) * sizeof(*paged->pages));
		paged->nr_pages = want;
	}
	if (!paged->pages[page])
		paged->pages[page] = fc_alloc(sizeof(uint32_t) << FC_PAGED_BITS);
	return paged->pages[page];
}

void fc_paged_deinit(struct fc_paged *paged)
{
	for (size_t i = 0; i < paged->nr_pages; i++)
		free(paged->pages[i]);
	free(paged->pages);
	*paged = (struct fc_paged){ 0 };
}
