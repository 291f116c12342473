/* SPDX-License-Identifier: Apache-2.0 */
/* versions.c - finds the symbol versions that are private to a library. */
#include "elf/versions.h"

#include <elf.h>
#include <string.h>

#include "elf/cursor.h"

static bool is_private_name(const char *name, size_t room)
{
	static const char tail[] = "_PRIVATE";
	enum { LONGEST = 4096 }; /* a forged file has a million names of a megabyte */
	room = room < LONGEST ? room : LONGEST;
	size_t len = strnlen(name, room), tail_len = strlen(tail);
	return len >= tail_len && len < room && !memcmp(name + len - tail_len, tail, tail_len);
}

void fc_versions_read(struct fc_versions *versions, const uint8_t *at, size_t size,
		      const char *strings, size_t strings_size)
{
	*versions = (struct fc_versions){ 0 };
	if (!at)
		return;
	struct fc_cursor list = fc_cursor(at, size);
	uint64_t next;
	do {
		struct fc_cursor c = list;
		fc_cursor_skip(&c, offsetof(Elf64_Verdef, vd_ndx));
		uint64_t index = fc_cursor_uint(&c, sizeof(Elf64_Half));
		fc_cursor_skip(&c, sizeof(Elf64_Half) + sizeof(Elf64_Word));
		uint64_t names = fc_cursor_uint(&c, sizeof(Elf64_Word));
		next = fc_cursor_uint(&c, sizeof(Elf64_Word));

		/* The first name is the version's own; others are of those that it extends. */
		struct fc_cursor first = list;
		fc_cursor_skip(&first, names);
		uint64_t name = fc_cursor_uint(&first, sizeof(Elf64_Word));
		if (!c.is_bad && !first.is_bad && index < FC_VERSIONS_MAX &&
		    name < strings_size && is_private_name(strings + name, strings_size - name))
			versions->is_private[index / 8] |= 1 << index % 8;
		fc_cursor_skip(&list, next);
	} while (next && !list.is_bad);
}

bool fc_versions_is_private(const struct fc_versions *versions, uint16_t version)
{
	uint16_t index = version % FC_VERSIONS_MAX;
	return versions->is_private[index / 8] >> index % 8 & 1;
}
