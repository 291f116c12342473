/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/hook/salvage.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/bisect.h"
#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/sort.h"
#include "capture/drain/flight.h"
#include "capture/drain/ring.h"
#include "capture/hook/ledger.h"
#include "capture/hook/remnant.h"
#include "capture/opts.h"
#include "capture/target/exe.h"
#include "capture/target/maps.h"
#include "capture/target/remote.h"
#include "capture/target/status.h"
#include "trace/record.h"

/* A file with a stub pool. */
struct module {
	uint64_t bias;
	struct fc_elf *elf; /* NULL: it cannot be read any more */
	char *path;
	FC_VEC(struct fc_func_info) funcs; /* those with stubs that record, by vaddr */
};

struct fc_salvage {
	int pid, mem_fd;
	struct fc_remnant remnant;
	struct fca_config config;
	struct fc_maps maps;
	FC_VEC(struct module) modules;
	FC_VEC(int) pids;  /* of the strands */
	size_t nr_entries; /* of ledgers, that were read */
	struct fc_flight *flight;
};

/* ---- the rings ---- */

struct ring_at {
	const struct fc_salvage *salvage;
	uint64_t taddr;
};

static bool read_words(void *ctx, uint64_t at, uint64_t *ret, size_t nr)
{
	const struct ring_at *ring = ctx;
	return !fc_remote_read(ring->salvage->mem_fd, ring->taddr + at * sizeof(*ret), ret,
			       nr * sizeof(*ret));
}

static void note_pid(struct fc_salvage *s, int pid)
{
	fc_vec_each (&s->pids, known)
		if (*known == pid)
			return;
	fc_vec_push(&s->pids, pid);
}

static void look_at_ring(struct fc_salvage *s, const struct fca_ring *ring, uint32_t i)
{
	uint64_t off = fca_ring_at(i, s->config.ring_words, s->config.nr_counters);
	struct ring_at at = { .salvage = s, .taddr = s->remnant.arena + off };
	struct fc_flight_ring flight_ring = {
		.strand = { .id = i + 1,
			    .pid = ring->pid,
			    .tid = ring->told_tid,
			    .kind = fc_ring_kind(ring) },
		.ring_words = s->config.ring_words,
		.read = read_words,
		.ctx = &at,
		.lost = ring->lost - ring->lost_told,
	};
	if (ring->state != FCA_RING_USED)
		return;
	note_pid(s, ring->pid);
	fc_flight_look(s->flight, &flight_ring);
}

static int read_rings(struct fc_salvage *s)
{
	fc_auto_free struct fca_arena *arena = fc_alloc(sizeof(*arena));
	int err = fc_remote_read(s->mem_fd, s->remnant.arena, arena, sizeof(*arena));
	if (err)
		return err;
	if (!arena->is_ring)
		return fc_fail(EINVAL,
			       "process %d: its records are not kept; that is done by fctrace "
			       "record --loss=ring",
			       s->pid);
	uint64_t words = s->config.ring_words;
	if (words < FC_RING_LEAST / 8 || words > FC_RING_MOST / 8 || words & (words - 1) ||
	    s->config.nr_rings > FCA_MAX_RINGS || s->config.nr_counters > FCA_EDGES_WORDS)
		return fc_fail(EBADMSG, "process %d: what fctrace has left in it is damaged",
			       s->pid);
	for (uint32_t i = 0; i < arena->nr_rings && i < s->config.nr_rings; i++)
		look_at_ring(s, &arena->rings[i], i);
	fc_flight_lost(s->flight, arena->no_ring);
	return 0;
}

/* ---- what the functions' ids stand for ---- */

/* The function of the file that has this address; NULL: none is known. */
static const struct fc_func *func_at(const struct fc_elf *elf, uint64_t vaddr)
{
	size_t lo = fc_bisect(elf->funcs, elf ? elf->nr_funcs : 0, func, func->vaddr <= vaddr);
	const struct fc_func *func = lo ? &elf->funcs[lo - 1] : NULL;
	bool is_in = func && (!func->size || vaddr - func->vaddr < func->size);
	return is_in ? func : NULL;
}

static uint32_t read_id(const struct fc_salvage *s, uint64_t stub, uint8_t kind)
{
	uint32_t id = 0;
	bool is_call = kind == FC_STUB_CALL;
	uint32_t off = s->config.place[is_call ? FCA_PLACE_ID : FCA_PLACE_OTHER_ID];
	fc_remote_read(s->mem_fd, stub + off, &id, sizeof(id));
	return id >> FC_RECORD_KIND_BITS;
}

static void add_func(struct fc_salvage *s, struct module *module, const struct fca_pool *pool,
		     const struct fca_patch *patch)
{
	bool is_hooked = patch->kind == FC_STUB_CALL;
	uint64_t vaddr = patch->taddr - module->bias;
	const struct fc_func *func = func_at(module->elf, vaddr);
	uint32_t id = read_id(s, pool->lo + patch->stub, patch->kind);
	if (!id || id > FC_FUNC_MAX)
		return; /* nobody asked for its calls */
	fc_vec_push(&module->funcs,
		    (struct fc_func_info){
			    .name = func ? func->name : NULL,
			    .vaddr = func ? func->vaddr : vaddr,
			    .size = func ? func->size : 0,
			    .id = id,
			    .how = is_hooked ? FC_HOW_HOOKED : FC_HOW_ENTRY_ONLY,
			    .why = is_hooked ? "" : "why is not known to a dump",
		    });
}

static void begin_module(struct fc_salvage *s, struct module *module, uint64_t taddr)
{
	const struct fc_map *map = fc_maps_at(&s->maps, taddr);
	module->path = fc_strdup(map && map->path[0] ? map->path : "?");
	module->bias = map ? map->start - map->off : 0;
	if (!map || map->path[0] != '/')
		return;
	fc_auto_free char *open_path = fc_map_open_path(s->pid, map);
	if (fc_elf_open(open_path, map->path, &module->elf)) {
		module->elf = NULL;
		return;
	}
	/* Pages of it may have been mapped apart since: any part will do. */
	for (size_t i = 0; i < s->maps.nr; i++)
		if (s->maps.at[i].ino == map->ino && s->maps.at[i].is_exec &&
		    s->maps.at[i].start <= taddr &&
		    fc_map_bias(module->elf, &s->maps.at[i], &module->bias))
			return;
}

static void read_pool(struct fc_salvage *s, const struct fca_pool *pool)
{
	enum { MOST_ENTRIES = 1 << 23 };
	fc_auto_ledger struct fc_ledger ledger = { 0 };
	struct module module = { 0 };
	if (s->nr_entries > MOST_ENTRIES || !fc_ledger_read(s->mem_fd, pool->lo, &ledger))
		return;
	s->nr_entries += ledger.nr;
	for (size_t i = 0; i < ledger.nr; i++) {
		const struct fca_patch *patch = &ledger.patches[i];
		/* Those of hops have no window, and pages no size. */
		if (!patch->window || !patch->size || patch->kind == FC_STUB_DL)
			continue;
		if (!module.path)
			begin_module(s, &module, patch->taddr);
		add_func(s, &module, pool, patch);
	}
	fc_sort_by(module.funcs.at, module.funcs.nr, vaddr);
	if (module.path)
		fc_vec_push(&s->modules, module);
}

/* ---- its life ---- */

static int read_all(struct fc_salvage *s)
{
	struct fc_status status;
	if (!fc_status_read(s->pid, &status))
		return fc_fail(ESRCH, "there is no process %d", s->pid);
	s->mem_fd = fc_remote_open(s->pid);
	if (s->mem_fd < 0)
		return s->mem_fd;
	int err = fc_remnant_find(s->pid, s->mem_fd, &s->remnant);
	if (err == -EBADMSG)
		return fc_fail_while(err, "process %d", s->pid);
	if (err || !s->remnant.agent || !s->remnant.arena)
		return fc_fail(ENOENT, "process %d: there is nothing of fctrace in it", s->pid);
	err = fc_remote_read(s->mem_fd, s->remnant.agent + s->remnant.header.config, &s->config,
			     sizeof(s->config));
	if (!err)
		err = fc_maps_read(s->pid, &s->maps);
	if (!err)
		err = read_rings(s);
	if (!err)
		fc_vec_each (&s->remnant.pools, pool)
			read_pool(s, pool);
	return err;
}

int fc_salvage_open(int pid, struct fc_salvage **ret)
{
	struct fc_salvage *s = fc_alloc(sizeof(*s));
	s->pid = pid;
	s->mem_fd = -1;
	s->flight = fc_flight_create();
	int err = read_all(s);
	if (err)
		fc_salvage_close(s);
	else
		*ret = s;
	return err;
}

void fc_salvage_close(struct fc_salvage *s)
{
	if (!s)
		return;
	fc_vec_each (&s->modules, module) {
		fc_elf_close(module->elf);
		free(module->path);
		fc_vec_free(&module->funcs);
	}
	fc_vec_free(&s->modules);
	fc_vec_free(&s->pids);
	fc_maps_deinit(&s->maps);
	fc_remnant_deinit(&s->remnant);
	fc_flight_destroy(s->flight);
	if (s->mem_fd >= 0)
		close(s->mem_fd);
	free(s);
}

/* Before the calls that were open at the first record: what runs was executed before them. */
uint64_t fc_salvage_first_tsc(const struct fc_salvage *salvage)
{
	enum { BEFORE = 1 << 16 }; /* ticks; more than one of the trace's quanta */
	uint64_t first = fc_flight_first_tsc(salvage->flight);
	return first > BEFORE ? first - BEFORE : first;
}

/* ---- telling ---- */

static void tell_modules(const struct fc_salvage *s, struct fc_tap *tap, uint64_t tsc)
{
	uint32_t id = 0;
	fc_vec_each (&s->modules, module) {
		id++;
		tap->module(tap, &(struct fc_module_info){
					 .id = id,
					 .path = module->path,
					 .build_id = module->elf ? module->elf->build_id : "",
					 .funcs = module->funcs.at,
					 .nr_funcs = module->funcs.nr,
				 });
		tap->map(tap, &(struct fc_map_info){
				      .module_id = id,
				      .pid = s->pid,
				      .taddr = module->bias,
				      .tsc = tsc,
			      });
	}
}

static void tell_lives(const struct fc_salvage *s, struct fc_tap *tap, uint64_t tsc)
{
	fc_vec_each (&s->pids, pid) {
		char exe[FC_EXE_PATH];
		bool is_known = fc_exe_path(*pid, exe);
		struct fc_life_info life = {
			.life = FC_LIFE_START, .pid = *pid, .tid = *pid, .tsc = tsc, .text = ""
		};
		tap->life(tap, &life);
		life.life = FC_LIFE_EXEC;
		life.text = exe;
		if (is_known)
			tap->life(tap, &life);
	}
}

static void pour(void *ctx, struct fc_tap *to)
{
	fc_flight_pour(ctx, to);
}

int fc_salvage_dump(struct fc_salvage *salvage, const char *why, struct fc_tap *tap)
{
	uint64_t tsc = fc_salvage_first_tsc(salvage);
	tell_modules(salvage, tap, tsc);
	tell_lives(salvage, tap, tsc);
	return tap->dump(tap, why, false, pour, salvage->flight);
}
