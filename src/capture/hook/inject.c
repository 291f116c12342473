/* SPDX-License-Identifier: Apache-2.0 */
/* The agent, its arena and what it must know: into a process, by system calls it makes. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/vec.h"
#include "capture/hook/detours.h"
#include "capture/hook/space_private.h"
#include "capture/target/cave.h"
#include "capture/target/registers.h"
#include "capture/target/status.h"

static const uint8_t agent_image[] = {
#include "agent_image.h"
};

enum { SIZE_OF_IMAGE = sizeof(agent_image) - 1 };

void fc_space_init_agent(struct fc_space *space)
{
	memcpy(&space->header, agent_image, sizeof(space->header));
}

static int check_call(int64_t got, const char *what)
{
	if (got == -EAGAIN) /* mmap(2) */
		return fc_fail(EAGAIN,
			       "%s fails in the program: it has locked its memory, and has no "
			       "room for more (ulimit -l)",
			       what);
	if (got == -EMFILE)
		return fc_fail(
			EMFILE,
			"%s fails in the program: it has no file descriptor left; give it "
			"one more (prlimit --pid PID --nofile=...), and try again",
			what);
	return got < 0 ? fc_fail((int)-got, "%s fails in the program: %s", what,
				 strerror((int)-got))
		       : 0;
}

/* Where a stack that grows as it may does not come to; 0: it may grow for ever. */
static uint64_t below_stack(int pid, const struct fc_map *stack)
{
	static const uint64_t most = 64ull << 30;
	struct rlimit limit;
	if (prlimit(pid, RLIMIT_STACK, NULL, &limit) || limit.rlim_cur > most ||
	    stack->start < 2 * most)
		return 0;
	return stack->start - limit.rlim_cur;
}

/* Beside what the libraries are, or would be: ld.so, or below the stack. 0: nowhere. */
static uint64_t libraries_at(const struct fc_space *space, const struct fc_maps *maps)
{
	const struct fc_map *stack = fc_maps_stack(maps);
	uint64_t ret = 0;
	fc_vec_each (maps, map)
		if (map->is_exec && map->path[0] == '/' && map->ino != space->of.exe_ino)
			ret = map->start;
	return ret || !stack ? ret : below_stack(space->pid, stack);
}

/*
 * Among the libraries, as the kernel would have it. Not beside the program: room within its reach
 * is for stubs. 0: nowhere.
 */
static uint64_t agent_place(const struct fc_space *space, const struct fc_maps *maps)
{
	uint64_t near = libraries_at(space, maps);
	return near ? fc_maps_place(maps, near, near, space->header.size) : 0;
}

/* Below the libraries and what is within their reach, which is for them and their stubs. */
static uint64_t arena_place(const struct fc_space *space, const struct fc_maps *maps)
{
	uint64_t room = 2 * fc_arch_here->jumps->far_reach + fc_space_arena_bytes(space);
	uint64_t near = libraries_at(space, maps);
	return near > 2 * room ? fc_page_down(near - room) : 0;
}

/* Told before it is there: until it has its first bytes nothing in it tells what it is. */
static int64_t map_agent(struct fc_space *space, struct fc_borrow *borrow, uint64_t place)
{
	uint64_t size = space->header.size;
	int64_t at = -ENOMEM;
	if (place && !fc_borrow_announce(borrow, place, size))
		at = fc_remote_map_code(&borrow->caller, place, size);
	return at >= 0 ? at : fc_remote_map_code(&borrow->caller, 0, size);
}

static int load_agent(struct fc_space *space, struct fc_borrow *borrow, uint64_t place)
{
	const struct fca_header *h = &space->header;
	struct fc_caller *caller = &borrow->caller;
	int64_t at = map_agent(space, borrow, place);
	int ret = check_call(at, "mmap");
	if (ret)
		return ret;
	space->agent = at;
	ret = check_call(fc_remote_call(caller, SYS_mprotect, at + h->config,
					h->size - h->config, PROT_READ | PROT_WRITE, 0, 0, 0),
			 "mprotect");
	fc_remote_call(caller, SYS_madvise, at + h->wiped, FCA_PAGE, MADV_WIPEONFORK, 0, 0, 0);
	return ret ? ret : fc_remote_write(space->mem_fd, at, agent_image, SIZE_OF_IMAGE);
}

/* As the agent sees it. */
static int own_pid(const struct fc_space *space)
{
	struct fc_status status;
	fc_status_read(space->pid, &status);
	return status.own_tid;
}

/* Bytes of address space that the target may still map. */
static uint64_t address_room(int pid)
{
	struct rlimit limit;
	if (prlimit(pid, RLIMIT_AS, NULL, &limit) || limit.rlim_cur == RLIM_INFINITY)
		return UINT64_MAX;
	fc_auto_maps struct fc_maps maps = { 0 };
	uint64_t used = 0;
	if (!fc_maps_read(pid, &maps))
		fc_vec_each (&maps, map)
			used += map->end - map->start;
	return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

/* With its counters. */
static uint64_t ring_bytes(const struct fc_space *space)
{
	const struct fc_shared *shared = space->shared;
	return fca_ring_at(1, fc_drain_ring_words(shared->drain), shared->nr_counters) -
	       FCA_ARENA_HEAD;
}

/*
 * A limited address space (ulimit -v) is the program's: of what is left to it tracing takes a
 * sixteenth for rings, as much for stubs, and little for each stack.
 */
static int measure(struct fc_space *space)
{
	enum { SHARE = 16, STRANDS = 1024, MIB = 1 << 20, LEAST = 128 };
	uint64_t room = address_room(space->pid);
	uint64_t ring = ring_bytes(space);
	space->nr_rings = fca_nr_rings(fc_drain_ring_words(space->shared->drain),
				       space->shared->nr_counters);
	space->shadow_size = FCA_SHADOW_SIZE;
	space->room = room;
	if (room == UINT64_MAX)
		return 0;
	if (room < (uint64_t)LEAST * MIB)
		return fc_fail(ENOMEM,
			       "its limit of address space (ulimit -v) leaves it %llu MiB; "
			       "tracing asks for %d",
			       (unsigned long long)room / MIB, LEAST);
	space->shadow_size = FCA_SHADOW_AT_ONCE(FCA_SHADOW_SIZE);
	space->room = room / SHARE;
	if (space->nr_rings > room / SHARE / ring)
		space->nr_rings = room / SHARE / ring;
	if (!space->nr_rings)
		return fc_fail(
			ENOMEM,
			"its limit of address space (ulimit -v) has no room for a ring of "
			"%llu KiB; say a smaller --ring",
			(unsigned long long)ring >> 10);
	while (space->shadow_size > FCA_SHADOW_BEGIN && space->shadow_size > room / STRANDS)
		space->shadow_size /= 2;
	return 0;
}

static uint64_t strand_bytes(const struct fc_space *space)
{
	return FCA_STRAND_BYTES(space->shadow_size);
}

uint64_t fc_space_ring_off(const struct fc_space *space, uint32_t i)
{
	return FCA_ARENA_HEAD + i * ring_bytes(space);
}

size_t fc_space_arena_bytes(const struct fc_space *space)
{
	return fc_space_ring_off(space, space->nr_rings);
}

/* ---- the arena ---- */

/*
 * An fctrace that is killed leaves what it has mapped, in a program that may limit its memory later: as
 * long as the agent cannot learn of that, the arena has one ring. Of the others, which nobody can
 * use before the threads go on, the addresses are known to be free.
 *
 *   share_arena()   head | ring 0
 *   hooks
 *   grow_arena()    head | ring 0 | ring 1 | ...
 */
static bool may_grow(const struct fc_space *space, const struct fc_maps *maps, uint64_t place)
{
	uint64_t end = place + fc_space_arena_bytes(space);
	if (!place || space->is_filtered || space->nr_rings < 2)
		return false;
	fc_vec_each (maps, map)
		if (map->start < end && place < map->end)
			return false;
	return true;
}

/* Without a descriptor, which would have to stay open in the program. */
static void grow_arena(struct fc_space *space, struct fc_caller *caller)
{
	uint64_t first = fc_space_ring_off(space, 1), all = fc_space_arena_bytes(space);
	uint64_t nr = space->nr_rings;
	if (!space->is_growing)
		return;
	space->is_growing = false;
	if (fc_remote_call(caller, SYS_mremap, space->arena_taddr + FCA_ARENA_HEAD,
			   first - FCA_ARENA_HEAD, all - FCA_ARENA_HEAD, 0, 0, 0) >= 0 &&
	    !fc_remote_write(space->mem_fd, FC_CONFIG(space, nr_rings), &nr, sizeof(nr)))
		return;
	space->nr_rings = 1;
	fc_space_say(space, "there is no room for more than one ring: threads but the first "
			    "one are not recorded");
}

int fc_space_make_memory(struct fc_space *space, struct fc_caller *caller, int pid, int *fd,
			 int *own)
{
	static const char name[] = "fctrace";
	uint64_t at = FC_CONFIG(space, memory_name);
	int ret = fc_remote_write(space->mem_fd, at, name, sizeof(name));
	if (ret)
		return ret;
	int64_t got = fc_remote_call(caller, SYS_memfd_create, at,
				     MFD_CLOEXEC | MFD_ALLOW_SEALING, 0, 0, 0, 0);
	ret = check_call(got, "memfd_create");
	if (ret)
		return ret;
	*fd = (int)got;
	*own = fc_arena_receive(fc_living_thread(pid), *fd);
	if (*own < 0)
		fc_remote_call(caller, SYS_close, *fd, 0, 0, 0, 0, 0);
	return *own < 0 ? *own : 0;
}

/* Of the mappings that a process may have, half are the program's in any case. */
static uint64_t max_strands(void)
{
	enum { DEFAULT_MAPS = 65530 };
	char text[32] = "";
	fc_auto_close int fd = open("/proc/sys/vm/max_map_count", O_RDONLY | O_CLOEXEC);
	bool is_read = fd >= 0 && read(fd, text, sizeof(text) - 1) > 0;
	uint64_t maps = is_read ? strtoull(text, NULL, 10) : DEFAULT_MAPS;
	uint64_t nr = maps / 2 / FCA_STRAND_MAPS;
	return nr < FCA_MAX_STRANDS ? nr : FCA_MAX_STRANDS;
}

/* The target makes the memfd, so that its mount and pid namespaces do not matter. */
static int share_arena(struct fc_space *space, struct fc_caller *caller, uint64_t place,
		       uint64_t *taddr)
{
	int fd, own;
	uint64_t bytes =
		space->is_growing ? fc_space_ring_off(space, 1) : fc_space_arena_bytes(space);
	int ret = fc_space_make_memory(space, caller, space->pid, &fd, &own);
	if (ret)
		return ret;
	const struct fc_shared *shared = space->shared;
	ret = fc_drain_add(shared->drain, own, shared->opts->loss == FC_LOSS_DROP,
			   shared->opts->no_follow ? own_pid(space) : 0, &space->arena);
	close(own);
	if (!ret) {
		space->arena->at->agent = space->agent;
		space->arena->at->is_ring = shared->opts->loss == FC_LOSS_RING;
		space->arena->at->is_off = shared->is_off;
		int64_t at = fc_remote_call(caller, SYS_mmap, place, bytes, PROT_NONE,
					    MAP_SHARED | MAP_NORESERVE, fd, 0);
		ret = check_call(at, "mmap of shared memory");
		*taddr = ret ? 0 : at;
	}
	if (!ret)
		ret = check_call(fc_remote_call(caller, SYS_mprotect, *taddr,
						space->is_filtered ? bytes : FCA_ARENA_HEAD,
						PROT_READ | PROT_WRITE, 0, 0, 0),
				 "mprotect");
	if (!ret)
		fc_remote_call(caller, SYS_madvise, *taddr, bytes, MADV_DONTDUMP, 0, 0, 0);
	fc_remote_call(caller, SYS_close, fd, 0, 0, 0, 0, 0);
	return ret;
}

static void find_stack(const struct fc_maps *maps, struct fca_config *config)
{
	const struct fc_map *stack = fc_maps_stack(maps);
	if (!stack)
		return;
	config->stack_high = stack->end;
	config->stack_low = stack->end - FC_STACK_RESERVED;
	config->stack_mapped = stack->start;
}

/* Fill in the agent's configuration, and the strand of threads before their first hooks. */
static int configure(struct fc_space *space, const struct fc_maps *maps, uint64_t arena_taddr)
{
	struct fca_config *config = fc_alloc(sizeof(*config));
	config->arena = arena_taddr;
	config->ring_words = fc_drain_ring_words(space->shared->drain);
	config->nr_rings = space->is_growing ? 1 : space->nr_rings;
	config->max_strands = max_strands();
	config->shadow_size = config->new_shadow_size = space->shadow_size;
	config->has_fast_registers = fc_space_way_without_register() == FCA_BY_THREAD;
	config->found_by = space->found_by;
	config->thread_word = fc_space_thread_word(space);
	config->pid = own_pid(space);
	config->number = space->number;
	memcpy(config->memory_name, "fctrace", sizeof(config->memory_name));
	config->is_quiet = space->is_filtered;
	for (int i = 0; i < FCA_NR_SPARES && space->spares; i++)
		config->spares[i] = space->spares + i * strand_bytes(space);
	find_stack(maps, config);
	memcpy(config->place, fc_arch_here->stub->places, sizeof(config->place));
	config->nr_counters = space->shared->nr_counters;
	config->has_gates = space->shared->opts->only != NULL;
	config->begins_off = space->shared->opts->turns.on != NULL;
	memcpy(config->watch_ticks, space->shared->watch_ticks, sizeof(config->watch_ticks));
	memcpy(config->watch_nth, space->shared->watch_nth, sizeof(config->watch_nth));
	memcpy(config->watch_next, space->shared->watch_next, sizeof(config->watch_next));
	config->is_edges = space->shared->opts->counting == FC_COUNT_EDGES;
	config->is_count_only = space->shared->opts->counting == FC_COUNT_ONLY;
	int ret = fc_remote_write(space->mem_fd, FC_CONFIG(space, arena), config,
				  sizeof(*config));
	free(config);

	enum { FLOOR = -0x800 }; /* in the root strand's first page, otherwise unused */
	static const uint64_t NO_THREAD = ~0ull;
	uint64_t root = space->agent + space->header.root;
	uint64_t hot[3] = { NO_THREAD, root + FLOOR, root };
	struct fca_shadow floor = { 0, ~0ull };
	if (!ret)
		ret = fc_remote_write(space->mem_fd, root + FCA_STRAND_THREAD, hot,
				      sizeof(hot));
	if (!ret)
		ret = fc_remote_write(space->mem_fd, root + FLOOR, &floor, sizeof(floor));
	return ret;
}

/* ---- seccomp, and syscall user dispatch ---- */

static bool has_filter(int tid)
{
	struct fc_status status;
	return (fc_status_read(tid, &status) && status.rights.seccomp) ||
	       fc_dispatch_is_on(tid);
}

/* Each thread may have its own. */
static bool is_filtered(const struct fc_space *space, int tid)
{
	if (!space->standing)
		return has_filter(tid);
	fc_vec_each (&space->standing->threads, stand)
		if (has_filter(stand->tid))
			return true;
	return false;
}

/* What its agent would map for strands later, when that would be filtered. */
static int map_spares(struct fc_space *space, struct fc_caller *caller)
{
	int64_t size = FCA_NR_SPARES * strand_bytes(space);
	int64_t at = fc_remote_call(caller, SYS_mmap, 0, size, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (at < 0)
		return check_call(at, "mmap");
	fc_remote_call(caller, SYS_madvise, at, size, MADV_DONTDUMP, 0, 0, 0);
	space->spares = at + FCA_STRAND_BELOW(space->shadow_size);
	for (int i = 0; i < FCA_NR_SPARES; i++)
		fc_remote_call(caller, SYS_madvise,
			       space->spares + i * strand_bytes(space) + FCA_PAGE, FCA_PAGE,
			       MADV_WIPEONFORK, 0, 0, 0);
	return 0;
}

/* The same for the threads beside the borrowed one. */
static int set_register_of_others(struct fc_space *space, const struct fc_borrow *borrow)
{
	if (!space->standing || space->found_by != FCA_BY_REGISTER)
		return 0;
	fc_vec_each (&space->standing->threads, stand)
		if (stand->tid != borrow->tid &&
		    fc_register_write(stand->tid, FC_REG_STRAND, fc_space_root(space)))
			return fc_fail(errno, "thread %d is gone", stand->tid);
	return 0;
}

/* From here on patches may be written: a stub that runs finds its strand. */
static int set_register(struct fc_space *space, struct fc_borrow *borrow)
{
	uint64_t nr, arg[6];
	uint64_t root = space->agent + space->header.root;
	if (space->found_by != FCA_BY_REGISTER)
		return fc_space_clear_threads(space);
	fc_arch_here->thread->strand_call(root, &nr, arg);
	int64_t got = borrow->caller.call(&borrow->caller, nr, arg);
	fc_regs_set(&borrow->regs, FC_REG_STRAND, root);
	return check_call(got, "arch_prctl");
}

/* Nothing is hooked yet: leave no trace in a program that ran before. */
static void undo_inject(struct fc_space *space, struct fc_borrow *borrow)
{
	bool is_ours = space->found_by == FCA_BY_REGISTER;
	fc_vec_each (&space->standing->threads, stand)
		if (stand->tid != borrow->tid && is_ours)
			fc_register_write(stand->tid, FC_REG_STRAND, 0);
	if (is_ours)
		fc_regs_set(&borrow->regs, FC_REG_STRAND, 0);
	if (space->arena_taddr)
		fc_remote_unmap(&borrow->caller, space->arena_taddr,
				space->is_growing ? fc_space_ring_off(space, 1)
						  : fc_space_arena_bytes(space));
	if (space->agent)
		fc_remote_unmap(&borrow->caller, space->agent, space->header.size);
}

/* Has a thread set %gs already? */
static bool is_register_set(const struct fc_space *space)
{
	size_t nr = space->standing ? space->standing->threads.nr : 0;
	uint64_t strand;
	for (size_t i = 0; i < nr; i++)
		if (fc_register_read(space->standing->threads.at[i].tid, FC_REG_STRAND,
				     &strand) ||
		    strand)
			return true;
	return false;
}

static void choose_way(struct fc_space *space, const struct fc_maps *maps)
{
	bool is_theirs = is_register_set(space);
	is_theirs |= fc_space_takes_register(space, maps->at, maps->nr);
	if (!is_theirs)
		return;
	space->found_by = space->without_register = fc_space_way_without_register();
	fc_space_say_slow(space);
}

/* maps: as they are before. */
static int inject(struct fc_space *space, const struct fc_maps *maps, int tid, uint64_t cave)
{
	struct fc_borrow borrow;
	int ret = fc_borrow_begin(&borrow, tid, space->shared->ptrace_options, space->mem_fd,
				  cave);
	if (!ret)
		ret = load_agent(space, &borrow, agent_place(space, maps));
	uint64_t place = arena_place(space, maps);
	space->is_growing = may_grow(space, maps, place);
	if (!ret)
		ret = share_arena(space, &borrow.caller, place, &space->arena_taddr);
	if (!ret && space->is_filtered)
		ret = map_spares(space, &borrow.caller);
	if (!ret)
		ret = configure(space, maps, space->arena_taddr);
	if (!ret)
		ret = set_register(space, &borrow);
	if (!ret)
		ret = set_register_of_others(space, &borrow);
	space->borrow = &borrow;
	if (!ret) {
		fc_space_hook_new(space, &borrow.caller);
		grow_arena(space, &borrow.caller);
	}
	space->borrow = NULL;
	if (ret && space->standing && borrow.is_borrowed)
		undo_inject(space, &borrow);
	int end = fc_borrow_end(&borrow);
	return ret ? ret : end;
}

int fc_space_inject(struct fc_space *space, int tid)
{
	fc_auto_maps struct fc_maps maps = { 0 };
	uint64_t cave;
	int ret = measure(space);
	if (!ret)
		ret = fc_cave_find(space->pid, space->mem_fd, &cave);
	if (ret)
		return ret;
	space->is_filtered = is_filtered(space, tid);
	if (space->is_filtered)
		space->shadow_size = FCA_SHADOW_AT_ONCE(space->shadow_size);
	ret = fc_maps_read(space->pid, &maps);
	if (!ret) {
		choose_way(space, &maps);
		ret = inject(space, &maps, tid, cave);
	}
	return ret;
}
