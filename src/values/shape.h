/* SPDX-License-Identifier: Apache-2.0 */
/* shape.h - a type as the rules of a machine's ABI see it: the leaves that it is made of. */
#ifndef FC_VALUES_SHAPE_H
#define FC_VALUES_SHAPE_H

#include "arch/location.h"
#include "values/types.h"

/*
 * Type 0 is void. False: it is not known what it is made of, or that is too much; *ret is empty then.
 * Its tags "vector", "complex", "decimal" and "by_reference" count, and "aligned(...)".
 */
bool fc_shape_init(struct fc_shape *ret, const struct fc_types *types, uint32_t type);
void fc_shape_deinit(struct fc_shape *shape);

#endif
