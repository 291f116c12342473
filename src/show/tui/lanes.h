/* SPDX-License-Identifier: Apache-2.0 */
/* lanes.h - the outermost calls of many strands as one row, by when they began; both ways. */
#ifndef FC_SHOW_TUI_LANES_H
#define FC_SHOW_TUI_LANES_H

#include "show/tui/walk.h"

struct fc_lanes;
/* Begins with what lasts into from_tsc. tid 0: all. The walk outlives it. */
struct fc_lanes *fc_lanes_create(struct fc_reader *reader, struct fc_walk *walk, int tid,
				 uint64_t from_tsc);
void fc_lanes_destroy(struct fc_lanes *lanes);

/* Go around this one, which counts as told. */
void fc_lanes_set(struct fc_lanes *lanes, const struct fc_step *step);
/* Go behind all that began before to_tsc; 0: all. */
void fc_lanes_to_end(struct fc_lanes *lanes, uint64_t to_tsc);

/* The next behind, or before, what was told. 0: there is none. -EAGAIN: as in walk.h. */
int fc_lanes_next(struct fc_lanes *lanes, struct fc_step *ret);
int fc_lanes_back(struct fc_lanes *lanes, struct fc_step *ret);

/* This one is to be told again: the last that was told, or if is_last is false the first. */
void fc_lanes_unread(struct fc_lanes *lanes, const struct fc_step *step, bool is_last);

#endif
