/* SPDX-License-Identifier: Apache-2.0 */
/* vec.h - a typed array that grows: FC_VEC(struct x) v = { 0 }; fc_vec_push(&v, item). */
#ifndef FC_BASE_VEC_H
#define FC_BASE_VEC_H

#include <stddef.h>
#include <stdlib.h>

#include "base/memory.h"

#define FC_VEC(type)                                                                           \
	struct {                                                                               \
		type *at;                                                                      \
		size_t nr, room;                                                               \
	}

/* Make room for one more; memory that runs out ends the program with a sentence. */
void *fc_vec_grow_(void *at, size_t nr, size_t *room, size_t size);

#define fc_vec_push(v, ...)                                                                    \
	((v)->at = fc_vec_grow_((v)->at, (v)->nr, &(v)->room, sizeof(*(v)->at)),               \
	 (v)->at[(v)->nr++] = (__VA_ARGS__))

/* Make room for n more without changing nr. */
#define fc_vec_reserve(v, n)                                                                   \
	((v)->at = fc_vec_grow_((v)->at, (v)->nr + (n)-1, &(v)->room, sizeof(*(v)->at)))

/* Make room for all items up to nr, zeroed; returns at. */
void *fc_vec_stretch_(void *at, size_t nr, size_t *room, size_t size, size_t new_nr);

/* Points to item i; it and what is missing before it are made, zeroed. */
#define fc_vec_make(v, i)                                                                      \
	({                                                                                     \
		size_t i_ = (i);                                                               \
		if (i_ >= (v)->nr) {                                                           \
			(v)->at = fc_vec_stretch_((v)->at, (v)->nr, &(v)->room,                \
						  sizeof(*(v)->at), i_ + 1);                   \
			(v)->nr = i_ + 1;                                                      \
		}                                                                              \
		&(v)->at[i_];                                                                  \
	})

/* By compare, as qsort() asks for it. */
#define fc_vec_sort(v, compare)                                                                \
	((v)->nr ? qsort((v)->at, (v)->nr, sizeof(*(v)->at), compare) : (void)0)

/* p points to each item in turn. */
#define fc_vec_each(v, p)                                                                      \
	for (__typeof__(&*(v)->at) p = (v)->at; (v)->nr && p < (v)->at + (v)->nr; p++)

#define fc_vec_free(v) (free((v)->at), (v)->at = NULL, (v)->nr = (v)->room = 0)

static inline void fc_vec_drop_(void *v)
{
	free(*(void **)v); /* at is its first member */
}

/* Of a variable: it is freed at the end of its scope. */
#define fc_auto_vec __attribute__((cleanup(fc_vec_drop_)))

/* to becomes a copy of from, which it may hold the bytes of: what it held is not freed. */
#define fc_vec_copy(to, from)                                                                  \
	((to)->at = fc_memdup((from)->at, (from)->nr * sizeof(*(from)->at)),                   \
	 (to)->nr = (to)->room = (from)->nr)

#endif
