/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hunt.h - the next, or last, call of some functions, or gap, in order of time; done by and by.
 *
 * Packets are looked at by the column of their functions, which is far less than all of them.
 */
#ifndef FC_SHOW_TUI_HUNT_H
#define FC_SHOW_TUI_HUNT_H

#include "show/tui/walk.h"

struct fc_hunt_opts {
	struct fc_reader *reader;
	int tid;		  /* of one thread; 0: all */
	const uint8_t *is_wanted; /* a bit for each function below nr_ids; NULL: gaps. Copied */
	size_t nr_ids;
	bool is_back;
	/* Where it begins: what is there is not found. strand: 0..nr-1, UINT32_MAX: none */
	uint64_t tsc;
	uint32_t strand;
	struct fc_walk_place place;
};

struct fc_hunt_found {
	uint32_t strand;
	struct fc_walk_place place;
	uint32_t depth; /* of what begins there */
	uint64_t tsc;
};

struct fc_hunt;
struct fc_hunt *fc_hunt_create(const struct fc_hunt_opts *opts);
void fc_hunt_destroy(struct fc_hunt *hunt);

/* -EAGAIN: not yet, ask again. 0: there is none. 1: *ret is filled. */
int fc_hunt_work(struct fc_hunt *hunt, uint64_t mono_ns, struct fc_hunt_found *ret);
bool fc_hunt_is_back(const struct fc_hunt *hunt);
/* 0 to 1 */
double fc_hunt_progress(const struct fc_hunt *hunt);

#endif
