/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/hook/copies.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/bisect.h"
#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/sort.h"
#include "capture/hook/ledger.h"
#include "capture/target/remote.h"
#include "capture/target/resident.h"
#include "capture/target/stackwalk.h"

struct ranges {
	FC_VEC(struct fca_pool) list;
};

static void add_range(struct ranges *ranges, uint64_t lo, uint64_t size)
{
	if (lo && lo + size > lo)
		fc_vec_push(&ranges->list, (struct fca_pool){ lo, lo + size });
}

/* What fctrace has mapped, beside the pools. */
static void own_ranges(const struct fc_remnant *r, struct ranges *ret)
{
	*ret = (struct ranges){ 0 };
	add_range(ret, r->agent, r->header.size);
	add_range(ret, r->arena, r->arena_size);
	fc_vec_each (&r->spares, spare)
		if (*spare)
			add_range(ret, *spare - FCA_STRAND_BELOW(r->shadow_size),
				  FCA_STRAND_BYTES(r->shadow_size));
	fc_vec_each (&r->strands, strand) {
		struct fca_strand head;
		if (!fc_remote_get(r->mem_fd, *strand, &head, sizeof(head)))
			continue;
		uint64_t size = fc_remnant_shadow_size(r, &head);
		add_range(ret, *strand - FCA_STRAND_BELOW(size), FCA_STRAND_BYTES(size));
		add_range(ret, head.attic, FCA_SHADOW_AT_ONCE(r->shadow_size));
	}
	fc_sort_by(ret->list.at, ret->list.nr, lo);
}

static bool is_in(const struct ranges *ranges, uint64_t at)
{
	size_t low = fc_bisect(ranges->list.at, ranges->list.nr, range, range->lo <= at);
	return low && at < ranges->list.at[low - 1].hi;
}

/*
 * The stacks of live threads, as far as calls were seen there, whoever stands on them now: one for
 * signals may lie in the heap. Their slots are as they were, and what else is there was left.
 */
static void stack_ranges(const struct fc_remnant *r, const struct fc_standing *standing,
			 struct ranges *ret)
{
	*ret = (struct ranges){ 0 };
	fc_vec_each (&r->strands, strand) {
		struct fca_strand head;
		if (fc_remote_get(r->mem_fd, *strand, &head, sizeof(head)) &&
		    fc_remnant_is_live(r, &head, standing) && head.high > head.low)
			add_range(ret, head.low, head.high - head.low);
	}
	fc_sort_by(ret->list.at, ret->list.nr, lo);
}

struct search {
	const struct fc_remnant *remnant;
	struct ranges stacks;
	struct fc_addresses
		sites;		  /* of all stubs: other words may look like pools' addresses */
	const struct fc_map *map; /* that is searched */
	bool is_stood_on;	  /* by a thread */
	bool is_found;
};

static void add_sites(struct search *search, const struct fca_pool *pool)
{
	const struct fc_remnant *r = search->remnant;
	fc_auto_ledger struct fc_ledger ledger = { 0 };
	if (!fc_ledger_read(r->mem_fd, pool->lo, &ledger))
		return;
	for (size_t i = 0; i < ledger.nr; i++)
		if (ledger.patches[i].window && ledger.patches[i].kind == FC_STUB_CALL)
			fc_vec_push(&search->sites.list,
				    pool->lo + ledger.patches[i].stub + r->exit_off);
}

/* May a call of this function have been given up while its slot held the site? */
static bool was_kept(const struct fc_remnant *r, uint64_t site)
{
	uint32_t bit = fca_kept_bit(site);
	return r->kept[bit / 64] >> bit % 64 & 1;
}

static bool is_site(const struct search *search, uint64_t word)
{
	size_t low =
		fc_bisect(search->sites.list.at, search->sites.list.nr, site, *site < word);
	return low < search->sites.list.nr && search->sites.list.at[low] == word;
}

/*
 * A register of vectors that was saved for a handler which has ended: who moves uninitialized memory by
 * such registers has what was left of frames in them. Nothing is returned to by that.
 */
static bool is_dead_register(const struct search *search, uint64_t taddr)
{
	enum { AROUND = 16384 };
	const struct fc_map *map = search->map;
	if (search->is_stood_on)
		return false;
	uint64_t begin = taddr - map->start > AROUND ? taddr - AROUND : map->start;
	uint64_t end = map->end - taddr > AROUND ? taddr + AROUND : map->end;
	fc_auto_free uint8_t *bytes = fc_alloc(end - begin);
	return fc_remote_get(search->remnant->mem_fd, begin, bytes, end - begin) &&
	       fc_arch_here->thread->is_saved_vector(begin, bytes, end - begin, taddr - begin);
}

static bool search_words(void *ctx, uint64_t taddr, const uint64_t *words, size_t nr)
{
	struct search *self = ctx;
	for (size_t i = 0; i < nr && !self->is_found; i++)
		self->is_found = fc_remnant_is_site(self->remnant, words[i]) &&
				 was_kept(self->remnant, words[i]) &&
				 !is_in(&self->stacks, taddr + i * sizeof(*words)) &&
				 is_site(self, words[i]) &&
				 !is_dead_register(self, taddr + i * sizeof(*words));
	return !self->is_found;
}

static bool is_stood_on(const struct fc_standing *standing, const struct fc_map *map)
{
	fc_vec_each (&standing->threads, stand)
		if (stand->sp >= map->start && stand->sp < map->end)
			return true;
	return false;
}

/* A stack that a thread stands on: what it holds beside its slots is nobody's any more. */
static bool is_stack(const struct fc_standing *standing, const struct fc_map *map)
{
	return is_stood_on(standing, map) && strcmp(map->path, "[heap]") != 0;
}

static bool may_be(const struct fc_remnant *r, const struct fc_standing *standing)
{
	fc_auto_maps struct fc_maps maps = { 0 };
	struct search search = { .remnant = r };
	struct ranges own;
	if (!r->had_attic)
		return false;
	own_ranges(r, &own);
	stack_ranges(r, standing, &search.stacks);
	fc_vec_each (&r->pools, pool)
		add_sites(&search, pool);
	fc_sort(search.sites.list.at, search.sites.list.nr);
	bool ok = search.sites.list.nr && !fc_maps_read(r->pid, &maps);
	fc_vec_each (&maps, map) {
		if (!ok || search.is_found || !map->is_write || is_in(&own, map->start) ||
		    is_stack(standing, map))
			continue;
		search.map = map;
		search.is_stood_on = is_stood_on(standing, map);
		fc_resident_each(r->pid, r->mem_fd, map->start, map->end, search_words,
				 &search);
	}
	fc_vec_free(&search.sites.list);
	fc_vec_free(&own.list);
	fc_vec_free(&search.stacks.list);
	return search.is_found;
}

int fc_copies_check(const struct fc_remnant *r, const struct fc_standing *standing)
{
	return may_be(r, standing)
		       ? fc_fail(EBUSY,
				 "stubs stay mapped in process %d, unused: it may have "
				 "copied stack frames away that return to them",
				 r->pid)
		       : 0;
}
