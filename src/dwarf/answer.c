/* SPDX-License-Identifier: Apache-2.0 */
/* answer.c - builds and checks an answer. */
#include "dwarf/answer.h"

#include <string.h>

static const size_t head = offsetof(struct fc_dwarf_answer, paths);

void fc_dwarf_answer_clear(struct fc_dwarf_answer *answer)
{
	answer->wrong = FC_DWARF_GOOD;
	answer->nr_bytes = 0;
	for (size_t i = 0; i < FC_DWARF_ASKED; i++)
		answer->lines[i] = (struct fc_dwarf_line){ FC_DWARF_UNREAD, 0 };
}

/* Where path is among the others, or could be. */
static uint32_t find_path(const struct fc_dwarf_answer *answer, const char *path)
{
	uint32_t at = 0;
	while (at < answer->nr_bytes && strcmp(answer->paths + at, path))
		at += (uint32_t)strlen(answer->paths + at) + 1;
	return at;
}

void fc_dwarf_answer_put(struct fc_dwarf_answer *answer, size_t i, uint32_t line,
			 const char *path)
{
	size_t size = strlen(path) + 1;
	uint32_t at = line ? find_path(answer, path) : 0;

	if (line && at == answer->nr_bytes) {
		if (size > sizeof(answer->paths) - at)
			return;
		memcpy(answer->paths + at, path, size);
		answer->nr_bytes += (uint32_t)size;
	}
	answer->lines[i] = (struct fc_dwarf_line){ line, at };
}

size_t fc_dwarf_answer_size(const struct fc_dwarf_answer *answer)
{
	return head + answer->nr_bytes;
}

static bool check_line(const struct fc_dwarf_answer *answer, struct fc_dwarf_line line)
{
	if (!line.line || line.line == FC_DWARF_UNREAD)
		return true;
	return line.line < FC_DWARF_UNREAD && line.path < answer->nr_bytes &&
	       answer->paths[line.path];
}

bool fc_dwarf_answer_check(const struct fc_dwarf_answer *answer, size_t size, size_t nr)
{
	if (size < head || size > sizeof(*answer) || answer->nr_bytes != size - head)
		return false;
	if (answer->nr_bytes && answer->paths[answer->nr_bytes - 1])
		return false;
	if (answer->wrong >= FC_DWARF_NR_WRONG || answer->lines[0].line == FC_DWARF_UNREAD)
		return false;
	for (size_t i = 0; i < nr; i++)
		if (!check_line(answer, answer->lines[i]))
			return false;
	return true;
}
