/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pool is of no use when its file is gone, no thread stands in it, and no word leads there:
 * none on a thread's stack, whatever it means there, and none in a slot of an open call, on
 * whichever stack. Code that is not mapped does not return; what it jumped to may.
 */
#include "capture/user/reclaim.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "capture/hook/ledger.h"
#include "capture/hook/remnant.h"
#include "capture/hook/space.h"
#include "capture/target/cave.h"
#include "capture/user/detach.h"
#include "capture/user/hold.h"

enum { LEAST_GONE = 32, HOLD_MS = 20 };

/* A pool, all of it, and which of the space's it is. */
struct lot {
	uint64_t lo, hi;
	bool is_used;
};

struct reclaiming {
	struct fc_space *space;
	const struct fc_standing *standing;
	struct fc_stackwalk stacks;
	FC_VEC(struct lot) lots; /* of space->gone, in its order */
	bool has_agent_at_work;
};

/* ---- who uses it ---- */

static void find_lots(struct reclaiming *r)
{
	fc_vec_each (&r->space->gone, gone) {
		fc_auto_ledger struct fc_ledger ledger = { 0 };
		fc_ledger_read(r->space->mem_fd, gone->pool, &ledger);
		struct lot lot = { gone->pool, ledger.end, ledger.end == gone->pool };
		fc_vec_push(&r->lots, lot);
	}
}

static void note_word(struct reclaiming *r, uint64_t word)
{
	fc_vec_each (&r->lots, lot)
		lot->is_used |= word - lot->lo < lot->hi - lot->lo;
}

/* Few words are addresses where pools are: those of none are passed over at once. */
static void look(void *ctx, const uint64_t *words, size_t nr)
{
	struct reclaiming *r = ctx;
	uint64_t low = UINT64_MAX, high = 0;
	fc_vec_each (&r->lots, lot) {
		low = lot->lo < low ? lot->lo : low;
		high = lot->hi > high ? lot->hi : high;
	}
	for (size_t i = 0; i < nr; i++)
		if (words[i] - low < high - low)
			note_word(r, words[i]);
}

static void look_at_threads(struct reclaiming *r)
{
	uint64_t agent = r->space->agent, size = r->space->header.size;
	size_t nr_inside = 0;
	fc_vec_each (&r->standing->threads, stand) {
		note_word(r, stand->ip);
		nr_inside += stand->ip - agent < size;
	}
	fc_stackwalk_each_word(&r->stacks, r->standing, look, r);
	/* One is there, who tells of it; others may be about to read the list of pools. */
	r->has_agent_at_work = nr_inside > 1;
}

static void note_slot(void *ctx, uint64_t ret, uint64_t word)
{
	note_word(ctx, ret);
	note_word(ctx, word);
}

/* Also those on stacks that no thread stands on. False: not all can be known. */
static bool look_at_slots(struct reclaiming *r)
{
	struct fc_remnant remnant;
	if (fc_remnant_find(r->space->pid, r->space->mem_fd, &remnant))
		return false;
	bool ok = fc_remnant_each_slot(&remnant, note_slot, r);
	fc_remnant_deinit(&remnant);
	return ok;
}

/* ---- to give it back ---- */

static void unmap(struct reclaiming *r, struct fc_borrow *borrow, uint64_t lo, uint64_t hi)
{
	const struct fc_map *map = fc_maps_at(&r->stacks.maps, lo);
	uint64_t size = fc_page_up(hi - lo);
	if (map && map->is_exec && !map->is_write && !map->path[0] && lo + size <= map->end)
		fc_remote_unmap(&borrow->caller, lo, size);
}

/* With the pages of its puns. */
static void unmap_lot(struct reclaiming *r, struct fc_borrow *borrow, const struct lot *lot)
{
	fc_auto_ledger struct fc_ledger ledger = { 0 };
	fc_ledger_read(r->space->mem_fd, lot->lo, &ledger);
	for (size_t i = 0; i < ledger.nr; i++)
		if (!ledger.patches[i].size)
			unmap(r, borrow, ledger.patches[i].taddr,
			      ledger.patches[i].taddr +
				      (uint64_t)ledger.patches[i].stub * FCA_PAGE);
	unmap(r, borrow, lot->lo, lot->hi);
}

static bool is_given_back(const struct reclaiming *r, uint64_t pool)
{
	fc_vec_each (&r->lots, lot)
		if (lot->lo == pool && !lot->is_used)
			return true;
	return false;
}

/* The list of pools, without them. Nobody reads it now. */
static int forget_pools(struct reclaiming *r)
{
	struct fc_space *space = r->space;
	size_t size = space->nr_pools * sizeof(struct fca_pool);
	fc_auto_free struct fca_pool *pools = fc_alloc(size + 1);
	int ret = fc_remote_read(space->mem_fd, FC_CONFIG(space, pools), pools, size);
	uint32_t nr = 0;
	for (uint32_t i = 0; !ret && i < space->nr_pools; i++)
		if (!is_given_back(r, pools[i].lo))
			pools[nr++] = pools[i];
	if (!ret)
		ret = fc_remote_write(space->mem_fd, FC_CONFIG(space, pools), pools, size);
	if (!ret)
		ret = fc_space_count_pools(space, nr);
	return ret;
}

static void forget_gone(struct reclaiming *r)
{
	struct fc_space *space = r->space;
	size_t kept = 0;
	fc_vec_each (&space->gone, gone) {
		if (!is_given_back(r, gone->pool))
			space->gone.at[kept++] = *gone;
		else if (space->room != UINT64_MAX)
			space->room += fc_module_pool_size(gone->module,
							   space->shared->opts->counting);
	}
	space->gone.nr = kept;
}

/* Unmapped first: what is not known could not be removed by another. */
static void give_back(struct reclaiming *r, unsigned long options)
{
	struct fc_borrow borrow;
	uint64_t cave;
	struct fc_space *space = r->space;
	if (fc_cave_find(space->pid, space->mem_fd, &cave))
		return;
	int ret = fc_borrow_begin(&borrow, r->standing->threads.at[0].tid, options,
				  space->mem_fd, cave);
	fc_vec_each (&r->lots, lot)
		if (!ret && !lot->is_used)
			unmap_lot(r, &borrow, lot);
	if (!ret && !forget_pools(r))
		forget_gone(r);
	fc_borrow_end(&borrow);
}

/* All threads that use the memory are held. */
static void reclaim_held(struct fc_tracer *tracer, struct fc_space *space,
			 const struct fc_standing *standing)
{
	struct reclaiming r = { .space = space, .standing = standing };
	bool is_any = false;
	if (!fc_space_stacks(space, &r.stacks)) {
		find_lots(&r);
		look_at_threads(&r);
		bool is_known = look_at_slots(&r);
		fc_vec_each (&r.lots, lot)
			is_any |= !lot->is_used;
		if (is_known && is_any && !r.has_agent_at_work)
			give_back(&r, tracer->shared.ptrace_options);
	}
	fc_stackwalk_close(&r.stacks);
	fc_vec_free(&r.lots);
}

void fc_reclaim(struct fc_tracer *tracer, struct fc_process *process)
{
	struct fc_space *space = process->space;
	fc_auto_standing struct fc_standing standing = { 0 };
	int tid;
	if (!space->most_gone)
		space->most_gone = LEAST_GONE;
	/* What is not followed may share the memory, and is not held. Pools may have detours. */
	if (space->gone.nr < space->most_gone || tracer->shared.opts->no_follow ||
	    space->without_register)
		return;
	fc_space_share(space);
	if (fc_hold_all(tracer, HOLD_MS, &tid)) {
		process = fc_process_find(&tracer->tracees, space->pid);
		if (process && process->space == space &&
		    !fc_standing_of(tracer, process, &standing))
			reclaim_held(tracer, space, &standing);
	}
	fc_release_all(tracer);
	space->most_gone = space->gone.nr * 2 > LEAST_GONE ? space->gone.nr * 2 : LEAST_GONE;
	fc_space_put(space);
}
