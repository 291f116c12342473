/* SPDX-License-Identifier: Apache-2.0 */
/* ends.c - finds when a strand's thread or process ended, by a search in a sorted list. */
#include "calls/ends.h"

#include <stdlib.h>

#include "base/bisect.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/vec.h"

struct end {
	int pid, tid; /* tid 0: of all threads of the process */
	uint64_t tsc;
};

struct fc_ends {
	FC_VEC(struct end) at; /* by pid, tid, tsc */
	uint64_t last_tsc;
};

static int compare(const void *a, const void *b)
{
	const struct end *x = a, *y = b;
	return fc_order(x->pid, y->pid) ?: fc_order(x->tid, y->tid) ?: fc_order(x->tsc, y->tsc);
}

static void add_end(struct fc_ends *ends, const struct fc_life_info *life)
{
	struct end end = { life->pid, fc_life_ended_tid(life), life->tsc };

	if (life->tsc > ends->last_tsc)
		ends->last_tsc = life->tsc;
	if (fc_life_ends_calls(life))
		fc_vec_push(&ends->at, end);
}

struct fc_ends *fc_ends_create(const struct fc_reader *reader)
{
	struct fc_ends *ends = fc_alloc(sizeof(*ends));

	for (size_t i = 0; i < fc_reader_nr_lives(reader); i++)
		add_end(ends, fc_reader_life(reader, i));
	fc_vec_sort(&ends->at, compare);
	return ends;
}

void fc_ends_destroy(struct fc_ends *ends)
{
	if (!ends)
		return;
	fc_vec_free(&ends->at);
	free(ends);
}

/* Of those of exactly this pid and tid. */
static uint64_t next_of(const struct fc_ends *ends, int pid, int tid, uint64_t from_tsc)
{
	const struct end from = { pid, tid, from_tsc };
	size_t low = fc_bisect(ends->at.at, ends->at.nr, end, compare(end, &from) < 0);

	if (low == ends->at.nr)
		return UINT64_MAX;
	const struct end *found = &ends->at.at[low];
	return found->pid == pid && found->tid == tid ? found->tsc : UINT64_MAX;
}

uint64_t fc_ends_next(const struct fc_ends *ends, const struct fc_strand_info *strand,
		      uint64_t from_tsc)
{
	bool has_thread = strand->tid && fc_strand_ends_with_thread(strand->kind);
	uint64_t all = next_of(ends, strand->pid, 0, from_tsc);
	uint64_t one =
		has_thread ? next_of(ends, strand->pid, strand->tid, from_tsc) : UINT64_MAX;

	return one < all ? one : all;
}

uint64_t fc_ends_last(const struct fc_ends *ends)
{
	return ends->last_tsc;
}
