/* SPDX-License-Identifier: Apache-2.0 */
/* relocated.h - does the loader write to a file's code, or only to read-only tables beside it? */
#ifndef FC_ELF_RELOCATED_H
#define FC_ELF_RELOCATED_H

#include <stdbool.h>
#include <stdint.h>

struct fc_dynamic;
struct fc_image;

struct fc_relocated {
	bool is_code;	 /* code is relocated, or may be */
	uint64_t beside; /* else the first word that is and is not writable; 0: none */
};

/* Of a file with DT_TEXTREL. */
void fc_relocated_find(const struct fc_image *image, const struct fc_dynamic *dynamic,
		       struct fc_relocated *ret);

#endif
