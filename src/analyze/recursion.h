/* SPDX-License-Identifier: Apache-2.0 */
/* recursion.h - how often each function is open in one strand, so that recursion is seen in O(1). */
#ifndef FC_ANALYZE_RECURSION_H
#define FC_ANALYZE_RECURSION_H

#include <stddef.h>
#include <stdint.h>

/* A page counts 512 neighbouring functions and exists once one of them was entered. */
struct fc_recursion {
	uint32_t **pages;
	size_t nr_pages;
};

/* One more open call of func; returns how many were open before. */
uint32_t fc_recursion_enter(struct fc_recursion *recursion, uint32_t func);
/* Takes back one fc_recursion_enter(). */
void fc_recursion_leave(struct fc_recursion *recursion, uint32_t func);
void fc_recursion_deinit(struct fc_recursion *recursion);

#endif
