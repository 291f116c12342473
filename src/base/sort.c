/* SPDX-License-Identifier: Apache-2.0 */
/* sort.c - sorts items by a number in them. */
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

static int compare_64(const void *a, const void *b, void *off)
{
	uint64_t left, right;
	memcpy(&left, (const char *)a + (uintptr_t)off, sizeof(left));
	memcpy(&right, (const char *)b + (uintptr_t)off, sizeof(right));
	return (left > right) - (left < right);
}

static int compare_32(const void *a, const void *b, void *off)
{
	uint32_t left, right;
	memcpy(&left, (const char *)a + (uintptr_t)off, sizeof(left));
	memcpy(&right, (const char *)b + (uintptr_t)off, sizeof(right));
	return (left > right) - (left < right);
}

void fc_sort_(void *items, size_t nr, size_t size, size_t key_off, size_t key_size)
{
	if (nr)
		qsort_r(items, nr, size, key_size == sizeof(uint64_t) ? compare_64 : compare_32,
			(void *)(uintptr_t)key_off);
}

size_t fc_sort_once(uint64_t *items, size_t nr)
{
	size_t kept = 0;
	fc_sort(items, nr);
	for (size_t i = 0; i < nr; i++)
		if (!i || items[i] != items[i - 1])
			items[kept++] = items[i];
	return kept;
}
