/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/hook/detours.h"

#include <errno.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/vec.h"
#include "capture/hook/ledger.h"
#include "capture/hook/space_private.h"
#include "capture/target/registers.h"

/* ---- who wants %gs ---- */

static bool takes_register(struct fc_space *space, const struct fc_map *map)
{
	fc_auto_free char *path = fc_map_open_path(space->pid, map);
	return fc_modules_takes_register(&space->shared->modules, path);
}

bool fc_space_takes_register(struct fc_space *space, const struct fc_map *maps, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (maps[i].is_exec && maps[i].ino && maps[i].path[0] == '/' &&
		    takes_register(space, &maps[i]))
			return true;
	return false;
}

uint32_t fc_space_way_without_register(void)
{
	return fc_arch_here->thread->found_without(getauxval(AT_HWCAP2));
}

void fc_space_say_slow(struct fc_space *space)
{
	struct fc_shared *shared = space->shared;
	if (shared->has_slow || fc_space_way_without_register() != FCA_BY_TID)
		return;
	shared->has_slow = true;
	fc_space_say(space,
		     "the program sets %s, and this machine has no %s: "
		     "tracing its calls takes several times as long as elsewhere",
		     fc_arch_here->thread->strand_register,
		     fc_arch_here->thread->fast_registers);
}

int fc_space_clear_threads(const struct fc_space *space)
{
	fc_auto_free uint64_t *table = fc_alloc(FCA_NR_THREADS * sizeof(*table));
	for (size_t i = 0; i < FCA_NR_THREADS; i++)
		table[i] = fc_space_root(space);
	return fc_remote_write(space->mem_fd, space->agent + space->header.threads, table,
			       FCA_NR_THREADS * sizeof(*table));
}

/* A dead thread's strand is not for the next one with the same %fs. */
static void clear_thread(const struct fc_space *space, int tid)
{
	uint64_t root = fc_space_root(space);
	uint64_t fs;
	if (!fc_register_read(tid, FC_REG_THREAD, &fs))
		fc_remote_write(space->mem_fd,
				space->agent + space->header.threads +
					fca_thread_index(fs) * sizeof(root),
				&root, sizeof(root));
}

/* Does the thread's pointer point to itself? The ABI has it so, if the thread has one. */
static bool has_word(const struct fc_space *space, int tid)
{
	uint64_t fs, word;
	return !fc_register_read(tid, FC_REG_THREAD, &fs) && fs &&
	       !fc_remote_read(space->mem_fd, fs, &word, sizeof(word)) && word == fs;
}

void fc_space_begin_thread(const struct fc_space *space, int tid, uint64_t root)
{
	static const uint32_t never = FCA_WORD_NEVER;
	if (!space || space->found_by == FCA_BY_REGISTER)
		fc_register_write(tid, FC_REG_STRAND, root);
	else
		clear_thread(space, tid);
	if (space && fc_space_way_without_register() == FCA_BY_TID && !has_word(space, tid))
		fc_remote_write(space->mem_fd, FC_CONFIG(space, thread_word), &never,
				sizeof(never));
}

uint32_t fc_space_thread_word(const struct fc_space *space)
{
	uint32_t word = FCA_WORD_UNKNOWN;
	size_t nr = space->standing ? space->standing->threads.nr : 0;
	if (fc_space_way_without_register() != FCA_BY_TID)
		return word;
	for (size_t i = 0; i < nr; i++) {
		bool has = has_word(space, space->standing->threads.at[i].tid);
		if (!has && nr > 1)
			return FCA_WORD_NEVER;
		word = has ? FCA_WORD_READABLE : word;
	}
	return word;
}

/* ---- one pool ---- */

enum {
	PART = 1 << 20,	  /* bytes of a pool at a time */
	STUB_MOST = 2048, /* bytes of a stub */
};

/* Bytes of the target. */
struct part {
	int mem_fd;
	uint64_t at;
	size_t size;
	bool is_changed;
	uint8_t *bytes;
};

static int part_write(struct part *part)
{
	bool is_changed = part->is_changed;
	part->is_changed = false;
	return is_changed ? fc_remote_write(part->mem_fd, part->at, part->bytes, part->size)
			  : 0;
}

/* Have the bytes from taddr on, STUB_MOST of them or up to end. */
static int part_read(struct part *part, uint64_t taddr, uint64_t end)
{
	uint64_t need = end - taddr < STUB_MOST ? end - taddr : STUB_MOST;
	if (taddr >= part->at && taddr + need <= part->at + part->size)
		return 0;
	int ret = part_write(part);
	part->at = taddr;
	part->size = end - taddr < PART ? end - taddr : PART;
	return ret ? ret : fc_remote_read(part->mem_fd, part->at, part->bytes, part->size);
}

enum task {
	COUNT, /* how often it reads %gs */
	LAY,   /* write its detours */
	TURN,  /* make its reads lead to them */
};

struct work {
	const struct fc_space *space;
	enum task task;
	uint64_t detours; /* where they are; 0: there are none */
	uint32_t nr;	  /* of reads so far */
	struct part stubs, laid;
};

/* Detours follow each other: what is full is written. */
static int lay(struct work *work, const struct fc_strand_read *read, uint64_t stub, uint64_t at)
{
	struct part *laid = &work->laid;
	int ret = 0;
	if (laid->size + fc_arch_here->stub->detour_size > PART) {
		ret = part_write(laid);
		laid->size = 0;
	}
	if (!laid->size)
		laid->at = at;
	fc_arch_here->stub->make_detour(read, stub, at,
					work->space->agent + work->space->header.threads,
					laid->bytes + laid->size);
	laid->size += fc_arch_here->stub->detour_size;
	laid->is_changed = true;
	return ret;
}

static int do_read(struct work *work, const struct fc_strand_read *read, uint64_t stub)
{
	uint64_t detour = work->detours ? work->detours + FCA_POOL_HEAD +
						  work->nr * fc_arch_here->stub->detour_size
					: 0;
	work->nr++;
	if (work->task == LAY)
		return lay(work, read, stub, detour);
	if (work->task == TURN) {
		fc_arch_here->stub->drop_strand_read(
			read, stub, detour,
			work->stubs.bytes + (stub - work->stubs.at) + read->off);
		work->stubs.is_changed = true;
	}
	return 0;
}

static int do_stub(struct work *work, enum fc_stub_kind kind, uint64_t stub, uint64_t end)
{
	struct fc_strand_read reads[FC_MAX_STRAND_READS];
	int ret = part_read(&work->stubs, stub, end);
	if (ret)
		return ret;
	size_t off = stub - work->stubs.at;
	size_t nr = fc_arch_here->stub->strand_reads(kind, work->stubs.bytes + off,
						     work->stubs.size - off, reads);
	for (size_t i = 0; i < nr && !ret; i++)
		ret = do_read(work, &reads[i], stub);
	return ret;
}

/* All stubs of a pool; ->nr is then how often they read %gs. */
static int do_pool(struct work *work, uint64_t pool)
{
	fc_auto_ledger struct fc_ledger ledger = { 0 };
	int mem_fd = work->space->mem_fd;
	if (!fc_ledger_read(mem_fd, pool, &ledger))
		return fc_fail(EIO, "a stub pool cannot be read");
	uint64_t end = ledger.end - ledger.nr * sizeof(*ledger.patches);
	fc_auto_free uint8_t *stubs = fc_alloc(PART), *laid = fc_alloc(PART);
	work->stubs = (struct part){ .mem_fd = mem_fd, .bytes = stubs };
	work->laid = (struct part){ .mem_fd = mem_fd, .bytes = laid };
	work->nr = 0;
	int ret = 0;
	for (size_t i = 0; i < ledger.nr && !ret; i++) {
		const struct fca_patch *site = &ledger.patches[i];
		if (site->size && site->window && site->stub < end - pool)
			ret = do_stub(work, site->kind, pool + site->stub, end);
	}
	if (!ret)
		ret = part_write(&work->stubs);
	if (!ret)
		ret = part_write(&work->laid);
	return ret;
}

/* Where they are: *ret, 0 if there are none. Nothing leads there yet. */
static int lay_detours(struct fc_space *space, struct fc_caller *caller, struct fc_maps *maps,
		       uint64_t pool, size_t size, uint64_t *ret)
{
	struct work work = { .space = space, .task = COUNT };
	*ret = 0;
	int err = space->without_register == FCA_BY_THREAD ? do_pool(&work, pool) : 0;
	if (err || !work.nr)
		return err;
	size_t bytes = FCA_POOL_HEAD + (size_t)work.nr * fc_arch_here->stub->detour_size;
	if (bytes > space->room)
		return fc_fail(
			ENOMEM,
			"the program sets %s, and its address space is limited (ulimit -v)",
			fc_arch_here->thread->strand_register);
	work.detours = fc_space_map_pool(space, caller, maps, pool, pool + size, bytes);
	if (!work.detours)
		return -ENOMEM;
	if (space->room != UINT64_MAX)
		space->room -= bytes;
	work.task = LAY;
	*ret = work.detours;
	return do_pool(&work, pool);
}

static int turn(struct fc_space *space, uint64_t pool, uint64_t detours)
{
	struct work work = { .space = space, .task = TURN, .detours = detours };
	return do_pool(&work, pool);
}

int fc_space_detour(struct fc_space *space, struct fc_caller *caller, struct fc_maps *maps,
		    uint64_t pool, size_t size)
{
	uint64_t detours;
	int ret = lay_detours(space, caller, maps, pool, size, &detours);
	return ret ? ret : turn(space, pool, detours);
}

/* ---- a process that runs ---- */

static size_t size_of(const struct fc_space *space, const struct fc_known *known)
{
	return fc_module_pool_size(known->module, space->shared->opts->counting);
}

struct laid {
	uint64_t pool, detours;
};

/* It was ours: the program has not set it yet. */
static void clear_register(const struct fc_standing *standing)
{
	fc_vec_each (&standing->threads, stand)
		fc_register_write(stand->tid, FC_REG_STRAND, 0);
}

/* Nobody runs but in the kernel: each thread stands before a read of %gs or behind it. */
static int turn_all(struct fc_space *space, const struct laid *laid, size_t nr,
		    const struct fc_standing *standing)
{
	int ret = fc_space_clear_threads(space);
	for (size_t i = 0; i < nr && !ret; i++)
		ret = turn(space, laid[i].pool, laid[i].detours);
	if (!ret)
		ret = fc_remote_write(space->mem_fd, FC_CONFIG(space, found_by),
				      &space->without_register,
				      sizeof(space->without_register));
	if (ret)
		return ret;
	space->found_by = space->without_register;
	clear_register(standing);
	return 0;
}

int fc_space_yield_register(struct fc_space *space, struct fc_caller *caller,
			    struct fc_maps *maps)
{
	const struct fc_shared *shared = space->shared;
	fc_auto_vec FC_VEC(struct laid) laid = { 0 };
	fc_auto_vec FC_VEC(struct fc_known) known_pools = { 0 };
	int ret = 0;
	space->without_register = fc_space_way_without_register();
	fc_space_say_slow(space);
	fc_vec_each (&space->known, known)
		if (known->pool)
			fc_vec_push(&known_pools, *known);
	fc_vec_each (&space->gone, gone) /* they may come again, or be returned to */
		fc_vec_push(&known_pools, *gone);
	fc_vec_each (&known_pools, known) {
		struct laid one = { .pool = known->pool };
		if (!ret)
			ret = lay_detours(space, caller, maps, known->pool,
					  size_of(space, known), &one.detours);
		fc_vec_push(&laid, one);
	}
	fc_auto_standing struct fc_standing standing = { 0 };
	if (ret) /* no room: without them it is slower */
		space->without_register = FCA_BY_TID;
	fc_vec_each (&laid, one)
		one->detours = ret ? 0 : one->detours;
	shared->hold(shared->hold_ctx, space, &standing);
	ret = turn_all(space, laid.at, laid.nr, &standing);
	shared->release(shared->hold_ctx);
	return ret;
}
