/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/target/maps.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arch/arch.h"
#include "base/bisect.h"
#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/vec.h"
#include "capture/target/exe.h"
#include "capture/target/status.h"

static int parse_line(char *line, struct fc_map *ret)
{
	char perms[5];
	int path_at = 0;
	*ret = (struct fc_map){ 0 };
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*x:%*x %" SCNu64 " %n",
		   &ret->start, &ret->end, perms, &ret->off, &ret->ino, &path_at) < 5)
		return -EINVAL;
	ret->is_write = perms[1] == 'w';
	ret->is_exec = perms[2] == 'x';
	line[strcspn(line, "\n")] = 0;
	ret->path = fc_strdup(path_at ? line + path_at : "");
	ret->is_deleted = fc_exe_cut_deleted(ret->path);
	return 0;
}

int fc_maps_read(int pid, struct fc_maps *ret)
{
	*ret = (struct fc_maps){ 0 };
	char name[64];
	snprintf(name, sizeof(name), "/proc/%d/maps", fc_living_thread(pid));
	fc_auto_fclose FILE *file = fopen(name, "re");
	if (!file)
		return fc_fail(errno, "cannot read %s: %s", name, strerror(errno));
	fc_auto_free char *line = NULL;
	size_t room = 0;
	while (getline(&line, &room, file) > 0) {
		struct fc_map map;
		if (!parse_line(line, &map))
			fc_vec_push(ret, map);
	}
	return 0;
}

void fc_maps_deinit(struct fc_maps *maps)
{
	fc_vec_each (maps, map)
		free(map->path);
	fc_vec_free(maps);
}

const struct fc_map *fc_maps_at(const struct fc_maps *maps, uint64_t taddr)
{
	size_t lo = fc_bisect(maps->at, maps->nr, map, map->end <= taddr);
	return lo < maps->nr && maps->at[lo].start <= taddr ? &maps->at[lo] : NULL;
}

static bool is_stack(const struct fc_map *map)
{
	return !strcmp(map->path, "[stack]");
}

const struct fc_map *fc_maps_stack(const struct fc_maps *maps)
{
	fc_vec_each (maps, map)
		if (is_stack(map))
			return map;
	return NULL;
}

void fc_maps_add(struct fc_maps *maps, uint64_t start, uint64_t end)
{
	struct fc_map map = { .start = start, .end = end, .path = fc_strdup("") };
	fc_vec_push(maps, map);
	size_t i = maps->nr - 1;
	for (; i && maps->at[i - 1].start > start; i--)
		maps->at[i] = maps->at[i - 1];
	maps->at[i] = map;
}

static bool is_same_inode(const char *path, uint64_t ino)
{
	struct stat st;
	return !stat(path, &st) && st.st_ino == ino;
}

char *fc_map_open_path(int pid, const struct fc_map *map)
{
	pid = fc_living_thread(pid);
	/* The name of a file that is there may end as the kernel says that another is not. */
	for (int i = 0; i < (map->is_deleted ? 2 : 1); i++) {
		char *path = fc_asprintf("/proc/%d/root%s%s", pid, map->path,
					 i ? FC_EXE_DELETED : "");
		if (is_same_inode(path, map->ino))
			return path;
		free(path);
	}
	/* Any user may follow this link; those to files that are mapped, root. */
	struct fc_exe_link exe = fc_exe_link(pid);
	if (is_same_inode(exe.text, map->ino))
		return fc_strdup(exe.text);
	return fc_asprintf("/proc/%d/map_files/%lx-%lx", pid, (unsigned long)map->start,
			   (unsigned long)map->end);
}

bool fc_map_bias(const struct fc_elf *elf, const struct fc_map *map, uint64_t *ret)
{
	for (size_t i = 0; i < elf->nr_segments; i++) {
		const struct fc_segment *seg = &elf->segments[i];
		if (seg->is_exec && fc_page_down(seg->off) == map->off) {
			*ret = map->start - fc_page_down(seg->vaddr);
			return true;
		}
	}
	return false;
}

enum {
	LOWEST = 0x10000, /* vm.mmap_min_addr of most systems */
	GUARD = 0x10000,
};

static const uint64_t heap_room = 1ull << 30;  /* above a program: its brk area grows there */
static const uint64_t stack_room = 1ull << 30; /* below the main stack: it grows there */

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* Where the gap below map i ends, that of the address space behind the last. */
static uint64_t gap_end(const struct fc_maps *maps, size_t i)
{
	if (i == maps->nr)
		return fc_arch_here->pools_below;
	const struct fc_map *map = &maps->at[i];
	bool may_grow = is_stack(map) && map->start > stack_room;
	return map->start - (may_grow ? stack_room : 0);
}

/*
 * Below a mapping is better than above it: programs are followed by their heap, and libraries
 * are stacked downwards from the highest.
 */
uint64_t fc_maps_place(const struct fc_maps *maps, uint64_t start, uint64_t end, uint64_t size)
{
	uint64_t reach = fc_arch_here->jumps->far_reach, highest = fc_arch_here->pools_below;
	uint64_t min = end > LOWEST + reach ? end - reach : LOWEST;
	uint64_t max = start + reach < highest ? start + reach : highest;
	uint64_t best = 0, best_far = UINT64_MAX, free_from = LOWEST;
	for (size_t i = 0; i <= maps->nr; i++) {
		uint64_t from = free_from, to = gap_end(maps, i);
		if (i < maps->nr && maps->at[i].end + GUARD > free_from)
			free_from = maps->at[i].end + GUARD;
		if (from < min)
			from = min;
		if (to > max)
			to = max;
		if (from > to || to - from < size + GUARD)
			continue;
		/* In a gap below: close to its top. In a gap above: far enough up. */
		uint64_t at = to - size - GUARD;
		if (from >= end && at - from >= heap_room)
			at = from + heap_room;
		at = fc_page_down(at);
		uint64_t far = distance(at, start);
		if (far < best_far) {
			best = at;
			best_far = far;
		}
	}
	return best;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* In the free range [from, to), at a page's start if that is possible. 0: no place. */
static uint64_t find_in(uint64_t from, uint64_t to, uint64_t first, uint64_t last,
			uint64_t size)
{
	uint64_t at = larger(first, from);
	uint64_t page = fc_page_up(at);
	if (page <= last)
		at = page;
	return from < to && at <= last && at + size <= fc_page_down(to) ? at : 0;
}

uint64_t fc_maps_find(const struct fc_maps *maps, uint64_t first, uint64_t last, uint64_t size,
		      uint64_t keep_start, uint64_t keep_end)
{
	uint64_t from = LOWEST, found = 0;
	for (size_t i = 0; i <= maps->nr && !found; i++) {
		uint64_t to = smaller(gap_end(maps, i), fc_arch_here->pools_below) - GUARD;
		found = find_in(from, smaller(to, keep_start), first, last, size);
		if (!found)
			found = find_in(larger(from, keep_end), to, first, last, size);
		if (i < maps->nr && maps->at[i].end + GUARD > from)
			from = maps->at[i].end + GUARD;
	}
	return found;
}
