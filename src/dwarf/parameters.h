/* SPDX-License-Identifier: Apache-2.0 */
/* parameters.h - the parameters of a function, as debug information tells them. */
#ifndef FC_DWARF_PARAMETERS_H
#define FC_DWARF_PARAMETERS_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "dwarf/atentry.h"
#include "dwarf/types/dietypes.h"
#include "values/signature.h"

struct fc_parameters {
	struct fc_parameter {
		uint32_t name, type; /* in texts; a node */
		enum fc_atentry is_at;
		bool is_all; /* it is said to be there in all of the function */
		struct fc_location place;
	} params[FC_MAX_PARAMS];
	uint32_t nr;
	bool is_variadic;
	bool has_own_rules; /* it is seen not to keep to the ABI */
};

/* Of a function that has code. */
void fc_parameters_read(struct fc_parameters *ret, struct fc_dietypes *types,
			Dwarf_Die *function, const struct fc_entry *entry);

/* Is anything told of where they are that the ABI does not tell as well? */
bool fc_parameters_are_placed(const struct fc_parameters *params);

#endif
