/* SPDX-License-Identifier: Apache-2.0 */
/* sort.h - items put in the ascending order of their numbers. */
#ifndef FC_BASE_SORT_H
#define FC_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* By this field, which is unsigned and of 32 or 64 bits. items may be NULL when there are none. */
#define fc_sort_by(items, nr, field)                                                           \
	fc_sort_(items, nr, sizeof(*(items)), offsetof(__typeof__(*(items)), field),           \
		 sizeof((items)->field))

/* The same of items that are such numbers. */
#define fc_sort(items, nr) fc_sort_(items, nr, sizeof(*(items)), 0, sizeof(*(items)))

void fc_sort_(void *items, size_t nr, size_t size, size_t key_off, size_t key_size);

/* Sort, and keep each number once. Returns how many are left. */
size_t fc_sort_once(uint64_t *items, size_t nr);

#endif
