/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls counted by caller: the table that stubs look their edge up in, and what they leave to
 * the agent: to take a free place for it.
 *
 *   edges->at    ... | ret, id | ret, id |    0    | ret, id | ...     looked for from its
 *                        ^         ^ one more of the same place        index on, up to a
 *                        index                                         free place
 *
 * Entries are never moved or removed. A handler's stub may come between any two instructions: of
 * a place that is being taken it sees an address and no id, which is no edge of its own. If it
 * then takes another for the same edge, both are counted and summed up in the end.
 */
#include "capture/agent/strand/edge.h"

enum {
	PAGE = 256,		     /* places: struct fca_edges' pages */
	MOST = FCA_NR_EDGES / 4 * 3, /* the fuller, the further is to be looked */
};

#define ID_MASK	 ((1ull << FCA_EDGE_CALLS) - 1)
#define ONE_CALL (1ull << FCA_EDGE_CALLS)
#define IS_FULL	 (1ull << 63) /* of an edge's calls */

_Static_assert(FCA_NR_EDGES % PAGE == 0, "whole pages");
_Static_assert(sizeof(struct fca_edges) == FCA_EDGES_WORDS * 8, "treaty");
_Static_assert(offsetof(struct fca_edges, at) == FCA_EDGES_HEAD, "treaty");
_Static_assert(FC_FUNC_MAX < FCA_EDGE_IS_MANY, "an id has a bit to spare");

static struct fca_edges *edges_of(const struct strand *s)
{
	return (struct fca_edges *)s->counts;
}

static struct fca_edge *last_of(struct fca_edges *edges)
{
	return &edges->at[FCA_NR_EDGES + FCA_EDGES_TAIL - 1];
}

/* NULL: it has no place yet. */
static struct fca_edge *find(struct fca_edges *edges, uint64_t ret, uint32_t id)
{
	struct fca_edge *e = &edges->at[fca_edge_index(ret, id)];
	for (; e < last_of(edges) && e->ret; e++)
		if (e->ret == ret && (e->calls & ID_MASK) == id)
			return e;
	return NULL;
}

/* From now on the controller looks at this place. */
static void show(struct fca_edges *edges, const struct fca_edge *e)
{
	uint64_t page = (uint64_t)(e - edges->at) / PAGE;
	__atomic_fetch_or(&edges->pages[page / 64], 1ull << (page % 64), __ATOMIC_RELAXED);
	__atomic_fetch_add(&edges->nr, 1, __ATOMIC_RELAXED);
}

static bool take(struct fca_edge *e, uint64_t ret)
{
	uint64_t free = 0;
	return __atomic_compare_exchange_n(&e->ret, &free, ret, 0, __ATOMIC_ACQ_REL,
					   __ATOMIC_RELAXED);
}

/* A place for it, with nothing counted yet. NULL: there is none. */
static struct fca_edge *add(struct fca_edges *edges, uint64_t ret, uint32_t id)
{
	struct fca_edge *e = &edges->at[fca_edge_index(ret, id)];
	if (edges->nr >= MOST)
		return NULL;
	while (e < last_of(edges) && !take(e, ret))
		e++;
	if (e == last_of(edges))
		return NULL;
	show(edges, e);
	__atomic_store_n(&e->calls, id, __ATOMIC_RELEASE);
	return e;
}

static void count(struct fca_edges *edges, uint64_t ret, uint32_t id)
{
	struct fca_edge *e = find(edges, ret, id);
	if (!e)
		e = add(edges, ret, id);
	if (e)
		__atomic_fetch_add(&e->calls, ONE_CALL, __ATOMIC_RELAXED);
	else
		__atomic_fetch_add(&edges->lost, 1, __ATOMIC_RELAXED);
}

void edge_count(struct strand *s, uint64_t ret, uint32_t func)
{
	struct fca_edges *edges = edges_of(s);
	struct fca_edge *e = find(edges, ret, func);
	if (e && e->calls & IS_FULL) { /* the stub has counted: 2^39 calls by now */
		__atomic_fetch_and(&e->calls, ~IS_FULL, __ATOMIC_RELAXED);
		count(edges, ret, func | FCA_EDGE_IS_MANY);
	} else {
		count(edges, ret, func);
	}
}

bool edge_uncount(struct strand *s, uint64_t ret, uint32_t func)
{
	struct fca_edge *e = s->counts ? find(edges_of(s), ret, func) : NULL;
	if (!e || e->calls < ONE_CALL)
		return false;
	__atomic_fetch_sub(&e->calls, ONE_CALL, __ATOMIC_RELAXED);
	return true;
}
