/* SPDX-License-Identifier: Apache-2.0 */
/* masks.h - which values are secrets by their names, and are not recorded. */
#ifndef FC_VALUES_MASKS_H
#define FC_VALUES_MASKS_H

#include "values/types.h"

struct fc_masks {
	char **globs;	  /* --mask: NULL-terminated; NULL: none */
	bool is_unmasked; /* --unmask: only those */
};

/*
 * Is a value of this name and type a secret? The case of letters and underscores in front do not
 * matter, and "userPin" is "user_pin". A glob that the user gives hides any value. fctrace's own hide
 * what may hold a text or bytes: a pointer, an array, a struct; words that have other meanings, as
 * "token" and "key", only where a text or bytes are. So is a struct, or what a pointer leads to, that
 * holds an array or a struct of such a name.
 */
bool fc_mask_hides(const struct fc_masks *masks, const struct fc_types *types, const char *name,
		   uint32_t type);
/* Does a text name a secret, as "DB_PASSWORD" does in an environment? */
bool fc_mask_names_secret(const struct fc_masks *masks, const char *name);

#endif
