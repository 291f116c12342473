/* SPDX-License-Identifier: Apache-2.0 */
/* known.h - what fctrace itself knows of the functions of common libraries: prototypes/. */
#ifndef FC_VALUES_PROTO_KNOWN_H
#define FC_VALUES_PROTO_KNOWN_H

#include "values/types.h"

/*
 * Of the library whose file is called so ("libc.so.6"); NULL: nothing is known. It is read when it is
 * asked for first, and kept; one thread asks.
 */
const struct fc_types *fc_known_types(const char *library);

#endif
