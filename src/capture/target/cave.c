/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/target/cave.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "capture/target/maps.h"
#include "capture/target/remote.h"

/* The image ends with its section headers; the rest of its last page is zero. */
static uint64_t in_vdso(int mem_fd, const struct fc_map *map)
{
	static const uint8_t zeros[FC_CAVE_SIZE];
	uint8_t bytes[FC_CAVE_SIZE];
	uint64_t at = map->end - FC_CAVE_SIZE;
	Elf64_Ehdr head;
	if (strcmp(map->path, "[vdso]") ||
	    fc_remote_read(mem_fd, map->start, &head, sizeof(head)) ||
	    memcmp(head.e_ident, ELFMAG, SELFMAG) ||
	    map->start + head.e_shoff + (uint64_t)head.e_shnum * head.e_shentsize > at ||
	    fc_remote_read(mem_fd, at, bytes, sizeof(bytes)) ||
	    memcmp(bytes, zeros, sizeof(bytes)))
		return 0;
	return at;
}

static uint64_t in_file(int pid, const struct fc_map *map)
{
	fc_auto_free char *path = fc_map_open_path(pid, map);
	struct fc_elf *elf;
	if (fc_elf_open(path, map->path, &elf))
		return 0;
	uint64_t bias, cave = 0;
	if (fc_map_bias(elf, map, &bias))
		cave = fc_elf_slack(elf, FC_CAVE_SIZE);
	fc_elf_close(elf);
	return cave ? cave + bias : 0;
}

int fc_cave_find(int pid, int mem_fd, uint64_t *ret)
{
	fc_auto_maps struct fc_maps maps = { 0 };
	int err = fc_maps_read(pid, &maps);
	*ret = 0;
	fc_vec_each (&maps, map)
		if (!*ret && map->is_exec && !map->ino)
			*ret = in_vdso(mem_fd, map);
	fc_vec_each (&maps, map)
		if (!*ret && map->is_exec && map->path[0] == '/')
			*ret = in_file(pid, map);
	if (err || *ret)
		return err;
	return fc_fail(ENOSPC, "its code has no %d free bytes", FC_CAVE_SIZE);
}

uint64_t fc_cave_left(int pid, int mem_fd)
{
	fc_auto_maps struct fc_maps maps = { 0 };
	uint64_t found = 0;
	bool is_first = true;
	int err = fc_maps_read(pid, &maps);
	fc_vec_each (&maps, map) {
		uint8_t code[FC_CAVE_SIZE];
		uint64_t at = 0;
		if (err || found || !map->is_exec)
			continue;
		if (!strcmp(map->path, "[vdso]"))
			at = map->end - FC_CAVE_SIZE;
		else if (map->path[0] == '/' && is_first)
			at = in_file(pid, map);
		if (at && map->path[0] == '/')
			is_first = false; /* others were not looked for */
		if (at && !fc_remote_read(mem_fd, at, code, sizeof(code)) &&
		    fc_borrow_is_cave(code))
			found = at;
	}
	return found;
}
