/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/hook/remnant.h"

#include <dirent.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/bisect.h"
#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/sort.h"
#include "capture/hook/ledger.h"
#include "capture/hook/patcher.h"
#include "capture/target/cave.h"
#include "capture/target/registers.h"
#include "capture/target/remote.h"
#include "capture/target/resident.h"
#include "capture/target/stackwalk.h"
#include "capture/target/status.h"

static bool read_at(const struct fc_remnant *r, uint64_t taddr, void *ret, size_t size)
{
	return fc_remote_get(r->mem_fd, taddr, ret, size);
}

static bool write_word(const struct fc_remnant *r, uint64_t taddr, uint64_t word)
{
	return pwrite(r->mem_fd, &word, sizeof(word), (off_t)taddr) == sizeof(word);
}

static int damaged(void)
{
	return fc_fail(EBADMSG, "what fctrace has put into it was written over");
}

/* ---- finding it ---- */

static bool has_thread(int pid, int own_tid)
{
	fc_auto_free char *name = fc_asprintf("/proc/%d/task", pid);
	DIR *dir = opendir(name);
	bool is_found = false;
	for (struct dirent *d; dir && !is_found && (d = readdir(dir));) {
		struct fc_status status;
		is_found =
			fc_status_read(atoi(d->d_name), &status) && status.own_tid == own_tid;
	}
	if (dir)
		closedir(dir);
	return is_found;
}

/* The process is an fctrace: the arena is that of a program that it traces. */
static bool is_controllers(const struct fc_remnant *r, uint64_t arena)
{
	enum { TID = 0x3fffffff }; /* FUTEX_TID_MASK */
	uint32_t keeper;
	return read_at(r, arena + offsetof(struct fca_arena, keeper), &keeper,
		       sizeof(keeper)) &&
	       keeper & TID && has_thread(r->pid, (int)(keeper & TID));
}

static bool is_arenas(const struct fc_remnant *r, const struct fc_map *map)
{
	if (strncmp(map->path, "/memfd:fctrace", 14))
		return false;
	return r->arena ? map->start == r->arena + r->arena_size && map->off
			: !map->off && !is_controllers(r, map->start);
}

static bool find_arena(struct fc_remnant *r)
{
	fc_auto_maps struct fc_maps maps = { 0 };
	if (!fc_maps_read(r->pid, &maps))
		fc_vec_each (&maps, map)
			if (is_arenas(r, map)) {
				r->arena = r->arena ? r->arena : map->start;
				r->arena_size = map->end - r->arena;
			}
	return r->arena;
}

/* False: some overlap, or are no memory of a program. */
static bool sort_pools(struct fc_remnant *r)
{
	uint64_t last = 0;
	fc_sort_by(r->pools.at, r->pools.nr, lo);
	fc_vec_each (&r->pools, pool) {
		if (pool->lo < last || pool->hi < pool->lo || pool->hi > fc_arch_here->end)
			return false;
		last = pool->hi;
	}
	return true;
}

/* Or nothing yet: its controller was killed before it was filled in. */
static bool is_sound(const struct fca_config *config)
{
	if (!config->shadow_size)
		return !config->nr_pools;
	return config->nr_pools <= FCA_MAX_POOLS && config->shadow_size >= FCA_SHADOW_BEGIN &&
	       config->shadow_size <= FCA_SHADOW_SIZE && config->nr_counters <= FCA_EDGES_WORDS;
}

/* The target may have written all of it: what is taken for true later is looked at here. */
static bool read_config(struct fc_remnant *r)
{
	struct fca_config *config = fc_alloc(sizeof(*config));
	bool ok = read_at(r, r->agent + r->header.config, config, sizeof(*config)) &&
		  is_sound(config);
	r->shadow_size = config->shadow_size;
	r->exit_off = config->place[FCA_PLACE_EXIT];
	r->has_register = config->found_by == FCA_BY_REGISTER;
	memcpy(r->kept, config->kept, sizeof(r->kept));
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
	return ok && sort_pools(r);
}

/* Each once: a strand is looked at for as long as it has entries. */
static bool read_strands(struct fc_remnant *r)
{
	uint32_t nr;
	if (!r->shadow_size)
		return true;
	if (!read_at(r, r->agent + r->header.nr_strands, &nr, sizeof(nr)))
		return false;
	nr = nr < FCA_MAX_STRANDS ? nr : FCA_MAX_STRANDS;
	fc_auto_free uint64_t *strands = fc_alloc((nr + 1) * sizeof(*strands));
	if (!read_at(r, r->agent + r->header.strands, strands, nr * sizeof(*strands)))
		return false;
	nr = fc_sort_once(strands, nr);
	for (uint32_t i = 0; i < nr; i++)
		if (strands[i] && fc_page_down(strands[i]) == strands[i])
			fc_vec_push(&r->strands, strands[i]);
	return true;
}

static bool has_agent(struct fc_remnant *r)
{
	enum { MOST = 16 << 20 };
	const struct fca_header *h = &r->header;
	return read_at(r, r->agent, &r->header, sizeof(r->header)) && h->magic == FCA_MAGIC &&
	       h->size <= MOST && h->config < h->size && h->strands < h->size &&
	       h->nr_strands < h->size;
}

/* Its injection went no further than the agent: no arena tells where it is. */
static bool find_lone_agent(struct fc_remnant *r)
{
	fc_auto_maps struct fc_maps maps = { 0 };
	bool is_found = false;
	if (!fc_maps_read(r->pid, &maps))
		for (size_t i = 0; i < maps.nr && !is_found; i++) {
			const struct fc_map *map = &maps.at[i];
			r->agent = map->start;
			is_found = map->is_exec && !map->path[0] && has_agent(r) &&
				   map->end - map->start <= r->header.size;
		}
	return is_found;
}

/* Are there just these bytes of memory that is no file's, the first of them code? */
static bool is_mapped_alone(int pid, uint64_t start, uint64_t size)
{
	fc_auto_maps struct fc_maps maps = { 0 };
	uint64_t at = start;
	if (!fc_maps_read(pid, &maps))
		fc_vec_each (&maps, map)
			if (map->start == at && at < start + size && !map->path[0] &&
			    (map->is_exec || at > start))
				at = map->end;
	return at == start + size;
}

/* It went no further than to map room for the agent, which is empty. */
static bool find_room_for_agent(struct fc_remnant *r)
{
	static const uint8_t zeros[FCA_PAGE];
	uint8_t code[FC_CAVE_SIZE], page[FCA_PAGE];
	uint64_t cave = fc_cave_left(r->pid, r->mem_fd), size;
	if (!cave || !read_at(r, cave, code, sizeof(code)) ||
	    !fc_borrow_announced(code, &r->agent, &size) ||
	    !is_mapped_alone(r->pid, r->agent, size) || !read_at(r, r->agent, page, FCA_PAGE) ||
	    memcmp(page, zeros, FCA_PAGE))
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
	bool is_damaged = ret->arena;
	fc_remnant_deinit(ret);
	*ret = (struct fc_remnant){ .pid = pid, .mem_fd = mem_fd };
	return is_damaged ? damaged() : -ENOENT;
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
		if (stand->ip == entry->taddr && read_at(r, entry->taddr, found, entry->size) &&
		    !memcmp(found, entry->new, entry->size))
			fc_register_write(stand->tid, FC_REG_IP, entry->taddr + entry->from);
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
			pages.hi = pages.lo + (uint64_t)entry->stub * FCA_PAGE;
			fc_vec_push(&r->pages, pages);
			continue;
		}
		if (entry->undo > undo)
			continue;
		ret[nr_patches++] = fc_ledger_patch(entry);
	}
	return nr_patches;
}

/* Is it a pool, and not what the program has mapped there since? */
static bool is_code(int pid, uint64_t taddr)
{
	fc_auto_maps struct fc_maps maps = { 0 };
	const struct fc_map *map = fc_maps_read(pid, &maps) ? NULL : fc_maps_at(&maps, taddr);
	return map && map->is_exec && !map->path[0];
}

int fc_remnant_unhook(struct fc_remnant *remnant, const struct fc_standing *standing,
		      enum fca_undo undo)
{
	enum { MOST_ENTRIES = 1 << 23, MOST_PAGES = 1 << 16 };
	int ret = 0;
	size_t nr_entries = 0;
	fc_vec_free(&remnant->pages);
	fc_vec_each (&remnant->pools, pool) {
		fc_auto_ledger struct fc_ledger ledger = { 0 };
		if (!fc_ledger_read(remnant->mem_fd, pool->lo, &ledger)) {
			if (ledger.is_damaged && is_code(remnant->pid, pool->lo))
				ret = damaged();
			continue;
		}
		nr_entries += ledger.nr;
		if (nr_entries > MOST_ENTRIES || remnant->pages.nr > MOST_PAGES)
			return damaged();
		fc_auto_free struct fc_patch *patches =
			fc_alloc((ledger.nr + 1) * sizeof(*patches));
		for (size_t i = 0; i < ledger.nr; i++)
			if (ledger.patches[i].from && ledger.patches[i].undo <= undo)
				leave_hop(remnant, standing, &ledger.patches[i]);
		size_t nr = split_ledger(remnant, ledger.patches, ledger.nr, undo, patches);
		int err = fc_patch_undo(remnant->mem_fd, patches, nr);
		ret = ret ? ret : err;
	}
	return ret;
}

/* ---- return addresses ---- */

bool fc_remnant_is_site(const struct fc_remnant *r, uint64_t address)
{
	size_t low = fc_bisect(r->pools.at, r->pools.nr, pool, pool->lo <= address);
	return low && address < r->pools.at[low - 1].hi;
}

bool fc_remnant_is_inside(const struct fc_remnant *r, uint64_t address)
{
	fc_vec_each (&r->pages, pages)
		if (address >= pages->lo && address < pages->hi)
			return true;
	return fc_remnant_is_site(r, address) || address - r->agent < r->header.size ||
	       (r->cave && address - r->cave < FC_CAVE_SIZE);
}

/* An open call's return address becomes the true one. False: its slot is not the stub's. */
static bool put_back(const struct fc_remnant *r, const struct fca_shadow *entry)
{
	uint64_t word;
	return read_at(r, entry->slot, &word, sizeof(word)) && fc_remnant_is_site(r, word) &&
	       !fc_remnant_is_site(r, entry->ret) && write_word(r, entry->slot, entry->ret);
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

/* Is so much more of shadow stacks and attics to be looked at? */
static bool may_look(struct fc_remnant *r, uint64_t size)
{
	if (size > r->look_bytes) {
		r->is_too_deep = true;
		return false;
	}
	r->look_bytes -= size;
	return true;
}

static void put_back_some(const struct fc_remnant *r, const struct fca_strand *head,
			  uint64_t taddr, const struct fca_shadow *entries, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (entries[i].slot >= head->low && entries[i].slot < head->high &&
		    put_back(r, &entries[i]))
			yield_to_attic(r, head, entries[i].slot, taddr + i * sizeof(*entries));
}

static void put_back_all(struct fc_remnant *r, const struct fca_strand *head, uint64_t strand)
{
	enum { AT_ONCE = 4096 };
	struct fca_shadow entries[AT_ONCE];
	uint64_t top, at = head->shadow_base + sizeof(*entries);
	if (!read_at(r, strand + FCA_PAGE + FCA_STRAND_SHADOW, &top, sizeof(top)) ||
	    top < head->shadow_base || top - head->shadow_base >= r->shadow_size)
		return;
	for (uint64_t end = top + sizeof(*entries); at < end; at += sizeof(entries)) {
		size_t nr = (end - at) / sizeof(*entries);
		nr = nr < AT_ONCE ? nr : AT_ONCE;
		if (!may_look(r, nr * sizeof(*entries)) ||
		    !read_at(r, at, entries, nr * sizeof(*entries)))
			return;
		put_back_some(r, head, at, entries, nr);
	}
}

static bool put_back_page(void *ctx, uint64_t taddr, const uint64_t *words, size_t nr)
{
	(void)taddr;
	struct fc_remnant *r = ctx;
	const struct fca_shadow *entries = (const struct fca_shadow *)words;
	if (!may_look(r, nr * sizeof(*words)))
		return false;
	for (size_t i = 0; i < nr * sizeof(*words) / sizeof(*entries); i++)
		if (entries[i].slot)
			put_back(r, &entries[i]);
	return true;
}

static void put_back_attic(struct fc_remnant *r, const struct fca_strand *head)
{
	fc_resident_each(r->pid, r->mem_fd, head->attic,
			 head->attic + FCA_SHADOW_AT_ONCE(r->shadow_size), put_back_page, r);
}

static bool each_slot_of(struct fc_remnant *r, uint64_t strand,
			 void (*fn)(void *ctx, uint64_t ret, uint64_t word), void *ctx)
{
	struct fca_strand head;
	uint64_t top;
	if (!read_at(r, strand, &head, sizeof(head)) || head.attic ||
	    !read_at(r, strand + FCA_PAGE + FCA_STRAND_SHADOW, &top, sizeof(top)) ||
	    top < head.shadow_base || top - head.shadow_base >= r->shadow_size)
		return false;
	for (uint64_t at = head.shadow_base + sizeof(struct fca_shadow); at <= top;
	     at += sizeof(struct fca_shadow)) {
		struct fca_shadow entry;
		uint64_t word = 0;
		if (!may_look(r, sizeof(entry)) || !read_at(r, at, &entry, sizeof(entry)))
			return false;
		read_at(r, entry.slot, &word, sizeof(word));
		fn(ctx, entry.ret, word);
	}
	return true;
}

bool fc_remnant_each_slot(struct fc_remnant *remnant,
			  void (*fn)(void *ctx, uint64_t ret, uint64_t word), void *ctx)
{
	enum { MOST = 100000 };
	remnant->look_bytes = MOST * sizeof(struct fca_shadow);
	fc_vec_free(&remnant->strands);
	bool ok = read_strands(remnant);
	for (size_t i = 0; ok && i < remnant->strands.nr; i++)
		ok = each_slot_of(remnant, remnant->strands.at[i], fn, ctx);
	return ok;
}

bool fc_remnant_is_live(const struct fc_remnant *r, const struct fca_strand *head,
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

/* Where the strand is that the thread's stubs use: they find its second page. 0: not known. */
static uint64_t strand_in_use(const struct fc_remnant *r, int tid)
{
	uint64_t thread, found = 0, table = r->agent + r->header.threads;
	if (r->has_register)
		fc_register_read(tid, FC_REG_STRAND, &found);
	else if (!fc_register_read(tid, FC_REG_THREAD, &thread))
		read_at(r, table + fca_thread_index(thread) * sizeof(found), &found,
			sizeof(found));
	fc_vec_each (&r->strands, strand)
		if (*strand + FCA_PAGE == found)
			return *strand;
	return 0;
}

/*
 * Is it one of a thread's that goes on, or of which a forked child is a copy? Until the child finds
 * itself, it uses its parent's strands, and none is its own.
 */
static bool is_used(const struct fc_remnant *r, const struct fca_strand *head,
		    const struct fc_standing *standing)
{
	struct fca_strand used;
	if (fc_remnant_is_live(r, head, standing))
		return true;
	fc_vec_each (&standing->threads, stand) {
		uint64_t strand = strand_in_use(r, stand->tid);
		if (strand && read_at(r, strand, &used, sizeof(used)) &&
		    used.pid == head->pid && used.tid == head->tid)
			return true;
	}
	return false;
}

/*
 * Those in use first: what is left after them belongs to frames whose thread has ended, such
 * as fibres that went on in another, or that were copied away and back (the attic). Of a vfork
 * child that has executed a program entries are left with slots of its parent's.
 */
static void put_back_strands(struct fc_remnant *r, const struct fc_standing *standing)
{
	enum { USED, DEAD, ATTIC, NR_PASSES };
	for (int pass = USED; pass < NR_PASSES; pass++)
		fc_vec_each (&r->strands, strand) {
			struct fca_strand head;
			if (!read_at(r, *strand, &head, sizeof(head)))
				continue;
			if (pass == ATTIC && head.attic) {
				r->had_attic = true;
				put_back_attic(r, &head);
			} else if (pass != ATTIC &&
				   is_used(r, &head, standing) == (pass == USED)) {
				put_back_all(r, &head, *strand);
			}
		}
}

static uint64_t most_look_bytes(const struct fc_standing *standing)
{
	return FCA_SHADOW_SIZE + standing->threads.nr * FCA_SHADOW_BEGIN * 4;
}

static bool is_of_running(const struct fc_remnant *r, uint64_t strand,
			  const struct fc_standing *standing)
{
	struct fca_strand head;
	return !read_at(r, strand, &head, sizeof(head)) ||
	       !fc_remnant_is_live(r, &head, standing);
}

void fc_remnant_show_returns(struct fc_remnant *remnant, const struct fc_standing *standing,
			     bool is_all)
{
	fc_vec_free(&remnant->strands);
	if (!remnant->agent || !read_strands(remnant))
		return;
	size_t nr = 0;
	fc_vec_each (&remnant->strands, strand)
		if (is_all || !is_of_running(remnant, *strand, standing))
			remnant->strands.at[nr++] = *strand;
	remnant->strands.nr = nr;
	remnant->look_bytes = most_look_bytes(standing);
	put_back_strands(remnant, standing);
}

/* ---- who is inside ---- */

/* Where the instruction came from of which a stub's copy is at ip; 0: there is none. */
static uint64_t copied_from(const struct fc_remnant *r, const struct fca_pool *pool,
			    uint64_t ip)
{
	fc_auto_ledger struct fc_ledger ledger = { 0 };
	if (!fc_ledger_read(r->mem_fd, pool->lo, &ledger))
		return 0;
	const struct fca_patch *owner = fc_ledger_owner(&ledger, ip - pool->lo);
	struct fc_move moves[FC_MAX_MOVES];
	size_t nr = owner ? fc_ledger_moves(&ledger, r->mem_fd, owner, moves) : 0;
	uint64_t from = 0;
	for (size_t i = 0; i < nr; i++)
		if (pool->lo + owner->stub + moves[i].to == ip)
			from = owner->taddr + moves[i].from;
	return from;
}

uint64_t fc_remnant_way_out(const struct fc_remnant *r, uint64_t ip)
{
	fc_vec_each (&r->pools, pool)
		if (ip >= pool->lo && ip < pool->hi)
			return copied_from(r, pool, ip);
	return 0;
}

/* A signal handler interrupted a stub or the agent, and will go back to it. */
static bool will_come_back(const struct fc_remnant *r, const struct fc_stand *stand,
			   struct fc_stackwalk *stacks)
{
	struct fc_addresses back = { 0 };
	bool ret = false;
	fc_stackwalk_back(stacks, stand, &back);
	fc_vec_each (&back.list, at)
		ret = ret || fc_remnant_is_inside(r, *at);
	fc_vec_free(&back.list);
	return ret;
}

/* Where each thread is to go on; 0: where it is. False: one cannot leave now. */
static bool find_ways_out(struct fc_remnant *r, const struct fc_standing *standing,
			  uint64_t *ret)
{
	fc_auto_stackwalk struct fc_stackwalk stacks = { 0 };
	bool is_read = !fc_stackwalk_open(r->pid, r->mem_fd, r->agent, &r->header, &stacks);
	fc_vec_free(&r->inside);
	for (size_t i = 0; is_read && i < standing->threads.nr; i++) {
		const struct fc_stand *stand = &standing->threads.at[i];
		bool has_way = true;
		if (fc_remnant_is_inside(r, stand->ip)) {
			ret[i] = fc_remnant_way_out(r, stand->ip);
			has_way = ret[i];
		}
		if (!has_way || will_come_back(r, stand, &stacks))
			fc_vec_push(&r->inside, *stand);
	}
	return is_read && !r->inside.nr;
}

int fc_remnant_settle(struct fc_remnant *remnant, const struct fc_standing *standing)
{
	fc_vec_free(&remnant->strands);
	if (remnant->agent && !read_strands(remnant))
		return -EAGAIN;
	fc_auto_free uint64_t *ways = fc_alloc((standing->threads.nr + 1) * sizeof(*ways));
	if (!find_ways_out(remnant, standing, ways))
		return -EAGAIN;
	/*
	 * Not before: the agent counts on slots and entries as it finds them, and where a copy
	 * came from, a jump may have been until now.
	 */
	remnant->look_bytes = most_look_bytes(standing);
	put_back_strands(remnant, standing);
	if (remnant->is_too_deep)
		return fc_fail(E2BIG, "it has more calls open than can be put back");
	int ret = fc_remnant_unhook(remnant, standing, FCA_UNDO_LAST);
	/* With an error a jump may still be where a copy came from: they stay in the stubs. */
	for (size_t i = 0; !ret && i < standing->threads.nr; i++)
		if (ways[i])
			fc_register_write(standing->threads.at[i].tid, FC_REG_IP, ways[i]);
	return ret;
}

/* ---- removing ---- */

/*
 * A controller that was killed may have unmapped it: what the program has mapped there since
 * is not touched.
 */
static void unmap_code(const struct fc_maps *maps, struct fc_borrow *borrow, uint64_t start,
		       uint64_t end)
{
	const struct fc_map *map = fc_maps_at(maps, start);
	if (map && fc_page_up(end) <= map->end && map->is_exec && !map->is_write &&
	    !map->path[0])
		fc_remote_unmap(&borrow->caller, start, end - start);
}

static void unmap_pools(const struct fc_remnant *r, struct fc_borrow *borrow)
{
	fc_auto_maps struct fc_maps maps = { 0 };
	if (fc_maps_read(r->pid, &maps))
		return;
	fc_vec_each (&r->pages, pages)
		unmap_code(&maps, borrow, pages->lo, pages->hi);
	fc_vec_each (&r->hops, hops)
		unmap_code(&maps, borrow, hops->lo, hops->hi);
	fc_vec_each (&r->pools, pool) {
		fc_auto_ledger struct fc_ledger ledger = { 0 };
		fc_ledger_read(r->mem_fd, pool->lo, &ledger);
		unmap_code(&maps, borrow, pool->lo,
			   ledger.end > pool->hi ? ledger.end : pool->hi);
	}
}

/* Some of it may have been given back. */
uint64_t fc_remnant_shadow_size(const struct fc_remnant *r, const struct fca_strand *head)
{
	uint64_t size = head->shadow_end - head->shadow_base;
	return size < r->shadow_size ? fc_page_down(size) : r->shadow_size;
}

static void unmap_strand(const struct fc_remnant *r, struct fc_borrow *borrow, uint64_t strand)
{
	struct fca_strand head;
	uint64_t self, attic;
	if (!read_at(r, strand + FCA_PAGE + FCA_STRAND_SELF, &self, sizeof(self)) ||
	    self != strand + FCA_PAGE || !read_at(r, strand, &head, sizeof(head)))
		return; /* it was unmapped already */
	attic = head.attic;
	/* Forgotten first: nothing in it tells that it is one. */
	if (attic && write_word(r, strand + offsetof(struct fca_strand, attic), 0))
		fc_remote_unmap(&borrow->caller, attic, FCA_SHADOW_AT_ONCE(r->shadow_size));
	uint64_t size = fc_remnant_shadow_size(r, &head);
	fc_remote_unmap(&borrow->caller, strand - FCA_STRAND_BELOW(size),
			FCA_STRAND_BYTES(size));
}

static void unmap_spares(const struct fc_remnant *r, struct fc_borrow *borrow)
{
	uint64_t at = r->agent + r->header.config + offsetof(struct fca_config, spares);
	for (size_t i = 0; i < r->spares.nr; i++) {
		uint64_t spare = r->spares.at[i], size;
		struct fca_strand head;
		if (!spare || !read_at(r, spare, &head, sizeof(head)) ||
		    !write_word(r, at + i * sizeof(uint64_t), 0))
			continue;
		size = head.shadow_base ? fc_remnant_shadow_size(r, &head) : r->shadow_size;
		fc_remote_unmap(&borrow->caller, spare - FCA_STRAND_BELOW(size),
				FCA_STRAND_BYTES(size));
	}
}

/* A killed controller may not have come to close it. */
static void close_arena(const struct fc_remnant *r, struct fc_borrow *borrow)
{
	enum { MOST = 16 };
	fc_auto_free char *name = fc_asprintf("/proc/%d/fd", fc_living_thread(r->pid));
	DIR *dir = opendir(name);
	int nr = 0;
	for (struct dirent *d; dir && nr < MOST && (d = readdir(dir));) {
		char path[64] = "";
		if (readlinkat(dirfd(dir), d->d_name, path, sizeof(path) - 1) <= 0 ||
		    strncmp(path, "/memfd:fctrace ", 15))
			continue;
		fc_remote_call(&borrow->caller, SYS_close, atoi(d->d_name), 0, 0, 0, 0, 0);
		nr++;
	}
	if (dir)
		closedir(dir);
}

/* Forgotten first, as spares are. */
static void unmap_waste(const struct fc_remnant *r, struct fc_borrow *borrow)
{
	uint64_t at = r->agent + r->header.config + offsetof(struct fca_config, waste);
	if (r->waste && write_word(r, at, 0))
		fc_remote_unmap(&borrow->caller, r->waste, r->waste_size);
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
		fc_remote_unmap(&borrow->caller, r->agent, r->header.size);
	if (r->arena)
		fc_remote_unmap(&borrow->caller, r->arena, r->arena_size);
}

int fc_remnant_remove(const struct fc_remnant *remnant, const struct fc_standing *standing,
		      unsigned long options)
{
	if (remnant->has_register)
		fc_vec_each (&standing->threads, stand)
			fc_register_write(stand->tid, FC_REG_STRAND, 0);
	static const uint8_t zeros[FC_CAVE_SIZE];
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
