/* SPDX-License-Identifier: Apache-2.0 */
/* declared.h - a type as C declares something of it: "const char *path". */
#ifndef FC_VALUES_DECLARED_H
#define FC_VALUES_DECLARED_H

#include "values/text.h"

/* Adds it to text, on one line; what is nested too deeply is "?". */
void fc_declared_put(struct fc_value_text *text, const struct fc_types *types, uint32_t type,
		     const char *name);

#endif
