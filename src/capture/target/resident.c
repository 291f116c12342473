/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/target/resident.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "capture/target/status.h"

enum { MAX_RUN = 64 };

struct pagemap {
	int fd;
	uint64_t page; /* the first that is in at */
	size_t nr;
	uint64_t at[512];
};

/* Where the kernel does not tell, every page counts (Documentation/admin-guide/mm/pagemap). */
static bool is_there(struct pagemap *map, uint64_t page)
{
	if (page - map->page >= map->nr) {
		ssize_t n = pread(map->fd, map->at, sizeof(map->at), (off_t)(page * 8));
		map->page = page;
		map->nr = n > 0 ? n / 8 : 0;
	}
	return !map->nr || map->at[page - map->page] >> 62;
}

/* map: NULL: every page counts. */
static void each(struct pagemap *map, int mem_fd, uint64_t start, uint64_t end,
		 bool (*fn)(void *ctx, uint64_t taddr, const uint64_t *words, size_t nr),
		 void *ctx)
{
	const uint64_t page_size = fc_arch_here->page_size;
	fc_auto_free uint64_t *words = fc_alloc(MAX_RUN * page_size);
	for (uint64_t page = start / page_size; page < end / page_size;) {
		size_t nr = 0;
		while (nr < MAX_RUN && page + nr < end / page_size &&
		       (!map || is_there(map, page + nr)))
			nr++;
		ssize_t got =
			nr ? pread(mem_fd, words, nr * page_size, (off_t)(page * page_size))
			   : 0;
		if (got > 0 && !fn(ctx, page * page_size, words, got / 8))
			return;
		/* Behind what was read there may be a page that cannot be, and more behind that. */
		page += got >= (ssize_t)page_size ? got / page_size : 1;
	}
}

void fc_resident_each(int pid, int mem_fd, uint64_t start, uint64_t end,
		      bool (*fn)(void *ctx, uint64_t taddr, const uint64_t *words, size_t nr),
		      void *ctx)
{
	fc_auto_free char *name = fc_asprintf("/proc/%d/pagemap", fc_living_thread(pid));
	fc_auto_close int fd = open(name, O_RDONLY | O_CLOEXEC);
	fc_auto_free struct pagemap *map = fc_alloc(sizeof(*map));
	map->fd = fd;
	each(map, mem_fd, start, end, fn, ctx);
}

void fc_memory_each(int mem_fd, uint64_t start, uint64_t end,
		    bool (*fn)(void *ctx, uint64_t taddr, const uint64_t *words, size_t nr),
		    void *ctx)
{
	each(NULL, mem_fd, start, end, fn, ctx);
}

uint64_t fc_resident_own(int pid, uint64_t start, uint64_t end)
{
	const uint64_t page_size = fc_arch_here->page_size, is_file = 1ull << 61;
	fc_auto_free char *name = fc_asprintf("/proc/%d/pagemap", fc_living_thread(pid));
	fc_auto_close int fd = open(name, O_RDONLY | O_CLOEXEC);
	uint64_t at[512], nr_own = 0, page = start / page_size, last = end / page_size;
	while (page < last) {
		size_t nr = last - page < 512 ? last - page : 512;
		ssize_t n = pread(fd, at, nr * 8, (off_t)(page * 8));
		if (n < 8)
			return UINT64_MAX;
		for (size_t i = 0; i < (size_t)n / 8; i++)
			nr_own += at[i] >> 62 && !(at[i] & is_file);
		page += (size_t)n / 8;
	}
	return nr_own;
}
