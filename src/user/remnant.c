/* SPDX-License-Identifier: Apache-2.0 */
#include "user/remnant.h"

#include <dirent.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "user/cave.h"
#include "user/ledger.h"
#include "user/patcher.h"
#include "user/remote.h"
#include "user/resident.h"

enum { PAGE = 4096 };

static uint64_t page_up(uint64_t taddr)
{
	return (taddr + PAGE - 1) & ~(uint64_t)(PAGE - 1);
}

static bool read_at(const struct fc_remnant *r, uint64_t taddr, void *ret, size_t size)
{
	return pread(r->mem_fd, ret, size, (off_t)taddr) == (ssize_t)size;
}

static bool write_word(const struct fc_remnant *r, uint64_t taddr, uint64_t word)
{
	return pwrite(r->mem_fd, &word, sizeof(word), (off_t)taddr) == sizeof(word);
}

/* ---- finding it ---- */

static bool find_arena(struct fc_remnant *r)
{
	struct fc_maps maps;
	if (!fc_maps_read(r->pid, &maps))
		fc_vec_each (&maps, map)
			if (!strncmp(map->path, "/memfd:fctrace", 14) &&
			    (!r->arena || map->start == r->arena + r->arena_size)) {
				if (!r->arena)
					r->arena = map->start;
				r->arena_size = map->end - r->arena;
			}
	fc_maps_deinit(&maps);
	return r->arena;
}

static bool read_config(struct fc_remnant *r)
{
	struct fca_config *config = fc_alloc(sizeof(*config));
	bool ok = read_at(r, r->agent + r->header.config, config, sizeof(*config)) &&
		  config->nr_pools <= FCA_MAX_POOLS;
	r->shadow_size = config->shadow_size;
	r->exit_off = config->exit_off;
	r->has_gs = config->found_by == FCA_BY_GS;
	r->waste = config->waste;
	r->waste_size = (uint64_t)config->nr_counters * 8;
	for (uint32_t i = 0; ok && i < config->nr_pools; i++)
		fc_vec_push(&r->pools, config->pools[i]);
	for (int i = 0; ok && i < FCA_NR_SPARES; i++)
		fc_vec_push(&r->spares, config->spares[i]);
	for (int i = 0; ok && i < FCA_NR_HOPS; i++)
		if (config->hops[i].hi)
			fc_vec_push(&r->hops, config->hops[i]);
	free(config);
	return ok;
}

static bool read_strands(struct fc_remnant *r)
{
	uint32_t nr;
	if (!read_at(r, r->agent + r->header.nr_strands, &nr, sizeof(nr)))
		return false;
	for (uint32_t i = 0; i < nr && i < FCA_MAX_STRANDS; i++) {
		uint64_t at;
		if (!read_at(r, r->agent + r->header.strands + i * 8, &at, sizeof(at)))
			return false;
		if (at)
			fc_vec_push(&r->strands, at);
	}
	return true;
}

static bool has_agent(struct fc_remnant *r)
{
	return read_at(r, r->agent, &r->header, sizeof(r->header)) &&
	       r->header.magic == FCA_MAGIC;
}

/* Its injection went no further than the agent: no arena tells where it is. */
static bool find_lone_agent(struct fc_remnant *r)
{
	struct fc_maps maps;
	bool is_found = false;
	if (!fc_maps_read(r->pid, &maps))
		for (size_t i = 0; i < maps.nr && !is_found; i++) {
			const struct fc_map *map = &maps.at[i];
			r->agent = map->start;
			is_found = map->is_exec && !map->path[0] && has_agent(r) &&
				   map->end - map->start <= r->header.size;
		}
	fc_maps_deinit(&maps);
	return is_found;
}

/* Are there just these bytes of memory that is no file's, the first of them code? */
static bool is_mapped_alone(int pid, uint64_t start, uint64_t size)
{
	struct fc_maps maps;
	uint64_t at = start;
	if (!fc_maps_read(pid, &maps))
		fc_vec_each (&maps, map)
			if (map->start == at && at < start + size && !map->path[0] &&
			    (map->is_exec || at > start))
				at = map->end;
	fc_maps_deinit(&maps);
	return at == start + size;
}

/* It went no further than to map room for the agent, which is empty. */
static bool find_room_for_agent(struct fc_remnant *r)
{
	static const uint8_t zeros[PAGE];
	uint8_t code[FC_BORROW_CAVE], page[PAGE];
	uint64_t cave = fc_cave_left(r->pid, r->mem_fd), size;
	if (!cave || !read_at(r, cave, code, sizeof(code)) ||
	    !fc_borrow_announced(code, &r->agent, &size) ||
	    !is_mapped_alone(r->pid, r->agent, size) || !read_at(r, r->agent, page, PAGE) ||
	    memcmp(page, zeros, PAGE))
		return false;
	r->header = (struct fca_header){ .size = (uint32_t)size };
	return true;
}

int fc_remnant_find(int pid, int mem_fd, struct fc_remnant *ret)
{
	*ret = (struct fc_remnant){ .pid = pid, .mem_fd = mem_fd };
	if (!find_arena(ret)) {
		if (find_lone_agent(ret) || find_room_for_agent(ret))
			return 0;
	} else if (!read_at(ret, ret->arena + offsetof(struct fca_arena, agent), &ret->agent,
			    8) ||
		   !has_agent(ret)) {
		ret->agent = 0; /* it was removed already */
		ret->header = (struct fca_header){ 0 };
		return 0;
	} else if (read_config(ret)) {
		return 0;
	}
	fc_remnant_deinit(ret);
	*ret = (struct fc_remnant){ .pid = pid, .mem_fd = mem_fd };
	return -ENOENT;
}

void fc_remnant_deinit(struct fc_remnant *remnant)
{
	fc_vec_free(&remnant->pools);
	fc_vec_free(&remnant->pages);
	fc_vec_free(&remnant->hops);
	fc_vec_free(&remnant->strands);
	fc_vec_free(&remnant->spares);
	fc_vec_free(&remnant->inside);
}

/* ---- functions ---- */

/* A thread between a near jump and the hop that it leads to goes back to the near jump. */
static void leave_hop(const struct fc_remnant *r, const struct fc_standing *standing,
		      const struct fca_patch *entry)
{
	uint8_t found[sizeof(entry->new)];
	fc_vec_each (&standing->threads, stand)
		if (stand->rip == entry->taddr &&
		    read_at(r, entry->taddr, found, entry->size) &&
		    !memcmp(found, entry->new, entry->size))
			ptrace(PTRACE_POKEUSER, stand->tid, offsetof(struct user, regs.rip),
			       entry->taddr + entry->from);
}

/* Takes the patches that are to be undone; pages that were mapped for it are noted. */
static size_t split_ledger(struct fc_remnant *r, const struct fca_patch *entries, size_t nr,
			   enum fca_undo undo, struct fc_patch *ret)
{
	size_t nr_patches = 0;
	for (size_t i = 0; i < nr; i++) {
		const struct fca_patch *entry = &entries[i];
		if (!entry->size) {
			struct fca_pool pages = { .lo = entry->taddr };
			pages.hi = pages.lo + (uint64_t)entry->stub * PAGE;
			fc_vec_push(&r->pages, pages);
			continue;
		}
		if (entry->undo > undo)
			continue;
		ret[nr_patches++] = fc_ledger_patch(entry);
	}
	return nr_patches;
}

int fc_remnant_unhook(struct fc_remnant *remnant, const struct fc_standing *standing,
		      enum fca_undo undo)
{
	int ret = 0;
	fc_vec_free(&remnant->pages);
	fc_vec_each (&remnant->pools, pool) {
		struct fc_ledger ledger;
		if (!fc_ledger_read(remnant->mem_fd, pool->lo, &ledger))
			continue;
		fc_auto_free struct fc_patch *patches =
			fc_alloc((ledger.nr + 1) * sizeof(*patches));
		for (size_t i = 0; i < ledger.nr; i++)
			if (ledger.patches[i].from && ledger.patches[i].undo <= undo)
				leave_hop(remnant, standing, &ledger.patches[i]);
		size_t nr = split_ledger(remnant, ledger.patches, ledger.nr, undo, patches);
		int err = fc_patch_undo(remnant->mem_fd, patches, nr);
		ret = ret ? ret : err;
		fc_ledger_deinit(&ledger);
	}
	return ret;
}

/* ---- return addresses ---- */

static bool is_site(const struct fc_remnant *r, uint64_t address)
{
	fc_vec_each (&r->pools, pool)
		if (address >= pool->lo && address < pool->hi)
			return true;
	return false;
}

static bool is_inside(const struct fc_remnant *r, uint64_t address)
{
	fc_vec_each (&r->pages, pages)
		if (address >= pages->lo && address < pages->hi)
			return true;
	return is_site(r, address) || address - r->agent < r->header.size ||
	       (r->cave && address - r->cave < FC_BORROW_CAVE);
}

/* An open call's return address becomes the true one. False: its slot is not the stub's. */
static bool put_back(const struct fc_remnant *r, const struct fca_shadow *entry)
{
	uint64_t word;
	return read_at(r, entry->slot, &word, sizeof(word)) && is_site(r, word) &&
	       !is_site(r, entry->ret) && write_word(r, entry->slot, entry->ret);
}

/*
 * The call that was put back returns past its stub. When a frame that was copied away from its
 * slot comes back there, its stub must find what was kept of it: the entry becomes one that the
 * agent pops as it meets it, as true_return() makes it.
 */
static void yield_to_attic(const struct fc_remnant *r, const struct fca_strand *head,
			   uint64_t slot, uint64_t entry_taddr)
{
	uint64_t nr = FCA_SHADOW_AT_ONCE(r->shadow_size) / sizeof(struct fca_shadow);
	struct fca_shadow kept;
	if (head->attic &&
	    read_at(r, head->attic + slot / 8 % nr * sizeof(kept), &kept, sizeof(kept)) &&
	    kept.slot == slot)
		write_word(r, entry_taddr + offsetof(struct fca_shadow, slot), 1);
}

static void put_back_all(const struct fc_remnant *r, const struct fca_strand *head,
			 uint64_t strand)
{
	uint64_t top;
	if (!read_at(r, strand + PAGE + FCA_STRAND_SHADOW, &top, sizeof(top)) ||
	    top < head->shadow_base || top >= head->shadow_end)
		return;
	size_t nr = (top - head->shadow_base) / sizeof(struct fca_shadow);
	fc_auto_free struct fca_shadow *entries = fc_alloc((nr + 1) * sizeof(*entries));
	if (!read_at(r, head->shadow_base + sizeof(*entries), entries, nr * sizeof(*entries)))
		return;
	for (size_t i = 0; i < nr; i++)
		if (entries[i].slot >= head->low && entries[i].slot < head->high &&
		    put_back(r, &entries[i]))
			yield_to_attic(r, head, entries[i].slot,
				       head->shadow_base + (i + 1) * sizeof(*entries));
}

static bool put_back_page(void *ctx, uint64_t taddr, const uint64_t *words, size_t nr)
{
	(void)taddr;
	const struct fca_shadow *entries = (const struct fca_shadow *)words;
	for (size_t i = 0; i < nr * sizeof(*words) / sizeof(*entries); i++)
		if (entries[i].slot)
			put_back(ctx, &entries[i]);
	return true;
}

static void put_back_attic(struct fc_remnant *r, const struct fca_strand *head)
{
	fc_resident_each(r->pid, r->mem_fd, head->attic,
			 head->attic + FCA_SHADOW_AT_ONCE(r->shadow_size), put_back_page, r);
}

/* Of a dead thread's stack another thread may have been given the memory. */
static bool is_live(const struct fc_remnant *r, const struct fca_strand *head,
		    const struct fc_standing *standing)
{
	struct fca_ring ring;
	if (head->ring && (!read_at(r, head->ring, &ring, sizeof(ring)) ||
			   ring.generation != head->generation))
		return false;
	fc_vec_each (&standing->threads, stand)
		if (stand->own_tid == head->tid)
			return true;
	return false;
}

/*
 * Live strands first: what is left after them belongs to frames whose thread has ended, such
 * as fibres that went on in another, or that were copied away and back (the attic).
 */
static void put_back_strands(struct fc_remnant *r, const struct fc_standing *standing)
{
	enum { LIVE, DEAD, ATTIC, NR_PASSES };
	for (int pass = LIVE; pass < NR_PASSES; pass++)
		fc_vec_each (&r->strands, strand) {
			struct fca_strand head;
			if (!read_at(r, *strand, &head, sizeof(head)))
				continue;
			if (pass == ATTIC && head.attic) {
				r->had_attic = true;
				put_back_attic(r, &head);
			} else if (pass != ATTIC &&
				   is_live(r, &head, standing) == (pass == LIVE)) {
				put_back_all(r, &head, *strand);
			}
		}
}

/* ---- who is inside ---- */

struct looker {
	const struct fc_remnant *remnant;
	bool is_found;
};

/* A signal handler interrupted a stub or the agent, and will go back to it. */
static void look(void *ctx, const struct fc_stack *stack)
{
	struct looker *self = ctx;
	for (size_t i = 0; i < stack->nr; i++)
		if (is_inside(self->remnant, stack->words[i]) &&
		    fc_stack_is_interrupted(stack, i))
			self->is_found = true;
}

/* The same as fc_space_moved_from(), of what another controller has hooked. */
static uint64_t copied_from(const struct fc_remnant *r, const struct fca_pool *pool,
			    uint64_t rip)
{
	struct fc_ledger ledger;
	if (!fc_ledger_read(r->mem_fd, pool->lo, &ledger))
		return 0;
	const struct fca_patch *owner = fc_ledger_owner(&ledger, rip - pool->lo);
	struct fc_move moves[FC_MAX_MOVES];
	size_t nr = owner ? fc_ledger_moves(&ledger, r->mem_fd, owner, moves) : 0;
	uint64_t from = 0;
	for (size_t i = 0; i < nr; i++)
		if (pool->lo + owner->stub + moves[i].to == rip)
			from = owner->taddr + moves[i].from;
	fc_ledger_deinit(&ledger);
	return from;
}

static uint64_t way_out(const struct fc_remnant *r, uint64_t rip,
			uint64_t (*moved_from)(void *ctx, uint64_t rip), void *ctx)
{
	uint64_t from = moved_from ? moved_from(ctx, rip) : 0;
	fc_vec_each (&r->pools, pool)
		if (!from && rip >= pool->lo && rip < pool->hi)
			from = copied_from(r, pool, rip);
	return from;
}

static bool will_come_back(const struct fc_remnant *r, const struct fc_stand *stand,
			   const struct fc_maps *maps)
{
	struct looker looker = { .remnant = r };
	fc_stacks_each(r->mem_fd, maps, stand->rsp, look, &looker);
	return looker.is_found;
}

/* Where each thread is to go on; 0: where it is. False: one cannot leave now. */
static bool find_ways_out(struct fc_remnant *r, const struct fc_standing *standing,
			  uint64_t (*moved_from)(void *ctx, uint64_t rip), void *ctx,
			  uint64_t *ret)
{
	struct fc_maps maps;
	bool is_read = !fc_maps_read(r->pid, &maps);
	fc_vec_free(&r->inside);
	for (size_t i = 0; is_read && i < standing->threads.nr; i++) {
		const struct fc_stand *stand = &standing->threads.at[i];
		bool has_way = true;
		if (is_inside(r, stand->rip)) {
			ret[i] = way_out(r, stand->rip, moved_from, ctx);
			has_way = ret[i];
		}
		if (!has_way || will_come_back(r, stand, &maps))
			fc_vec_push(&r->inside, stand->tid);
	}
	fc_maps_deinit(&maps);
	return is_read && !r->inside.nr;
}

int fc_remnant_settle(struct fc_remnant *remnant, const struct fc_standing *standing,
		      uint64_t (*moved_from)(void *ctx, uint64_t rip), void *ctx)
{
	fc_vec_free(&remnant->strands);
	if (remnant->agent && !read_strands(remnant))
		return -EAGAIN;
	fc_auto_free uint64_t *ways = fc_alloc((standing->threads.nr + 1) * sizeof(*ways));
	if (!find_ways_out(remnant, standing, moved_from, ctx, ways))
		return -EAGAIN;
	/*
	 * Not before: the agent counts on slots and entries as it finds them, and where a copy
	 * came from, a jump may have been until now.
	 */
	put_back_strands(remnant, standing);
	int ret = fc_remnant_unhook(remnant, standing, FCA_UNDO_LAST);
	/* With an error a jump may still be where a copy came from: they stay in the stubs. */
	for (size_t i = 0; !ret && i < standing->threads.nr; i++)
		if (ways[i])
			ptrace(PTRACE_POKEUSER, standing->threads.at[i].tid,
			       offsetof(struct user, regs.rip), ways[i]);
	return ret;
}

/* ---- removing ---- */

static bool is_of_strand(const struct fc_remnant *r, uint64_t strand, uint64_t at)
{
	return at - (strand - FCA_STRAND_BELOW(r->shadow_size)) <
	       FCA_STRAND_BYTES(r->shadow_size);
}

static bool is_own(const struct fc_remnant *r, const struct fc_map *map)
{
	uint64_t at = map->start;
	if (at - r->agent < r->header.size || at - r->arena < r->arena_size || is_site(r, at))
		return true;
	fc_vec_each (&r->spares, spare)
		if (*spare && is_of_strand(r, *spare, at))
			return true;
	fc_vec_each (&r->strands, strand) {
		struct fca_strand head;
		if (is_of_strand(r, *strand, at) ||
		    (read_at(r, *strand, &head, sizeof(head)) && head.attic &&
		     at - head.attic < FCA_SHADOW_AT_ONCE(r->shadow_size)))
			return true;
	}
	return false;
}

struct search {
	const struct fc_remnant *remnant;
	struct fc_addresses
		sites; /* of all stubs: other words may look like pools' addresses */
	bool is_found;
};

static void add_sites(struct search *search, const struct fca_pool *pool)
{
	const struct fc_remnant *r = search->remnant;
	struct fc_ledger ledger;
	if (!fc_ledger_read(r->mem_fd, pool->lo, &ledger))
		return;
	for (size_t i = 0; i < ledger.nr; i++)
		if (ledger.patches[i].window && ledger.patches[i].kind == FC_STUB_CALL)
			fc_vec_push(&search->sites.list,
				    pool->lo + ledger.patches[i].stub + r->exit_off);
	fc_ledger_deinit(&ledger);
}

static int by_value(const void *a, const void *b)
{
	const uint64_t *left = a, *right = b;
	return *left < *right ? -1 : *left > *right;
}

static bool search_words(void *ctx, uint64_t taddr, const uint64_t *words, size_t nr)
{
	(void)taddr;
	struct search *self = ctx;
	for (size_t i = 0; i < nr && !self->is_found; i++)
		self->is_found = is_site(self->remnant, words[i]) &&
				 bsearch(&words[i], self->sites.list.at, self->sites.list.nr,
					 sizeof(words[i]), by_value);
	return !self->is_found;
}

/* A stack that a thread stands on: what it holds beside its slots is nobody's any more. */
static bool is_stack(const struct fc_standing *standing, const struct fc_map *map)
{
	fc_vec_each (&standing->threads, stand)
		if (stand->rsp >= map->start && stand->rsp < map->end)
			return strcmp(map->path, "[heap]") != 0;
	return false;
}

/*
 * Stacks that are copied to other memory and back (some coroutines) take return sites with
 * them. Where frames were given up that still held theirs, all memory but the stacks is
 * looked at.
 */
static bool may_be_copied(const struct fc_remnant *r, const struct fc_standing *standing)
{
	struct fc_maps maps = { 0 };
	struct search search = { .remnant = r };
	if (!r->had_attic)
		return false;
	fc_vec_each (&r->pools, pool)
		add_sites(&search, pool);
	if (search.sites.list.nr)
		qsort(search.sites.list.at, search.sites.list.nr, sizeof(uint64_t), by_value);
	bool ok = search.sites.list.nr && !fc_maps_read(r->pid, &maps);
	fc_vec_each (&maps, map) {
		if (!ok || search.is_found || !map->is_write || is_own(r, map) ||
		    is_stack(standing, map))
			continue;
		fc_resident_each(r->pid, r->mem_fd, map->start, map->end, search_words,
				 &search);
	}
	fc_maps_deinit(&maps);
	fc_vec_free(&search.sites.list);
	return search.is_found;
}

static void unmap(struct fc_borrow *borrow, uint64_t start, uint64_t size)
{
	fc_remote_call(&borrow->caller, SYS_munmap, start, page_up(size), 0, 0, 0, 0);
}

/*
 * A controller that was killed may have unmapped it: what the program has mapped there since
 * is not touched.
 */
static void unmap_code(const struct fc_remnant *r, struct fc_borrow *borrow, uint64_t start,
		       uint64_t end)
{
	struct fc_maps maps;
	bool is_there = false;
	if (!fc_maps_read(r->pid, &maps))
		fc_vec_each (&maps, map)
			is_there |= map->start <= start && page_up(end) <= map->end &&
				    map->is_exec && !map->is_write && !map->path[0];
	fc_maps_deinit(&maps);
	if (is_there)
		unmap(borrow, start, end - start);
}

static void unmap_pools(const struct fc_remnant *r, struct fc_borrow *borrow)
{
	fc_vec_each (&r->pages, pages)
		unmap_code(r, borrow, pages->lo, pages->hi);
	fc_vec_each (&r->hops, pages)
		unmap_code(r, borrow, pages->lo, pages->hi);
	fc_vec_each (&r->pools, pool) {
		struct fc_ledger ledger;
		fc_ledger_read(r->mem_fd, pool->lo, &ledger);
		unmap_code(r, borrow, pool->lo, ledger.end > pool->hi ? ledger.end : pool->hi);
		fc_ledger_deinit(&ledger);
	}
}

static void unmap_strand(const struct fc_remnant *r, struct fc_borrow *borrow, uint64_t strand)
{
	struct fca_strand head;
	uint64_t self, attic;
	if (!read_at(r, strand + PAGE + FCA_STRAND_SELF, &self, sizeof(self)) ||
	    self != strand + PAGE || !read_at(r, strand, &head, sizeof(head)))
		return; /* it was unmapped already */
	attic = head.attic;
	/* Forgotten first: nothing in it tells that it is one. */
	if (attic && write_word(r, strand + offsetof(struct fca_strand, attic), 0))
		unmap(borrow, attic, FCA_SHADOW_AT_ONCE(r->shadow_size));
	unmap(borrow, strand - FCA_STRAND_BELOW(r->shadow_size),
	      FCA_STRAND_BYTES(r->shadow_size));
}

static void unmap_spares(const struct fc_remnant *r, struct fc_borrow *borrow)
{
	uint64_t at = r->agent + r->header.config + offsetof(struct fca_config, spares);
	for (size_t i = 0; i < r->spares.nr; i++)
		if (r->spares.at[i] && write_word(r, at + i * sizeof(uint64_t), 0))
			unmap(borrow, r->spares.at[i] - FCA_STRAND_BELOW(r->shadow_size),
			      FCA_STRAND_BYTES(r->shadow_size));
}

/* A killed controller may not have come to close it. */
static void close_arena(const struct fc_remnant *r, struct fc_borrow *borrow)
{
	fc_auto_free char *name = fc_asprintf("/proc/%d/fd", r->pid);
	DIR *dir = opendir(name);
	for (struct dirent *d; dir && (d = readdir(dir));) {
		char path[64] = "";
		if (readlinkat(dirfd(dir), d->d_name, path, sizeof(path) - 1) > 0 &&
		    !strncmp(path, "/memfd:fctrace ", 15))
			fc_remote_call(&borrow->caller, SYS_close, atoi(d->d_name), 0, 0, 0, 0,
				       0);
	}
	if (dir)
		closedir(dir);
}

/* Forgotten first, as spares are. */
static void unmap_waste(const struct fc_remnant *r, struct fc_borrow *borrow)
{
	uint64_t at = r->agent + r->header.config + offsetof(struct fca_config, waste);
	if (r->waste && write_word(r, at, 0))
		unmap(borrow, r->waste, r->waste_size);
}

/* The arena last: by its name it can be found alone. */
static void unmap_all(const struct fc_remnant *r, struct fc_borrow *borrow)
{
	unmap_pools(r, borrow);
	fc_vec_each (&r->strands, strand)
		unmap_strand(r, borrow, *strand);
	unmap_spares(r, borrow);
	close_arena(r, borrow);
	unmap_waste(r, borrow);
	if (r->agent)
		unmap(borrow, r->agent, r->header.size);
	if (r->arena)
		unmap(borrow, r->arena, r->arena_size);
}

int fc_remnant_remove(const struct fc_remnant *remnant, const struct fc_standing *standing,
		      unsigned long options)
{
	if (may_be_copied(remnant, standing))
		return fc_fail(EBUSY,
			       "stubs stay mapped in process %d, unused: it may have "
			       "copied stack frames away that return to them",
			       remnant->pid);
	if (remnant->has_gs)
		fc_vec_each (&standing->threads, stand)
			ptrace(PTRACE_POKEUSER, stand->tid, offsetof(struct user, regs.gs_base),
			       0);
	static const uint8_t zeros[FC_BORROW_CAVE];
	uint64_t cave = remnant->cave;
	struct fc_borrow borrow;
	if (!remnant->agent && !remnant->arena)
		return cave ? fc_remote_write(remnant->mem_fd, cave, zeros, sizeof(zeros)) : 0;
	int ret = cave ? 0 : fc_cave_find(remnant->pid, remnant->mem_fd, &cave);
	if (ret)
		return ret;
	ret = fc_borrow_begin(&borrow, standing->threads.at[0].tid, options, remnant->mem_fd,
			      cave);
	if (!ret)
		unmap_all(remnant, &borrow);
	int end = fc_borrow_end(&borrow);
	return ret ? ret : end;
}
