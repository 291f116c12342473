/* SPDX-License-Identifier: Apache-2.0 */
/* bisect.h - how many items of a sorted array come first. */
#ifndef FC_BASE_BISECT_H
#define FC_BASE_BISECT_H

#include <stddef.h>

/*
 * Of nr items, those for which `is_first` is true come before all others: how many are they?
 * `is_first` is an expression about `item`, a pointer to one of them. So the last that begins at
 * or before an address, if there is one, is the item before this:
 *
 *	fc_bisect(funcs, nr, func, func->vaddr <= vaddr)
 */
#define fc_bisect(items, nr, item, is_first)                                                   \
	__extension__({                                                                        \
		size_t low_ = 0, high_ = (nr);                                                 \
		while (low_ < high_) {                                                         \
			size_t mid_ = low_ + (high_ - low_) / 2;                               \
			const __typeof__(*(items)) *item = &(items)[mid_];                     \
			if (is_first)                                                          \
				low_ = mid_ + 1;                                               \
			else                                                                   \
				high_ = mid_;                                                  \
		}                                                                              \
		low_;                                                                          \
	})

#endif
