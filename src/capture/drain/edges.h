/* SPDX-License-Identifier: Apache-2.0 */
/*
 * edges.h - calls counted by caller: the tables that targets leave, summed up by function.
 *
 *   struct fca_edges of a strand ----\
 *     {ret, id, calls}                +--> fc_edges: {caller, callee, calls} --edges()--> tap
 *   fc_places of its arena:          |
 *     what was mapped where ---------/
 */
#ifndef FC_CAPTURE_DRAIN_EDGES_H
#define FC_CAPTURE_DRAIN_EDGES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "capture/agent/abi.h"
#include "capture/module/module.h"

/* Code of a file that a process had mapped. */
struct fc_mapped {
	uint64_t start, end;
	uint64_t bias;
	const struct fc_module *module; /* NULL: it was not read */
	char *path;
	bool is_shared; /* other code was there at another time: which one made a call? */
};

/* Of all processes of an arena, from its beginning on. Zeroed is empty. */
struct fc_places {
	FC_VEC(struct fc_mapped) list;
};

/* Its path is copied; its module must outlive places. */
void fc_places_add(struct fc_places *places, const struct fc_mapped *place);
void fc_places_deinit(struct fc_places *places);

struct fc_edges;
struct fc_edges *fc_edges_create(void);
void fc_edges_destroy(struct fc_edges *edges);

/* One strand's table, whose return addresses lie in places. */
void fc_edges_take(struct fc_edges *edges, const struct fc_places *places,
		   const struct fca_edges *table);
/* Calls that no table has. */
void fc_edges_lose(struct fc_edges *edges, uint64_t nr);

/* All that were taken, to the tap. */
void fc_edges_tell(const struct fc_edges *edges, struct fc_tap *tap);

#endif
