/* SPDX-License-Identifier: Apache-2.0 */
/* nearest_function.h - which functions are called most like a pattern that matches none. */
#ifndef FC_CALLS_NEAREST_FUNCTION_H
#define FC_CALLS_NEAREST_FUNCTION_H

#include "base/nearest.h"
#include "calls/names.h"

/* What is left of the glob without a module and without what is special in a pattern. */
void fc_nearest_begin_glob(struct fc_nearest *nearest, const char *glob);
/*
 * Of all that the namer knows (NULL: of none), as fc_nearest_hint(). If the glob matches some of these, the name
 * is right, and the hint prints that.
 */
char *fc_nearest_function_hint(const char *glob, const struct fc_namer *namer,
			       const char *rest);
/* By its name as it is shown, and without what stands before it: ns::class::f(int) also by "f". */
void fc_nearest_offer_function(struct fc_nearest *nearest, struct fc_name name);

#endif
