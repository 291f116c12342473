/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spec.h - what the user says of a function's arguments or of its result, in uftrace's words:
 *
 *	GLOB@arg1/s,arg2/x16,arg3%rdx,fparg1/32,arg7%stack+1      GLOB@retval/i32
 */
#ifndef FC_VALUES_SPEC_H
#define FC_VALUES_SPEC_H

#include <stdbool.h>

#include "values/signature.h"
#include "values/types.h"

struct fc_arch;

struct fc_value_spec {
	char *glob;
	struct fc_types *types; /* NULL: only a glob was given */
	struct fc_signature signature;
};

/*
 * Of a function's arguments, or of its result. Parameters are called as in the text: "arg1".
 * -EINVAL with a sentence that names the column.
 */
int fc_value_spec_read(const struct fc_arch *arch, const char *text, bool is_result,
		       struct fc_value_spec *ret);
void fc_value_spec_deinit(struct fc_value_spec *spec);

#endif
