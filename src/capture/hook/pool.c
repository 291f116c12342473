/* SPDX-License-Identifier: Apache-2.0 */
/* Stub pools: where they may be, and who knows of them. */
#include <errno.h>
#include <string.h>

#include "arch/arch.h"
#include "base/fail.h"
#include "capture/hook/space_private.h"

int fc_space_write_pool(struct fc_space *space, uint32_t i, uint64_t lo, uint64_t hi)
{
	struct fca_pool pool = { lo, hi };
	return fc_remote_write(space->mem_fd, FC_CONFIG(space, pools) + i * sizeof(pool), &pool,
			       sizeof(pool));
}

/* The agent may read from those that there are by now. */
static int tell_mapped(struct fc_space *space, uint32_t nr)
{
	return fc_remote_write(space->mem_fd, FC_CONFIG(space, nr_mapped), &nr, sizeof(nr));
}

int fc_space_count_pools(struct fc_space *space, uint32_t nr)
{
	int ret = nr < space->nr_pools ? tell_mapped(space, nr) : 0;
	if (!ret)
		ret = fc_remote_write(space->mem_fd, FC_CONFIG(space, nr_pools), &nr,
				      sizeof(nr));
	if (!ret)
		space->nr_pools = nr;
	return ret;
}

/* From now on the agent knows return addresses into this pool as stubs' sites. */
static int announce_pool(struct fc_space *space, uint64_t lo, uint64_t hi)
{
	if (space->nr_pools == FCA_MAX_POOLS)
		return fc_fail(ENOSPC, "more than %d modules in one program", FCA_MAX_POOLS);
	int ret = fc_space_write_pool(space, space->nr_pools, lo, hi);
	return ret ? ret : fc_space_count_pools(space, space->nr_pools + 1);
}

/* The program maps memory while its stubs are made. */
static void look_again(const struct fc_space *space, struct fc_maps *maps)
{
	fc_auto_maps struct fc_maps now = { 0 };
	if (!fc_maps_read(space->pid, &now))
		fc_vec_each (&now, map)
			fc_maps_add(maps, map->start, map->end);
}

uint64_t fc_space_map_pool(struct fc_space *space, struct fc_caller *caller,
			   struct fc_maps *maps, uint64_t start, uint64_t end, size_t size)
{
	size_t bytes = fc_page_up(size);
	for (int tries = 0; tries < 8; tries++) {
		uint64_t at = fc_maps_place(maps, start, end, bytes);
		if (!at)
			break;
		/* Before it is there: what is not known cannot be removed by another. */
		if (announce_pool(space, at, at + size))
			return 0;
		int64_t got = fc_remote_map_code(caller, at, bytes);
		fc_maps_add(maps, at, at + bytes);
		if (got == (int64_t)at)
			return tell_mapped(space, space->nr_pools) ? 0 : at;
		if (caller->is_silent) /* and may come to this call later */
			return 0;
		fc_space_count_pools(space, space->nr_pools - 1);
		look_again(space, maps);
		if (got != -EEXIST) {
			fc_fail(got < 0 ? (int)-got : EINVAL,
				"cannot map %zu bytes near it: %s", bytes,
				strerror(got < 0 ? (int)-got : EINVAL));
			return 0;
		}
	}
	fc_fail(ENOMEM, "no free place for %zu bytes of stubs within reach", size);
	return 0;
}
