/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/module/recopied.h"

#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/vec.h"
#include "capture/target/remote.h"

/* Huge pages of their own kind have a file without a name. */
static bool is_of_no_file(const struct fc_map *map)
{
	return map->is_exec && (!map->ino || !strcmp(map->path, "/anon_hugepage"));
}

static bool is_of_file(const struct fc_map *map)
{
	return map->ino && map->path[0] == '/' && strcmp(map->path, "/anon_hugepage") != 0;
}

static void adopt(struct fc_map *map, const char *path, uint64_t ino, uint64_t off)
{
	free(map->path);
	map->path = fc_strdup(path);
	map->ino = ino;
	map->off = off;
}

/* Is it in memory what the file has there? */
static bool is_copy(const struct fc_elf *elf, const struct fc_segment *seg, int mem_fd,
		    uint64_t bias)
{
	enum { PIECE = 64 << 10 };
	fc_auto_free uint8_t *memory = fc_alloc(PIECE);
	for (uint64_t done = 0; done < seg->filesz; done += PIECE) {
		size_t size = seg->filesz - done < PIECE ? seg->filesz - done : PIECE;
		const uint8_t *file = fc_elf_bytes(elf, seg->vaddr + done, size);
		if (!file || !fc_remote_get(mem_fd, seg->vaddr + done + bias, memory, size) ||
		    memcmp(file, memory, size))
			return false;
	}
	return seg->filesz;
}

/* What to add to a vaddr, by a mapping of any of the file's segments. */
static bool bias_of(const struct fc_elf *elf, const struct fc_map *map, uint64_t *ret)
{
	for (size_t i = 0; i < elf->nr_segments; i++) {
		const struct fc_segment *seg = &elf->segments[i];
		if (fc_page_down(seg->off) != map->off || seg->is_exec)
			continue;
		*ret = map->start - fc_page_down(seg->vaddr);
		return true;
	}
	return false;
}

/* beside: a mapping of the file that it may be of. */
static bool find(int pid, int mem_fd, struct fc_map *map, const struct fc_map *beside)
{
	fc_auto_free char *path = fc_map_open_path(pid, beside);
	struct fc_elf *elf = NULL;
	uint64_t bias;
	bool is_found = false;
	if (!fc_elf_open_headers(path, beside->path, &elf) && bias_of(elf, beside, &bias))
		for (size_t i = 0; i < elf->nr_segments && !is_found; i++) {
			const struct fc_segment *seg = &elf->segments[i];
			is_found = seg->is_exec &&
				   fc_page_down(seg->vaddr) + bias == map->start &&
				   is_copy(elf, seg, mem_fd, bias);
			if (is_found)
				adopt(map, beside->path, beside->ino, fc_page_down(seg->off));
		}
	fc_elf_close(elf);
	fc_fail_clear();
	return is_found;
}

void fc_recopied_find(int pid, int mem_fd, struct fc_maps *maps)
{
	for (size_t i = 0; i < maps->nr; i++) {
		struct fc_map *map = &maps->at[i];
		if (!is_of_no_file(map))
			continue;
		const struct fc_map *below = i ? map - 1 : map;
		const struct fc_map *above = i + 1 < maps->nr ? map + 1 : map;
		bool is_found = below->end == map->start && is_of_file(below) &&
				find(pid, mem_fd, map, below);
		if (!is_found && above->start == map->end && is_of_file(above))
			find(pid, mem_fd, map, above);
	}
}

void fc_recopied_is(struct fc_maps *maps, uint64_t start, uint64_t ino,
		    const struct fc_elf *elf, uint64_t bias)
{
	fc_vec_each (maps, map)
		for (size_t i = 0; i < elf->nr_segments && map->start == start; i++) {
			const struct fc_segment *seg = &elf->segments[i];
			if (seg->is_exec && fc_page_down(seg->vaddr) + bias == start &&
			    is_of_no_file(map))
				adopt(map, elf->path, ino, fc_page_down(seg->off));
		}
}
