/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/recursion.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define PAGE_BITS 9
#define PAGE_SIZE (1u << PAGE_BITS)

static uint32_t *make_page(struct fc_recursion *recursion, size_t page)
{
	if (page >= recursion->nr_pages) {
		size_t want = page + 1;
		recursion->pages =
			fc_realloc(recursion->pages, want * sizeof(*recursion->pages));
		memset(recursion->pages + recursion->nr_pages, 0,
		       (want - recursion->nr_pages) * sizeof(*recursion->pages));
		recursion->nr_pages = want;
	}
	if (!recursion->pages[page])
		recursion->pages[page] = fc_alloc(PAGE_SIZE * sizeof(uint32_t));
	return recursion->pages[page];
}

uint32_t fc_recursion_enter(struct fc_recursion *recursion, uint32_t func)
{
	size_t page = func >> PAGE_BITS;
	uint32_t *counts = page < recursion->nr_pages ? recursion->pages[page] : NULL;

	if (!counts)
		counts = make_page(recursion, page);
	return counts[func & (PAGE_SIZE - 1)]++;
}

void fc_recursion_leave(struct fc_recursion *recursion, uint32_t func)
{
	recursion->pages[func >> PAGE_BITS][func & (PAGE_SIZE - 1)]--;
}

void fc_recursion_deinit(struct fc_recursion *recursion)
{
	for (size_t i = 0; i < recursion->nr_pages; i++)
		free(recursion->pages[i]);
	free(recursion->pages);
	recursion->pages = NULL;
	recursion->nr_pages = 0;
}
