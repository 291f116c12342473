/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_answer.c - any bytes as what the process answers that reads debug information: it may have
 * been taken over. What passes is lines of files, and all of it lies in the message.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "dwarf/answer.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool is_true)
{
	if (!is_true)
		abort();
}

/* The buffer ends where the message does: what reads on is told by the sanitizer. */
static void check(const struct fc_dwarf_answer *answer, size_t size, size_t nr)
{
	if (!fc_dwarf_answer_check(answer, size, nr))
		return;
	require(fc_dwarf_answer_size(answer) == size && answer->wrong < FC_DWARF_NR_WRONG);
	require(answer->lines[0].line != FC_DWARF_UNREAD);
	for (size_t i = 0; i < nr; i++) {
		struct fc_dwarf_line line = answer->lines[i];
		require(line.line <= FC_DWARF_UNREAD);
		if (line.line && line.line != FC_DWARF_UNREAD)
			require(answer->paths[line.path] &&
				line.path + strlen(answer->paths + line.path) <
					answer->nr_bytes);
	}
}

/* As a message of this size, and with the number of bytes that it should have. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	size_t head = offsetof(struct fc_dwarf_answer, paths);
	size_t room = size > head ? size : head;
	size_t nr = size ? 1 + bytes[0] % FC_DWARF_ASKED : 1;
	fc_auto_free uint8_t *at = fc_alloc(room);

	if (size)
		memcpy(at, bytes, size);
	struct fc_dwarf_answer *answer = (struct fc_dwarf_answer *)at;
	check(answer, size, nr);
	answer->wrong %= FC_DWARF_NR_WRONG;
	answer->nr_bytes = (uint32_t)(room - head);
	if (room > head)
		at[room - 1] = 0;
	check(answer, room, nr);
	return 0;
}
