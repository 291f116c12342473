/* SPDX-License-Identifier: Apache-2.0 */
/* maps.h - /proc/PID/maps, and free places in it. */
#ifndef FC_USER_MAPS_H
#define FC_USER_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fc_map {
	uint64_t start, end, off, ino;
	bool is_exec;
	char *path; /* "" for anonymous memory */
};

struct fc_maps {
	struct fc_map *at;
	size_t nr, room;
};

/* -errno with a sentence if the process is gone or may not be looked at. */
int fc_maps_read(int pid, struct fc_maps *ret);
void fc_maps_deinit(struct fc_maps *maps);

/*
 * A free place of size bytes from which a 32-bit displacement reaches all of [start, end),
 * and the other way. Keeps away from where a heap may grow. 0: there is none.
 */
uint64_t fc_maps_place(const struct fc_maps *maps, uint64_t start, uint64_t end, uint64_t size);

/* Note a mapping made since (keeps the order). */
void fc_maps_add(struct fc_maps *maps, uint64_t start, uint64_t end);

#endif
