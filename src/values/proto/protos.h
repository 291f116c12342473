/* SPDX-License-Identifier: Apache-2.0 */
/* protos.h - a file of C declarations, as a table of types and functions. */
#ifndef FC_VALUES_PROTO_PROTOS_H
#define FC_VALUES_PROTO_PROTOS_H

#include "values/types.h"

/*
 * What a header declares, after the preprocessor or without need of it: #include and conditions are
 * not known, #define NAME NUMBER is. Bodies and variables are passed over. name is for messages.
 * -EINVAL with a sentence that begins with "NAME:LINE:COLUMN: ".
 */
int fc_protos_read(const char *name, const char *text, size_t size, struct fc_types **ret);
/* The same of a file. -ENOENT...: it cannot be read; -EFBIG: it is too large. */
int fc_protos_open(const char *path, struct fc_types **ret);

#endif
