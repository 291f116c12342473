/* SPDX-License-Identifier: Apache-2.0 */
/* stub_fetches.h - a plan of what is fetched, as a stub has it. */
#ifndef FC_VALUES_STUB_FETCHES_H
#define FC_VALUES_STUB_FETCHES_H

#include "values/wanted.h"

/* A text or an array: how much there is of it is seen when it is fetched. */
bool fc_fetch_is_text(const struct fca_fetch *fetch);

/* NULL: there is nothing to do. The caller frees it. */
struct fca_fetches *fc_fetch_plan_make(const struct fc_fetch_plan *plan, uint32_t key);

#endif
