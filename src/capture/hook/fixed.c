/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/hook/fixed.h"

#include <stdlib.h>

/* The segments of a file are loaded with one bias, but for the gaps that linkers leave between them. */
#define MAX_GAPS (1u << 20)

static bool is_of_file(const struct fc_map *map)
{
	return map->ino && map->path[0] == '/';
}

/* Is it loaded with the code at this mapping? A program may map the same file for itself, and unmap it. */
static bool is_beside(const struct fc_map *map, const struct fc_map *code)
{
	uint64_t bias = map->start - map->off, other = code->start - code->off;
	uint64_t gap = bias > other ? bias - other : other - bias;
	return map->ino == code->ino && gap <= MAX_GAPS;
}

static bool is_loaded(const struct fc_maps *maps, size_t i)
{
	for (size_t k = i;
	     k-- && is_of_file(&maps->at[k]) && maps->at[k].ino == maps->at[i].ino;)
		if (maps->at[k].is_exec && is_beside(&maps->at[i], &maps->at[k]))
			return true;
	for (size_t k = i; k < maps->nr && maps->at[k].ino == maps->at[i].ino; k++)
		if (maps->at[k].is_exec && is_beside(&maps->at[i], &maps->at[k]))
			return true;
	return false;
}

void fc_space_tell_fixed(const struct fc_space *space, const struct fc_maps *maps)
{
	struct fca_pool fixed[FCA_MAX_FIXED];
	uint32_t nr = 0, turn = 0;
	for (size_t i = 0; i < maps->nr && nr < FCA_MAX_FIXED; i++) {
		const struct fc_map *map = &maps->at[i];
		if (is_of_file(map) && !map->is_write && is_loaded(maps, i))
			fixed[nr++] = (struct fca_pool){ map->start, map->end };
	}
	int fd = space->mem_fd;
	uint64_t turn_at = FC_CONFIG(space, fixed_turn);
	/* What cannot be told is asked for of the kernel: nothing is lost. */
	if (!fc_remote_get(fd, turn_at, &turn, sizeof(turn)))
		return;
	turn |= 1;
	if (fc_remote_write(fd, turn_at, &turn, sizeof(turn)) ||
	    fc_remote_write(fd, FC_CONFIG(space, fixed), fixed, nr * sizeof(*fixed)) ||
	    fc_remote_write(fd, FC_CONFIG(space, nr_fixed), &nr, sizeof(nr)))
		return;
	turn++;
	(void)fc_remote_write(fd, turn_at, &turn, sizeof(turn));
}
