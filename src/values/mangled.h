/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mangled.h - what the mangled name of a C++ function tells of its parameters (Itanium C++ ABI, 5.1).
 *
 *	_ZNK3foo3barEiPKcd	foo::bar(int, char const*, double) const
 *
 * It does not tell whether a member is static, which type a function returns that is no template, nor
 * how large a class or an enum is. So of some parameters the type is told, but not the place.
 */
#ifndef FC_VALUES_MANGLED_H
#define FC_VALUES_MANGLED_H

#include <stdbool.h>

#include "values/signature.h"
#include "values/types.h"

struct fc_arch;

/* What else is known of a function. */
struct fc_mangled_facts {
	bool has_plain_result; /* it returns in registers, or nothing: no place is passed for it */
	bool is_complete;      /* a constructor that is not only that of a base class */
};

/* In the table of types. False: nothing is told, or it is no such name; any bytes are safe. */
bool fc_mangled_read(const struct fc_arch *arch, const char *symbol,
		     const struct fc_mangled_facts *facts, struct fc_types *types,
		     struct fc_signature *ret);

#endif
