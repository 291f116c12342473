/* SPDX-License-Identifier: Apache-2.0 */
/* types_private.h - a table of types as libbpf has it, for types.c and type.c. */
#ifndef FC_VALUES_TYPES_PRIVATE_H
#define FC_VALUES_TYPES_PRIVATE_H

#include "values/types.h"

struct btf;

enum { FC_TYPES_POINTER = 8 }; /* bytes */

const struct btf *fc_types_btf(const struct fc_types *types);

/* What type.c keeps of all types, by id, to be freed by free(). It goes when a type is added. */
void fc_types_keep_views(struct fc_types *types, void *views);
const void *fc_types_views(const struct fc_types *types);

#endif
