/* SPDX-License-Identifier: Apache-2.0 */
#include "base/vec.h"

#include "base/memory.h"

void *fc_vec_grow_(void *at, size_t nr, size_t *room, size_t size)
{
	if (nr < *room)
		return at;
	size_t want = *room ? *room * 2 : 16;
	if (want <= nr)
		want = nr + 1;
	at = fc_realloc(at, want * size);
	*room = want;
	return at;
}
