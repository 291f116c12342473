/* SPDX-License-Identifier: Apache-2.0 */
/* places.h - where all parameters of a function are at its entry, and its result at its return. */
#ifndef FC_VALUES_PLACES_H
#define FC_VALUES_PLACES_H

#include "values/signature.h"
#include "values/types.h"

struct fc_arch;

struct fc_value_places {
	uint32_t nr; /* parameters, FC_MAX_PARAMS at most */
	struct fc_location param[FC_MAX_PARAMS];
	struct fc_location result;
};

/*
 * What the signature tells counts, and else the rules of the machine's ABI. Where one contradicts the
 * other, or a parameter is absent, the function has rules of its own: what is not told is absent then,
 * but for a result in one register. So is what Rust (tag "rust") returns in a way of its own. What is
 * not sure (is_unsure, late, the tag "read_result") counts where the function's code, or what its
 * callers read, shows that it is there.
 */
void fc_value_places_find(const struct fc_arch *arch, const struct fc_types *types,
			  const struct fc_signature *signature, struct fc_value_places *ret);

#endif
