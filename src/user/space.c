/* SPDX-License-Identifier: Apache-2.0 */
#include "user/space.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/vec.h"
#include "trace/clock.h"
#include "user/cave.h"
#include "user/patcher.h"
#include "user/pun.h"
#include "user/scope.h"
#include "user/status.h"

static const uint8_t agent_image[] = {
#include "agent_image.h"
};

enum { PAGE = 4096 };

/* A file's mapping that was looked at, whether it was hooked or not. */
struct known {
	uint64_t start, ino;
	uint64_t
		bias; /* of the file, if it is hooked: one with two code segments is hooked once */
	uint64_t pool; /* where its stubs are, 0: it has none */
	const struct fc_module *module;
	bool is_hooked;
};

struct fc_space {
	struct fc_shared *shared;
	struct fc_arena *arena;
	struct fca_header header;
	int refs, pid, mem_fd;
	uint64_t agent; /* where its image is */
	uint64_t arena_taddr;
	uint32_t nr_pools;
	struct fc_scope_of of;
	uint64_t nr_rings, shadow_size; /* as in struct fca_config */
	uint64_t room;			/* for stub pools: bytes of address space */
	bool is_filtered;		/* it began under a seccomp filter */
	uint64_t spares;		/* then: memory for its first strands */
	FC_VEC(struct known) known;
	/* While it is attached to: */
	const struct fc_standing *standing;
	struct fc_addresses busy;
	struct fc_borrow *borrow;
};

void fc_shared_say(struct fc_shared *shared, int pid, const char *sentence)
{
	shared->opts->say(shared->opts->ctx, sentence);
	shared->tap->life(shared->tap, &(struct fc_life_info){
					       .life = FC_LIFE_SAY,
					       .pid = pid,
					       .tsc = fc_clock_tsc(),
					       .text = sentence,
				       });
}

/* ---- one module into the space ---- */

static uint64_t config_at(const struct fc_space *space, size_t field)
{
	return space->agent + space->header.config + field;
}

#define CONFIG(space, field) config_at(space, offsetof(struct fca_config, field))

static int write_pool(struct fc_space *space, uint32_t i, uint64_t lo, uint64_t hi)
{
	struct fca_pool pool = { lo, hi };
	return fc_remote_write(space->mem_fd, CONFIG(space, pools) + i * sizeof(pool), &pool,
			       sizeof(pool));
}

/* From now on the agent knows return addresses into this pool as stubs' sites. */
static int announce_pool(struct fc_space *space, uint64_t lo, uint64_t hi)
{
	if (space->nr_pools == FCA_MAX_POOLS)
		return fc_fail(ENOSPC, "more than %d modules in one program", FCA_MAX_POOLS);
	uint32_t nr = space->nr_pools + 1;
	int ret = write_pool(space, space->nr_pools, lo, hi);
	if (!ret)
		ret = fc_remote_write(space->mem_fd, CONFIG(space, nr_pools), &nr, sizeof(nr));
	if (!ret)
		space->nr_pools = nr;
	return ret;
}

static void retract_pool(struct fc_space *space)
{
	uint32_t nr = space->nr_pools - 1;
	if (!fc_remote_write(space->mem_fd, CONFIG(space, nr_pools), &nr, sizeof(nr)))
		space->nr_pools = nr;
}

/* A place for the pool, mapped in the target. 0 with a sentence if there is none. */
static uint64_t map_pool(struct fc_space *space, struct fc_caller *caller, struct fc_maps *maps,
			 uint64_t start, uint64_t end, size_t size)
{
	size_t bytes = (size + PAGE - 1) & ~(size_t)(PAGE - 1);
	for (int tries = 0; tries < 8; tries++) {
		uint64_t at = fc_maps_place(maps, start, end, bytes);
		if (!at)
			break;
		/* Before it is there: what is not known cannot be removed by another. */
		if (announce_pool(space, at, at + size))
			return 0;
		int64_t got = fc_remote_call(caller, SYS_mmap, at, bytes, PROT_READ | PROT_EXEC,
					     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE,
					     -1, 0);
		fc_maps_add(maps, at, at + bytes);
		if (got == (int64_t)at)
			return at;
		retract_pool(space);
		if (got != -EEXIST) {
			fc_fail(got < 0 ? (int)-got : EINVAL,
				"cannot map %zu bytes near it: %s", bytes,
				strerror(got < 0 ? (int)-got : EINVAL));
			return 0;
		}
	}
	fc_fail(ENOMEM, "no free place for %zu bytes of stubs within reach", size);
	return 0;
}

static void fill_stubs_opts(const struct fc_space *space, uint64_t bias, uint64_t pool,
			    struct fc_stubs_opts *ret)
{
	const struct fca_header *h = &space->header;
	*ret = (struct fc_stubs_opts){
		.bias = bias,
		.pool_taddr = pool,
		.doors = {
			[FCA_POOL_ENTRY] = space->agent + h->entry,
			[FCA_POOL_EXIT] = space->agent + h->exit,
			[FCA_POOL_ENTRY_ONLY] = space->agent + h->entry_only,
			[FCA_POOL_UNWIND] = space->agent + h->unwind,
			[FCA_POOL_DL] = space->agent + h->dl,
			[FCA_POOL_FILTER] = space->agent + h->filter,
			[FCA_POOL_GO] = space->agent + h->go,
		},
		.busy = space->busy.list.at,
		.nr_busy = space->busy.list.nr,
	};
}

static void load_span(const struct fc_elf *elf, uint64_t bias, uint64_t *start, uint64_t *end)
{
	const struct fc_segment *last = &elf->segments[elf->nr_segments - 1];
	*start = (elf->segments[0].vaddr + bias) & ~(uint64_t)(PAGE - 1);
	*end = last->vaddr + last->memsz + bias;
}

/*
 * Threads that stand where jumps are about to be written go on in the stubs' copies of these
 * instructions, which are there already.
 */
static int move_threads(struct fc_space *space, const struct fc_stubs *stubs)
{
	int ret = 0;
	if (!space->standing)
		return 0;
	fc_vec_each (&space->standing->threads, stand) {
		uint64_t to = fc_stubs_moved_to(stubs, stand->rip);
		if (!to || ret)
			continue;
		if (stand->tid == space->borrow->tid)
			ret = fc_borrow_move(space->borrow, to);
		else if (ptrace(PTRACE_POKEUSER, stand->tid, offsetof(struct user, regs.rip),
				to))
			ret = fc_fail(errno, "thread %d is gone", stand->tid);
	}
	return ret;
}

static char *left_out_text(const struct fc_module *module, size_t nr, const char *why)
{
	return fc_asprintf("%s: %zu function%s not hooked: %s", module->elf->path, nr,
			   nr == 1 ? " is" : "s are", why);
}

/* So few that only the trace tells of it. */
static void note_unplaced(struct fc_space *space, const struct fc_module *module, size_t nr)
{
	struct fc_tap *tap = space->shared->tap;
	fc_auto_free char *text =
		left_out_text(module, nr, "something is mapped where their jumps could lead");
	tap->life(tap, &(struct fc_life_info){
			       .life = FC_LIFE_SAY,
			       .pid = space->pid,
			       .tsc = fc_clock_tsc(),
			       .text = text,
		       });
}

static void say_left_out(struct fc_space *space, const struct fc_module *module, size_t nr,
			 const char *why)
{
	fc_auto_free char *text = left_out_text(module, nr, why);
	if (nr)
		fc_shared_say(space->shared, space->pid, text);
}

/* The program's heap grows behind it: nothing may be in its way. */
static int place_puns(struct fc_space *space, struct fc_caller *caller, struct fc_maps *maps,
		      const struct fc_module *module, uint64_t end, struct fc_stubs *stubs)
{
	uint64_t heap_room = module->stat.st_ino == space->of.exe_ino ? 1ull << 30 : 0;
	struct fc_hop_pages pages = { 0 };
	int ret =
		fc_puns_place(caller, space->mem_fd, maps, stubs, end, end + heap_room, &pages);
	if (ret > 0)
		note_unplaced(space, module, ret);
	fc_stubs_add_ledger(stubs, pages.list.at, pages.list.nr);
	fc_vec_free(&pages.list);
	return ret < 0 ? ret : 0;
}

static int hook_module(struct fc_space *space, struct fc_caller *caller, struct fc_maps *maps,
		       struct fc_module *module, struct known *known)
{
	uint64_t bias = known->bias;
	size_t size = fc_plan_pool_size(module->plan);
	if (!size)
		return 0;
	if (size > space->room)
		return fc_fail(ENOMEM,
			       "its stubs need %zu KiB, and the program's address space is "
			       "limited (ulimit -v)",
			       size / 1024);
	uint64_t start, end;
	load_span(module->elf, bias, &start, &end);
	uint64_t pool = map_pool(space, caller, maps, start, end, size);
	if (!pool)
		return -ENOMEM;

	known->module = module;
	known->pool = pool;
	if (space->room != UINT64_MAX)
		space->room -= size;
	struct fc_stubs_opts opts;
	fill_stubs_opts(space, bias, pool, &opts);
	struct fc_stubs stubs;
	fc_plan_build(module->plan, &opts, &stubs);
	int ret = fc_remote_write(space->mem_fd, pool, stubs.pool, stubs.pool_size);
	if (!ret)
		ret = write_pool(space, space->nr_pools - 1, pool, pool + stubs.code_size);
	if (!ret)
		ret = move_threads(space, &stubs);
	if (!ret)
		ret = place_puns(space, caller, maps, module, end, &stubs);
	if (!ret)
		ret = fc_remote_write(space->mem_fd, pool, stubs.pool, stubs.pool_size);
	if (!ret)
		ret = fc_patch_write(space->mem_fd, stubs.patches, stubs.nr_patches);
	if (!ret && module->elf->is_go && !module->is_told) {
		module->is_told = true;
		fc_auto_free char *text =
			fc_asprintf("%s: Go functions are entry only: Go moves its stacks",
				    module->elf->path);
		fc_shared_say(space->shared, space->pid, text);
	}
	if (!ret) {
		say_left_out(space, module, stubs.nr_far,
			     "their code does not reach from where the stubs are");
		say_left_out(space, module, stubs.nr_busy,
			     "a signal handler will come back to their first instructions");
	}
	fc_stubs_deinit(&stubs);
	return ret;
}

/* Of a program that is dying there is nothing to say: everything fails in it. */
static void not_hooked(struct fc_space *space, struct fc_caller *caller, const char *path,
		       const char *why)
{
	fc_auto_free char *text = fc_asprintf("%s: not traced: %s", path, why);
	if (fc_remote_call(caller, SYS_getpid, 0, 0, 0, 0, 0, 0) > 0)
		fc_shared_say(space->shared, space->pid, text);
}

/* r_debug.r_state tells the agent whether ld.so has finished loading (<link.h>). */
static void find_r_state(struct fc_space *space, const struct fc_elf *elf, uint64_t bias)
{
	enum { R_STATE = 24 }; /* after int version, link_map *, ElfW(Addr) r_brk */
	uint64_t vaddr;
	if (fc_elf_symbol(elf, "_r_debug", &vaddr) || !fc_scope_is_loader(elf->path))
		return;
	uint64_t taddr = vaddr + bias + R_STATE;
	fc_remote_write(space->mem_fd, CONFIG(space, r_state), &taddr, sizeof(taddr));
}

static bool is_hooked(const struct fc_space *space, uint64_t ino, uint64_t bias)
{
	fc_vec_each (&space->known, known)
		if (known->is_hooked && known->ino == ino && known->bias == bias)
			return true;
	return false;
}

static void add_module(struct fc_space *space, struct fc_caller *caller, struct fc_maps *maps,
		       const struct fc_map *map)
{
	struct known *known = &space->known.at[space->known.nr - 1];
	enum fc_scope scope = fc_scope_find(&space->of, map);
	if (scope == FC_SCOPE_CONTROL && !fc_scope_has_control(&space->of, map))
		return;
	fc_auto_free char *path = fc_map_open_path(space->pid, map);
	struct fc_module *module =
		fc_modules_get(&space->shared->modules, path, map->path, scope);
	if (module->damage) {
		not_hooked(space, caller, map->path, module->damage);
		return;
	}
	uint64_t bias;
	if (!fc_map_bias(module->elf, map, &bias) || is_hooked(space, map->ino, bias))
		return;
	known->bias = bias;
	known->is_hooked = true;
	if (module->conflict) {
		not_hooked(space, caller, map->path, module->conflict);
		return;
	}
	space->shared->tap->map(space->shared->tap,
				&(struct fc_map_info){ .module_id = module->id,
						       .pid = space->pid,
						       .taddr = bias,
						       .tsc = fc_clock_tsc() });
	find_r_state(space, module->elf, bias);
	if (hook_module(space, caller, maps, module, known))
		not_hooked(space, caller, map->path, fc_fail_text());
}

static bool is_known(const struct fc_space *space, const struct fc_map *map)
{
	fc_vec_each (&space->known, known)
		if (known->start == map->start && known->ino == map->ino)
			return true;
	return false;
}

/* Forget what is no longer mapped: something else may come to its place. */
static void forget_gone(struct fc_space *space, const struct fc_maps *maps)
{
	size_t kept = 0;
	fc_vec_each (&space->known, known) {
		bool is_there = false;
		for (size_t i = 0; i < maps->nr && !is_there; i++)
			is_there = maps->at[i].start == known->start &&
				   maps->at[i].ino == known->ino;
		if (is_there)
			space->known.at[kept++] = *known;
	}
	space->known.nr = kept;
}

static void hook_new(struct fc_space *space, struct fc_caller *caller)
{
	struct fc_maps maps;
	if (fc_maps_read(space->pid, &maps)) {
		fc_maps_deinit(&maps);
		return;
	}
	forget_gone(space, &maps);
	/* Copies: adding pools moves the rows. */
	FC_VEC(struct fc_map) new = { 0 };
	fc_vec_each (&maps, map)
		if (map->is_exec && map->ino && map->path[0] == '/' && !is_known(space, map))
			fc_vec_push(&new, *map);
	fc_vec_each (&new, map) {
		fc_vec_push(&space->known,
			    (struct known){ .start = map->start, .ino = map->ino });
		add_module(space, caller, &maps, map);
	}
	fc_vec_free(&new);
	fc_maps_deinit(&maps);
}

/* ---- the agent ---- */

static int check_call(int64_t got, const char *what)
{
	return got < 0 ? fc_fail((int)-got, "%s fails in the program: %s", what,
				 strerror((int)-got))
		       : 0;
}

static int load_agent(struct fc_space *space, struct fc_caller *caller)
{
	const struct fca_header *h = &space->header;
	int64_t at = fc_remote_call(caller, SYS_mmap, 0, h->size, PROT_READ | PROT_EXEC,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int ret = check_call(at, "mmap");
	if (ret)
		return ret;
	space->agent = at;
	ret = check_call(fc_remote_call(caller, SYS_mprotect, at + h->config,
					h->size - h->config, PROT_READ | PROT_WRITE, 0, 0, 0),
			 "mprotect");
	return ret ? ret : fc_remote_write(space->mem_fd, at, agent_image, sizeof(agent_image));
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
	struct fc_maps maps;
	uint64_t used = 0;
	if (!fc_maps_read(pid, &maps))
		fc_vec_each (&maps, map)
			used += map->end - map->start;
	fc_maps_deinit(&maps);
	return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

/*
 * A limited address space (ulimit -v) is the program's: of what is left to it tracing takes a
 * sixteenth for rings, as much for stubs, and little for each stack.
 */
static int measure(struct fc_space *space)
{
	enum { SHARE = 16, STRANDS = 256, MIB = 1 << 20, LEAST = 128 };
	uint64_t room = address_room(space->pid);
	uint64_t ring = (uint64_t)fc_ring_words() * 8;
	space->nr_rings = FCA_MAX_RINGS;
	space->shadow_size = FCA_SHADOW_SIZE;
	space->room = room;
	if (room == UINT64_MAX)
		return 0;
	if (room < (uint64_t)LEAST * MIB)
		return fc_fail(ENOMEM,
			       "its limit of address space (ulimit -v) leaves it %llu MiB; "
			       "tracing asks for %d",
			       (unsigned long long)room / MIB, LEAST);
	space->room = room / SHARE;
	if (space->nr_rings > room / SHARE / ring)
		space->nr_rings = room / SHARE / ring;
	while (space->shadow_size > FCA_SHADOW_BEGIN && space->shadow_size > room / STRANDS)
		space->shadow_size /= 2;
	return 0;
}

static uint64_t strand_bytes(const struct fc_space *space)
{
	return FCA_STRAND_BYTES(space->shadow_size);
}

static size_t arena_bytes(const struct fc_space *space)
{
	return FCA_ARENA_HEAD + space->nr_rings * fc_ring_words() * 8;
}

/* The target makes the memfd, so that its mount and pid namespaces do not matter. */
static int share_arena(struct fc_space *space, struct fc_caller *caller, uint64_t *taddr)
{
	static const char name[] = "fctrace";
	uint64_t scratch = space->agent + space->header.config;
	int ret = fc_remote_write(space->mem_fd, scratch, name, sizeof(name));
	if (ret)
		return ret;
	int64_t fd = fc_remote_call(caller, SYS_memfd_create, scratch, MFD_CLOEXEC, 0, 0, 0, 0);
	ret = check_call(fd, "memfd_create");
	if (ret)
		return ret;
	fc_auto_free char *link = fc_asprintf("/proc/%d/fd/%d", space->pid, (int)fd);
	fc_auto_close int own = open(link, O_RDWR | O_CLOEXEC);
	const struct fc_shared *shared = space->shared;
	ret = own < 0 ? fc_fail(errno, "cannot open %s: %s", link, strerror(errno))
		      : fc_drain_add(shared->drain, own, shared->opts->loss == FC_LOSS_DROP,
				     shared->opts->no_follow ? own_pid(space) : 0,
				     &space->arena);
	if (!ret) {
		space->arena->at->agent = space->agent;
		int64_t at = fc_remote_call(caller, SYS_mmap, 0, arena_bytes(space), PROT_NONE,
					    MAP_SHARED | MAP_NORESERVE, fd, 0);
		ret = check_call(at, "mmap of shared memory");
		*taddr = ret ? 0 : at;
	}
	if (!ret)
		ret = check_call(
			fc_remote_call(caller, SYS_mprotect, *taddr,
				       space->is_filtered ? arena_bytes(space) : FCA_ARENA_HEAD,
				       PROT_READ | PROT_WRITE, 0, 0, 0),
			"mprotect");
	if (!ret)
		fc_remote_call(caller, SYS_madvise, *taddr, arena_bytes(space), MADV_DONTDUMP,
			       0, 0, 0);
	fc_remote_call(caller, SYS_close, fd, 0, 0, 0, 0, 0);
	return ret;
}

/* The kernel keeps at least 128 MiB below the main stack free of other mappings. */
static void find_stack(const struct fc_space *space, struct fca_config *config)
{
	static const uint64_t reserved = 128 << 20;
	struct fc_maps maps;
	int ret = fc_maps_read(space->pid, &maps);
	fc_vec_each (&maps, map)
		if (!ret && !strcmp(map->path, "[stack]")) {
			config->stack_high = map->end;
			config->stack_low = map->end - reserved;
		}
	fc_maps_deinit(&maps);
}

/* Fill in the agent's configuration, and the strand that %gs points to before the first hook. */
static int configure(struct fc_space *space, uint64_t arena_taddr)
{
	const struct fc_stub_layout *layout = fc_arch_x86_64.layout;
	struct fca_config *config = fc_alloc(sizeof(*config));
	config->arena = arena_taddr;
	config->ring_words = fc_ring_words();
	config->nr_rings = space->nr_rings;
	config->shadow_size = space->shadow_size;
	enum { FSGSBASE = 2 }; /* of AT_HWCAP2: <asm/hwcap2.h> */
	config->has_fsgsbase = (getauxval(AT_HWCAP2) & FSGSBASE) != 0;
	config->pid = space->pid;
	config->is_quiet = space->is_filtered;
	for (int i = 0; i < FCA_NR_SPARES && space->spares; i++)
		config->spares[i] = space->spares + i * strand_bytes(space);
	find_stack(space, config);
	config->exit_off = layout->exit_off;
	config->again_off = layout->again_off;
	config->body_off = layout->body_off;
	config->other_body_off = layout->other_body_off;
	config->id_off = layout->id_off;
	config->other_id_off = layout->other_id_off;
	int ret = fc_remote_write(space->mem_fd, CONFIG(space, arena), config, sizeof(*config));
	free(config);

	enum { FLOOR = -0x800 }; /* in the root strand's first page, otherwise unused */
	uint64_t root = space->agent + space->header.root;
	uint64_t hot[2] = { root + FLOOR, root };
	struct fca_shadow floor = { 0, ~0ull };
	if (!ret)
		ret = fc_remote_write(space->mem_fd, root + FCA_STRAND_SHADOW, hot,
				      sizeof(hot));
	if (!ret)
		ret = fc_remote_write(space->mem_fd, root + FLOOR, &floor, sizeof(floor));
	return ret;
}

/* ---- seccomp ---- */

static bool has_filter(int tid)
{
	struct fc_status status;
	return fc_status_read(tid, &status) && status.seccomp;
}

/* Each thread may have a filter of its own. */
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
	for (int64_t hot = at + PAGE; hot < at + size; hot += strand_bytes(space))
		fc_remote_call(caller, SYS_madvise, hot, PAGE, MADV_WIPEONFORK, 0, 0, 0);
	space->spares = at;
	return 0;
}

/* The same for the threads beside the borrowed one. */
static int set_gs_of_others(struct fc_space *space, const struct fc_borrow *borrow)
{
	if (!space->standing)
		return 0;
	fc_vec_each (&space->standing->threads, stand)
		if (stand->tid != borrow->tid &&
		    ptrace(PTRACE_POKEUSER, stand->tid, offsetof(struct user, regs.gs_base),
			   fc_space_root(space)))
			return fc_fail(errno, "thread %d is gone", stand->tid);
	return 0;
}

/* From here on patches may be written: a stub that runs finds its strand. */
static int set_gs(struct fc_space *space, struct fc_borrow *borrow)
{
	enum { ARCH_SET_GS = 0x1001 };
	uint64_t root = space->agent + space->header.root;
	int64_t got =
		fc_remote_call(&borrow->caller, SYS_arch_prctl, ARCH_SET_GS, root, 0, 0, 0, 0);
	borrow->regs.gs_base = root;
	return check_call(got, "arch_prctl");
}

/* Nothing is hooked yet: leave no trace in a program that ran before. */
static void undo_inject(struct fc_space *space, struct fc_borrow *borrow)
{
	fc_vec_each (&space->standing->threads, stand)
		if (stand->tid != borrow->tid)
			ptrace(PTRACE_POKEUSER, stand->tid, offsetof(struct user, regs.gs_base),
			       0);
	borrow->regs.gs_base = 0;
	if (space->arena_taddr)
		fc_remote_call(&borrow->caller, SYS_munmap, space->arena_taddr,
			       arena_bytes(space), 0, 0, 0, 0);
	if (space->agent)
		fc_remote_call(&borrow->caller, SYS_munmap, space->agent,
			       (space->header.size + PAGE - 1) & ~(PAGE - 1), 0, 0, 0, 0);
}

static int inject(struct fc_space *space, int tid, int *death)
{
	uint64_t cave;
	int ret = measure(space);
	if (!ret)
		ret = fc_cave_find(space->pid, space->mem_fd, &cave);
	if (ret)
		return ret;
	space->is_filtered = is_filtered(space, tid);
	struct fc_borrow borrow;
	ret = fc_borrow_begin(&borrow, tid, space->shared->ptrace_options, space->mem_fd, cave);
	if (!ret)
		ret = load_agent(space, &borrow.caller);
	if (!ret)
		ret = share_arena(space, &borrow.caller, &space->arena_taddr);
	if (!ret && space->is_filtered)
		ret = map_spares(space, &borrow.caller);
	if (!ret)
		ret = configure(space, space->arena_taddr);
	if (!ret)
		ret = set_gs(space, &borrow);
	if (!ret)
		ret = set_gs_of_others(space, &borrow);
	space->borrow = &borrow;
	if (!ret)
		hook_new(space, &borrow.caller);
	space->borrow = NULL;
	if (ret && space->standing && borrow.is_borrowed)
		undo_inject(space, &borrow);
	int end = fc_borrow_end(&borrow);
	if (borrow.has_died)
		*death = borrow.death;
	return ret ? ret : end;
}

static int check_program(struct fc_space *space, const char *exe)
{
	fc_auto_free char *shown = realpath(exe, NULL);
	struct fc_module *module = fc_modules_get(
		&space->shared->modules, exe, shown ? shown : exe,
		fc_scope_find(&space->of, &(struct fc_map){ .ino = space->of.exe_ino,
							    .path = shown ? shown : "" }));
	if (module->damage)
		return fc_fail(ENOTSUP, "%s", module->damage);
	if (module->conflict)
		return fc_fail(ENOTSUP, "%s: %s", shown ? shown : exe, module->conflict);
	return 0;
}

static int space_open(struct fc_shared *shared, int pid, struct fc_space **ret)
{
	struct fc_space *space = fc_alloc(sizeof(*space));
	space->shared = shared;
	space->refs = 1;
	space->pid = pid;
	space->of.opts = shared->opts;
	memcpy(&space->header, agent_image, sizeof(space->header));
	char exe[64];
	snprintf(exe, sizeof(exe), "/proc/%d/exe", pid);
	struct stat st;
	space->of.exe_ino = stat(exe, &st) ? 0 : st.st_ino;
	space->mem_fd = -1;

	int err = check_program(space, exe);
	if (!err)
		err = space->mem_fd = fc_remote_open(pid);
	if (err < 0) {
		fc_space_put(space);
		return err;
	}
	*ret = space;
	return 0;
}

int fc_space_create(struct fc_shared *shared, int tid, int *death, struct fc_space **ret)
{
	struct fc_space *space;
	int err = space_open(shared, tid, &space);
	if (err)
		return err;
	err = inject(space, tid, death);
	if (err)
		fc_space_put(space);
	else
		*ret = space;
	return err;
}

int fc_space_prepare(struct fc_shared *shared, int pid, struct fc_space **ret)
{
	int err = space_open(shared, pid, ret);
	if (err)
		return err;
	struct fc_maps maps;
	err = fc_maps_read(pid, &maps);
	fc_vec_each (&maps, map) {
		enum fc_scope scope = fc_scope_find(&(*ret)->of, map);
		if (!map->is_exec || !map->ino || map->path[0] != '/' ||
		    (scope == FC_SCOPE_CONTROL && !fc_scope_has_control(&(*ret)->of, map)))
			continue;
		fc_auto_free char *path = fc_map_open_path(pid, map);
		fc_modules_get(&shared->modules, path, map->path, scope);
	}
	fc_maps_deinit(&maps);
	if (err)
		fc_space_put(fc_take(*ret));
	return err;
}

/* Something that was there before fctrace, or that is left of it. */
static int check_gs(const struct fc_standing *standing)
{
	fc_vec_each (&standing->threads, stand) {
		errno = 0;
		long gs = ptrace(PTRACE_PEEKUSER, stand->tid,
				 offsetof(struct user, regs.gs_base), 0);
		if (errno)
			return fc_fail(ESRCH, "thread %d is gone", stand->tid);
		if (gs)
			return fc_fail(ENOTSUP,
				       "its thread %d uses %%gs, which fctrace needs; such "
				       "programs cannot be traced",
				       stand->tid);
	}
	return 0;
}

int fc_space_attach(struct fc_space *space, const struct fc_standing *standing, int *death)
{
	struct fc_maps maps;
	int ret = check_gs(standing);
	if (!ret)
		ret = fc_maps_read(space->pid, &maps);
	if (ret)
		return ret;
	fc_standing_addresses(standing, space->mem_fd, &maps, &space->busy);
	fc_maps_deinit(&maps);
	space->standing = standing;
	ret = inject(space, standing->threads.at[0].tid, death);
	space->standing = NULL;
	fc_vec_free(&space->busy.list);
	space->of.is_started = true;
	return ret;
}

struct fc_space *fc_space_share(struct fc_space *space)
{
	space->refs++;
	return space;
}

static bool has_agent(const struct fc_space *space, int mem_fd)
{
	struct fca_header header;
	uint64_t arena;
	return !fc_remote_read(mem_fd, space->agent, &header, sizeof(header)) &&
	       !memcmp(&header, &space->header, sizeof(header)) &&
	       !fc_remote_read(mem_fd, CONFIG(space, arena), &arena, sizeof(arena)) &&
	       arena == space->arena_taddr;
}

struct fc_space *fc_space_fork(struct fc_space *space, int pid)
{
	int mem_fd = fc_remote_open(pid);
	if (mem_fd >= 0 && !has_agent(space, mem_fd)) {
		close(mem_fd);
		return NULL;
	}
	struct fc_space *copy = fc_alloc(sizeof(*copy));
	*copy = *space;
	copy->refs = 1;
	copy->pid = pid;
	copy->mem_fd = mem_fd;
	copy->arena->refs++;
	copy->known.at = NULL;
	copy->known.nr = copy->known.room = 0;
	fc_vec_each (&space->known, known)
		fc_vec_push(&copy->known, *known);
	return copy;
}

/* Its agent could not tell of what was loaded: there is a seccomp filter. */
static void say_unseen(struct fc_space *space)
{
	uint32_t nr = space->arena ? __atomic_exchange_n(&space->arena->at->nr_unseen, 0,
							 __ATOMIC_RELAXED)
				   : 0;
	if (!nr)
		return;
	fc_auto_free char *text = fc_asprintf(
		"process %d loaded objects under its seccomp filter (%u times): these are not "
		"traced",
		space->pid, nr);
	fc_shared_say(space->shared, space->pid, text);
}

void fc_space_put(struct fc_space *space)
{
	if (!space || --space->refs)
		return;
	say_unseen(space);
	if (space->mem_fd >= 0)
		close(space->mem_fd);
	fc_drain_release(space->arena);
	fc_vec_free(&space->known);
	free(space);
}

int fc_space_pid(const struct fc_space *space)
{
	return space->pid;
}

struct fc_arena *fc_space_arena(struct fc_space *space)
{
	return space->arena;
}

uint64_t fc_space_moved_from(void *ctx, uint64_t rip)
{
	const struct fc_space *space = ctx;
	uint64_t from = 0;
	if (!space)
		return 0;
	fc_vec_each (&space->known, known) {
		if (from || !known->pool || rip < known->pool ||
		    rip - known->pool >= fc_plan_pool_size(known->module->plan))
			continue;
		struct fc_stubs_opts opts;
		struct fc_stubs stubs;
		fill_stubs_opts(space, known->bias, known->pool, &opts);
		fc_plan_build(known->module->plan, &opts, &stubs);
		from = fc_stubs_moved_from(&stubs, rip);
		fc_stubs_deinit(&stubs);
	}
	return from;
}

uint64_t fc_space_root(const struct fc_space *space)
{
	return space->agent + space->header.root;
}

/* ---- letters ---- */

struct mail_caller {
	struct fc_caller caller;
	struct fca_mail *mail;
	struct fc_space *space;
	bool is_gone;
};

static void set_mail(struct fca_mail *mail, uint32_t state)
{
	__atomic_store_n(&mail->state, state, __ATOMIC_RELEASE);
	syscall(SYS_futex, &mail->state, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/*
 * The thread may be in a stop that only this thread can end, like any that it waits for: what
 * happens to the targets is handled while it is waited for.
 */
static int64_t mail_call(struct fc_caller *caller, uint64_t nr, const uint64_t arg[6])
{
	struct mail_caller *self = (struct mail_caller *)caller;
	struct fca_mail *mail = self->mail;
	const struct fc_shared *shared = self->space->shared;
	if (self->is_gone)
		return -ESRCH;
	mail->nr = nr;
	memcpy(mail->arg, arg, sizeof(mail->arg));
	set_mail(mail, FCA_MAIL_COMMAND);
	while (__atomic_load_n(&mail->state, __ATOMIC_ACQUIRE) == FCA_MAIL_COMMAND) {
		struct timespec patience = { .tv_nsec = 1000 * 1000 };
		syscall(SYS_futex, &mail->state, FUTEX_WAIT, FCA_MAIL_COMMAND, &patience, NULL,
			0);
		if (!shared->follow(shared->follow_ctx, mail->tid, self->space)) {
			self->is_gone = true;
			return -ESRCH;
		}
	}
	return mail->state == FCA_MAIL_RESULT ? mail->result : -EINTR;
}

void fc_space_update(struct fc_space *space, struct fca_mail *mail)
{
	uint32_t state = FCA_MAIL_ASK;
	if (!__atomic_compare_exchange_n(&mail->state, &state, FCA_MAIL_WORKING, false,
					 __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		return; /* the agent did not want to wait any longer */
	struct mail_caller caller = {
		.caller.call = mail_call,
		.mail = mail,
		.space = fc_space_share(space),
	};
	hook_new(space, &caller.caller);
	space->of.is_started = true;
	set_mail(mail, caller.is_gone ? FCA_MAIL_FREE : FCA_MAIL_DONE);
	fc_space_put(space);
}
