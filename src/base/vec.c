/* SPDX-License-Identifier: Apache-2.0 */
/* vec.c - makes room for more items. */
#include "base/vec.h"

#include <string.h>

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

void *fc_vec_stretch_(void *at, size_t nr, size_t *room, size_t size, size_t new_nr)
{
	at = fc_vec_grow_(at, new_nr - 1, room, size);
	memset((char *)at + nr * size, 0, (new_nr - nr) * size);
	return at;
}
