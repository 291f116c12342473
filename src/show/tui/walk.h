/* SPDX-License-Identifier: Apache-2.0 */
/*
 * walk.h - from call to call in a strand, both ways, without reading what lies inside them.
 *
 *	depth 0   main ------------------------------------------------
 *	depth 1     load ----   serve ---------------------   print --
 *	                        ^ from here the next is print, wherever serve ends
 *
 * Where a call ends that lasts for many packets is found by what these tell as open at their
 * begins: some twenty of them, not all between.
 */
#ifndef FC_SHOW_TUI_WALK_H
#define FC_SHOW_TUI_WALK_H

#include "base/order.h"
#include "calls/call.h"
#include "trace/reader.h"

/* A record of a strand; record may be the number of records: before the next packet's. */
struct fc_walk_place {
	size_t packet;
	uint32_t record;
};

static inline int fc_place_compare(struct fc_walk_place a, struct fc_walk_place b)
{
	return fc_order(a.packet, b.packet) ?: fc_order(a.record, b.record);
}

enum fc_step_kind {
	FC_STEP_CALL = 0,
	FC_STEP_RUN,  /* calls of one function in a row that made none */
	FC_STEP_LOST, /* records are missing here */
};

/* A call, a run of calls, or a gap: something among others of the same depth. */
struct fc_step {
	uint8_t kind; /* enum fc_step_kind */
	uint8_t left; /* enum fc_left */
	bool is_end_known, is_leaf, is_reopened;
	bool has_self;	 /* self_ticks is known */
	uint32_t strand; /* 0..nr-1 */
	uint32_t func;	 /* 0: it was entered among lost records */
	uint32_t depth;
	struct fc_walk_place
		place; /* of the record that entered it, or of the first of a run */
	struct fc_walk_place behind; /* what comes after it */
	uint64_t begin_tsc, end_tsc;
	uint64_t self_ticks;
	uint64_t nr;	/* calls of a run; lost records */
	uint64_t ticks; /* of all in a run */
};

struct fc_walk;
struct fc_walk *fc_walk_create(struct fc_reader *reader);
void fc_walk_destroy(struct fc_walk *walk);

/* When to stop and say -EAGAIN; UINT64_MAX: never. CLOCK_MONOTONIC, ns. */
void fc_walk_set_deadline(struct fc_walk *walk, uint64_t mono_ns);

/*
 * The next one of this depth at or behind *at, which moves behind it. 0: there is none before the
 * call around them ends. -EAGAIN: not found yet; ask again with *at as it is then.
 */
int fc_walk_next(struct fc_walk *walk, uint32_t strand, uint32_t depth,
		 struct fc_walk_place *at, struct fc_step *ret);
/* The last one before *at, which moves to it; otherwise the same. */
int fc_walk_back(struct fc_walk *walk, uint32_t strand, uint32_t depth,
		 struct fc_walk_place *at, struct fc_step *ret);

/* Each call of a run alone. */
void fc_walk_set_single(struct fc_walk *walk, bool is_single);

/* The first record at or after tsc. */
struct fc_walk_place fc_walk_at(struct fc_walk *walk, uint32_t strand, uint64_t tsc);
/* The call of this function that began then, and its depth. False: there is none. */
bool fc_walk_find(struct fc_walk *walk, uint32_t strand, uint64_t tsc, uint32_t func,
		  struct fc_walk_place *ret, uint32_t *depth);
/* Calls that are open before the record. */
uint32_t fc_walk_depth(struct fc_walk *walk, uint32_t strand, struct fc_walk_place place);
/* Behind the last record. */
struct fc_walk_place fc_walk_end(const struct fc_walk *walk, uint32_t strand);

/* What is at this record, if something begins there at this depth; otherwise as above. */
int fc_walk_here(struct fc_walk *walk, uint32_t strand, uint32_t depth,
		 struct fc_walk_place place, struct fc_step *ret);

#endif
