/* SPDX-License-Identifier: Apache-2.0 */
/* stdstring.h - std::string of libstdc++, which has been so since GCC 5. */
#ifndef FC_VALUES_STDSTRING_H
#define FC_VALUES_STDSTRING_H

#include "values/types.h"

/* As debug information tells it. */
uint32_t fc_stdstring_type(struct fc_types *types);

#endif
