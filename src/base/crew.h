/* SPDX-License-Identifier: Apache-2.0 */
/* crew.h - work that falls into parts, done by several threads at once. */
#ifndef FC_BASE_CREW_H
#define FC_BASE_CREW_H

#include <stddef.h>

/*
 * Call fn(ctx, i) once for each i below nr and return when all have: on this thread, and on one
 * more for each further CPU that this process may use, as far as threads can be had. Parts begin
 * in order, the largest first is best. fn may have a crew of its own.
 */
void fc_crew_each(size_t nr, void (*fn)(void *ctx, size_t i), void *ctx);

/* How many threads that would be at most; 1: none but this one. */
size_t fc_crew_size(void);

#endif
