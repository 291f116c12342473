/* SPDX-License-Identifier: Apache-2.0 */
/* maps.h - /proc/PID/maps, and free places in it. */
#ifndef FC_CAPTURE_TARGET_MAPS_H
#define FC_CAPTURE_TARGET_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/elf.h"

struct fc_map {
	uint64_t start, end, off, ino;
	bool is_exec, is_write;
	bool is_deleted; /* its file has this name no more */
	char *path;	 /* "" for anonymous memory */
};

struct fc_maps {
	struct fc_map *at;
	size_t nr, room;
};

/* -errno with a sentence if the process is gone or may not be looked at: *ret is empty then. */
int fc_maps_read(int pid, struct fc_maps *ret);
void fc_maps_deinit(struct fc_maps *maps);
#define fc_auto_maps __attribute__((cleanup(fc_maps_deinit)))

/*
 * A name by which the mapped file can be opened from here: chroots, containers, deleted files;
 * malloc()ed.
 */
char *fc_map_open_path(int pid, const struct fc_map *map);

/* What to add to a vaddr; false: the mapping is none of the file's code segments. */
bool fc_map_bias(const struct fc_elf *elf, const struct fc_map *map, uint64_t *ret);

/*
 * A free place of size bytes from which a 32-bit displacement reaches all of [start, end),
 * and the other way. Keeps away from where a heap may grow. 0: there is none.
 */
uint64_t fc_maps_place(const struct fc_maps *maps, uint64_t start, uint64_t end, uint64_t size);

/*
 * An address in [first, last] where size bytes are free, and all of their pages. Keeps away from
 * mappings and from where the stack may grow; nothing in [keep_start, keep_end) is taken. 0:
 * there is none.
 */
uint64_t fc_maps_find(const struct fc_maps *maps, uint64_t first, uint64_t last, uint64_t size,
		      uint64_t keep_start, uint64_t keep_end);

/* The main stack, or NULL. The kernel keeps so much up to its end free of other mappings, or more. */
const struct fc_map *fc_maps_stack(const struct fc_maps *maps);
#define FC_STACK_RESERVED (UINT64_C(128) << 20)

/* The mapping that holds taddr, or NULL. */
const struct fc_map *fc_maps_at(const struct fc_maps *maps, uint64_t taddr);

/* Note a mapping made since (keeps the order). */
void fc_maps_add(struct fc_maps *maps, uint64_t start, uint64_t end);

#endif
