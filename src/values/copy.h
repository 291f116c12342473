/* SPDX-License-Identifier: Apache-2.0 */
/* copy.h - a type and all that it is made of, taken from one table into another. */
#ifndef FC_VALUES_COPY_H
#define FC_VALUES_COPY_H

#include "base/vec.h"
#include "values/types.h"

struct fc_type_copy {
	const struct fc_types *from;
	struct fc_types *to;
	FC_VEC(uint32_t) ids; /* in to, by id in from; 0: not taken yet */
};

void fc_type_copy_init(struct fc_type_copy *copy, const struct fc_types *from,
		       struct fc_types *to);
void fc_type_copy_deinit(struct fc_type_copy *copy);

/*
 * The id of this type in the other table. What a pointer points to is taken with it down to a
 * depth of pointers: structs that are deeper become forwards, and the rest void. The items of strings
 * and lists (values/sequence.h) are taken beside that.
 */
uint32_t fc_type_copy_take(struct fc_type_copy *copy, uint32_t id, unsigned depth);

#endif
