/* SPDX-License-Identifier: Apache-2.0 */
/*
 * versions.h - which symbol versions of a library are for its own parts only.
 *
 * Libraries of several files (libc.so.6 and ld-linux) export what these need of each other, too.
 * Their makers give that a version of its own: GLIBC_PRIVATE, SAMBA_…_PRIVATE. The form is that of
 * LSB Core, Symbol Versioning (Elfxx_Verdef); the name is a custom, not a rule.
 */
#ifndef FC_ELF_VERSIONS_H
#define FC_ELF_VERSIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FC_VERSIONS_MAX = 0x8000 }; /* an index has 15 bits */

struct fc_versions {
	uint8_t is_private[FC_VERSIONS_MAX / 8];
};

/* Read size bytes of definitions, whose names are in strings; what is damaged is not private. */
void fc_versions_read(struct fc_versions *versions, const uint8_t *at, size_t size,
		      const char *strings, size_t strings_size);

/* Is that version, as .gnu.version tells it of a symbol, private? */
bool fc_versions_is_private(const struct fc_versions *versions, uint16_t version);

#endif
