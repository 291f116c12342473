/* SPDX-License-Identifier: Apache-2.0 */
/* The files that a process maps: stubs are made for them, and their functions hooked. */
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/vec.h"
#include "capture/hook/detours.h"
#include "capture/hook/fixed.h"
#include "capture/hook/ledger.h"
#include "capture/hook/patcher.h"
#include "capture/hook/perf_map.h"
#include "capture/hook/space_private.h"
#include "capture/module/fetched.h"
#include "capture/module/left_out.h"
#include "capture/module/recopied.h"
#include "capture/target/exe.h"
#include "capture/target/registers.h"
#include "capture/target/resident.h"
#include "trace/clock.h"

static void load_span(const struct fc_elf *elf, uint64_t bias, uint64_t *start, uint64_t *end)
{
	const struct fc_segment *last = &elf->segments[elf->nr_segments - 1];
	*start = fc_page_down(elf->segments[0].vaddr + bias);
	*end = last->vaddr + last->memsz + bias;
}

/*
 * What stubs must reach from where they are: the code, and the data that its instructions name. Of
 * more data than a jump reaches, instructions name the beginning: compilers take it for near, and
 * those that name what is too far for their stub are not hooked.
 */
static uint64_t reached_end(const struct fc_elf *elf, uint64_t bias, uint64_t start,
			    uint64_t end)
{
	if (end - start <= fc_arch_here->jumps->far_reach / 2)
		return end;
	for (size_t i = 0; i < elf->nr_segments; i++) {
		const struct fc_segment *seg = &elf->segments[i];
		if (seg->is_exec)
			end = seg->vaddr + seg->memsz + bias;
	}
	return end;
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
		uint64_t to = fc_stubs_moved_to(stubs, stand->ip);
		if (!to || ret)
			continue;
		if (stand->tid == space->borrow->tid)
			ret = fc_borrow_move(space->borrow, to);
		else if (fc_register_write(stand->tid, FC_REG_IP, to))
			ret = fc_fail(errno, "thread %d is gone", stand->tid);
	}
	return ret;
}

/* Functions whose jumps found no room. Too few for a warning: they are in the trace, for `fctrace info`. */
static void note_unplaced(struct fc_space *space, const struct fc_module *module,
			  const struct fc_stubs *stubs)
{
	fc_auto_vec FC_VEC(size_t) funcs = { 0 };
	for (size_t i = 0; i < stubs->nr_puns; i++)
		if (!stubs->puns[i].hop_taddr)
			fc_vec_push(&funcs, stubs->puns[i].func);
	const char *why =
		module->elf->type == ET_EXEC
			? "something is mapped where their jumps could lead"
			: "something is mapped where their jumps could lead; in another "
			  "run, at other addresses, it may not be";
	fc_auto_free char *text = fc_module_left_out(module, funcs.at, funcs.nr, why);
	fc_shared_note(space->shared, space->pid, text);
}

static void say_left_out(struct fc_space *space, const struct fc_module *module,
			 const size_t *funcs, size_t nr, const char *why)
{
	fc_auto_free char *text = fc_module_left_out(module, funcs, nr, why);
	if (nr)
		fc_space_say(space, "%s", text);
}

static void say_sentence(void *ctx, const char *sentence)
{
	struct fc_space *space = ctx;
	fc_space_say(space, "%s", sentence);
}

static void say_refused(struct fc_space *space, struct fc_module *module)
{
	if (!fc_plan_is_refused(module->plan) || module->is_told)
		return;
	module->is_told = true;
	fc_space_say(space,
		     "%s: its functions are not traced: ld.so writes to their code, which was "
		     "compiled without -fPIC or -fPIE",
		     module->elf->path);
}

static void say_entry_only(struct fc_space *space, struct fc_module *module)
{
	const char *why = fc_plan_entry_only(module->plan);
	if (!why || module->is_told)
		return;
	module->is_told = true;
	const char *what = module->elf->is_go		     ? ""
			   : fc_plan_has_exits(module->plan) ? "some functions are entry only: "
							     : "functions are entry only: ";
	fc_space_say(space, "%s: %s%s", module->elf->path, what, why);
	const struct fc_turns *turns = &space->shared->opts->turns;
	if (module->elf->is_go && (turns->on || turns->off_at))
		fc_space_say(space,
			     "%s: --on and --off-at go by the system's threads, each of which "
			     "runs many goroutines: calls of others are recorded with one's, "
			     "and of one that goes on in another thread none",
			     module->elf->path);
}

/* Behind the program nothing may be placed: brk() grows the heap into that area. */
static int place_puns(struct fc_space *space, struct fc_caller *caller, struct fc_maps *maps,
		      const struct fc_module *module, uint64_t end, struct fc_stubs *stubs)
{
	uint64_t heap_room = module->stat.st_ino == space->of.exe_ino ? 1ull << 30 : 0;
	struct fc_hop_pages pages = { 0 };
	int ret = fc_puns_place(caller, space->mem_fd, FC_CONFIG(space, hops), maps, stubs, end,
				end + heap_room, &pages);
	if (ret > 0)
		note_unplaced(space, module, stubs);
	fc_stubs_add_ledger(stubs, pages.list.at, pages.list.nr);
	fc_vec_free(&pages.list);
	return ret < 0 ? ret : 0;
}

/* The first that is there in any case, and the pages that they are on. */
static void note_patches(const struct fc_space *space, struct fc_known *known,
			 const struct fc_patch *patches, size_t nr)
{
	known->probe.size = 0;
	for (size_t i = 0; i < nr; i++) {
		if (patches[i].is_data)
			continue;
		uint64_t start = fc_page_down(patches[i].taddr);
		uint64_t end = fc_page_up(patches[i].taddr + patches[i].size);
		if (patches[i].order == FC_PATCH_JUMP && !known->probe.size)
			known->probe = patches[i];
		if (!known->code_end || start < known->code_start)
			known->code_start = start;
		if (end > known->code_end)
			known->code_end = end;
	}
	known->nr_own = fc_resident_own(space->pid, known->code_start, known->code_end);
}

bool fc_known_has_lost(const struct fc_space *space, struct fc_known *known)
{
	uint64_t before = known->nr_own;
	if (!known->is_written || !known->pool)
		return false;
	known->nr_own = fc_resident_own(space->pid, known->code_start, known->code_end);
	return known->nr_own < before && before != UINT64_MAX;
}

/* All patches, or those of functions that are not unhooked at the moment. */
static int write_patches(struct fc_space *space, const struct fc_module *module, uint64_t bias,
			 const struct fc_stubs *stubs)
{
	const struct fc_modules *modules = &space->shared->modules;
	size_t nr = stubs->nr_patches, nr_on = 0;
	if (!modules->nr_unhooked)
		return fc_patch_write(space->mem_fd, stubs->patches, nr);
	fc_auto_free struct fc_patch *patches = fc_alloc((nr + 1) * sizeof(*patches));
	fc_auto_free bool *on = fc_alloc(nr + 1);
	fc_modules_choose(modules, module, bias, stubs->ledger, nr, on);
	for (size_t i = 0; i < nr; i++)
		if (on[i])
			patches[nr_on++] = stubs->patches[i];
	return fc_patch_write(space->mem_fd, patches, nr_on);
}

/* Code that a process which is attached to has made writable already. */
static void bar_writable(struct fc_space *space, const struct fc_module *module, uint64_t bias,
			 const struct fc_maps *maps)
{
	size_t nr;
	struct fc_modules *modules = &space->shared->modules;
	const struct fc_func_info *funcs = fc_plan_funcs(module->plan, &nr);
	fc_vec_each (maps, map) {
		if (!map->is_exec || !map->is_write || map->ino != module->stat.st_ino)
			continue;
		for (size_t i = 0; i < nr; i++) {
			if (!funcs[i].id ||
			    funcs[i].vaddr + bias - map->start >= map->end - map->start)
				continue;
			if (!fc_modules_is_unhooked(modules, funcs[i].id))
				fc_modules_set_unhooked(modules, funcs[i].id, true);
			fc_modules_bar(modules, funcs[i].id);
		}
	}
}

/* What is in the way of some is there for a moment only: they run unhooked until then. */
static void put_off_late(struct fc_space *space, const struct fc_module *module,
			 const struct fc_stubs *stubs)
{
	size_t nr;
	struct fc_late *late = &space->shared->late;
	const struct fc_func_info *funcs = fc_plan_funcs(module->plan, &nr);
	for (size_t i = 0; i < stubs->nr_late; i++) {
		uint32_t id = funcs[stubs->late[i]].id;
		if (fc_modules_is_unhooked(&space->shared->modules, id))
			continue;
		fc_modules_set_unhooked(&space->shared->modules, id, true);
		if (!late->funcs.nr) {
			late->pause_ns = FC_LATE_PAUSE_NS;
			late->next_ns = fc_clock_mono_ns() + FC_LATE_PAUSE_NS;
		}
		fc_vec_push(&late->funcs, id);
	}
}

/*
 * Nothing of the process is hooked yet, so hooking can be given up: with some of its files hooked
 * and others not, an unwinder could be among those that are not.
 */
static bool can_give_up(const struct fc_space *space)
{
	fc_vec_each (&space->known, known)
		if (known->is_written)
			return false;
	return true;
}

/* Where the pool is written to as its stubs are made. */
struct sink {
	int mem_fd;
	uint64_t pool;
	struct fc_progress *progress; /* NULL: it is to be written whatever happens */
};

static int write_part(void *ctx, size_t off, const uint8_t *bytes, size_t size)
{
	const struct sink *sink = ctx;
	if (sink->progress && fc_progress_did(sink->progress, 0))
		return fc_fail(ECANCELED, "told to stop before it was hooked");
	return fc_remote_write(sink->mem_fd, sink->pool + off, bytes, size);
}

static int write_ledger(struct fc_space *space, uint64_t pool, const struct fc_stubs *stubs)
{
	uint32_t head[2];
	fc_stubs_ledger_head(stubs, head);
	int ret = fc_remote_write(space->mem_fd, pool + stubs->ledger_off, stubs->ledger,
				  stubs->nr_ledger * sizeof(*stubs->ledger));
	return ret ? ret
		   : fc_remote_write(space->mem_fd, pool + FCA_POOL_LEDGER * 8, head,
				     sizeof(head));
}

static int hook_module(struct fc_space *space, struct fc_caller *caller, struct fc_maps *maps,
		       struct fc_module *module, struct fc_known *known)
{
	uint64_t bias = known->bias;
	size_t size = fc_module_pool_size(module, space->shared->opts->counting);
	if (!size) {
		say_refused(space, module);
		fc_module_probes_left_out(module, NULL, say_sentence, space);
		return 0;
	}
	if (size > space->room)
		return fc_fail(ENOMEM,
			       "its stubs need %zu KiB, and the program's address space is "
			       "limited (ulimit -v)",
			       size / 1024);
	uint64_t start, end;
	load_span(module->elf, bias, &start, &end);
	uint64_t pool = fc_space_map_pool(space, caller, maps, start,
					  reached_end(module->elf, bias, start, end), size);
	if (!pool)
		return -ENOMEM;

	known->module = module;
	known->pool = pool;
	known->pool_size = size;
	if (space->room != UINT64_MAX)
		space->room -= size;
	struct fc_stubs_opts opts;
	fc_space_stubs_opts(space, bias, pool, &opts);
	opts.watches = module->watches;
	opts.fetched = fc_module_fetched(module);
	struct fc_stubs stubs;
	struct sink sink = { space->mem_fd, pool,
			     can_give_up(space) ? &space->shared->modules.progress : NULL };
	opts.write = write_part;
	opts.ctx = &sink;
	int ret = fc_plan_build(module->plan, &opts, &stubs);
	if (!ret && space->shared->switch_stubs)
		ret = space->shared->switch_stubs(space->shared->switch_ctx, module, &stubs,
						  space->mem_fd);
	if (!ret)
		ret = move_threads(space, &stubs);
	if (!ret)
		ret = place_puns(space, caller, maps, module, end, &stubs);
	if (!ret)
		ret = write_ledger(space, pool, &stubs);
	/* Now that the ledger tells how far the pool goes: up to where its code does. */
	if (!ret)
		ret = fc_space_write_pool(space, space->nr_pools - 1, pool,
					  pool + stubs.code_size);
	if (!ret && space->found_by != FCA_BY_REGISTER)
		ret = fc_space_detour(space, caller, maps, pool, size);
	if (!ret) {
		bar_writable(space, module, bias, maps);
		put_off_late(space, module, &stubs);
		ret = write_patches(space, module, bias, &stubs);
	}
	known->is_written = !ret;
	if (!ret && space->shared->opts->perf_map &&
	    fc_perf_map_add(space->pid, module, &stubs))
		fc_space_say(space, "%s", fc_fail_text());
	if (!ret) {
		note_patches(space, known, stubs.patches, stubs.nr_patches);
		say_entry_only(space, module);
		say_left_out(space, module, NULL, stubs.nr_far,
			     "their code does not reach from where the stubs are");
		say_left_out(space, module, NULL, stubs.nr_uncounted,
			     "there are more functions than counters");
		say_left_out(space, module, stubs.busy, stubs.nr_busy, FC_LATE_WHY);
		fc_module_probes_left_out(module, &stubs, say_sentence, space);
	}
	fc_stubs_deinit(&stubs);
	return ret;
}

/* Of a program that is dying there is nothing to say: everything fails in it. */
static void not_hooked(struct fc_space *space, struct fc_caller *caller, const char *path,
		       const char *why)
{
	if (fc_remote_call(caller, SYS_getpid, 0, 0, 0, 0, 0, 0) > 0 && !caller->is_silent)
		fc_space_say(space, "%s: not traced: %s", path, why);
}

/* It tells the agent whether ld.so has finished loading. */
static void find_r_state(struct fc_space *space, const struct fc_elf *elf, uint64_t bias)
{
	uint64_t taddr;
	if (!fc_scope_r_state(elf, &taddr))
		return;
	taddr += bias;
	fc_remote_write(space->mem_fd, FC_CONFIG(space, r_state), &taddr, sizeof(taddr));
}

static bool is_hooked(const struct fc_space *space, uint64_t ino, uint64_t bias)
{
	fc_vec_each (&space->known, known)
		if (known->is_hooked && known->ino == ino && known->bias == bias)
			return true;
	return false;
}

static bool is_wanted(struct fc_space *space, const struct fc_map *map)
{
	if (fc_scope_is_guest(&space->of, map))
		return false;
	if (fc_scope_find(&space->of, map) != FC_SCOPE_CONTROL ||
	    fc_scope_has_control(&space->of, map))
		return true;
	fc_auto_free char *path = fc_map_open_path(space->pid, map);
	return fc_modules_must_hook(&space->shared->modules, path);
}

void fc_space_read_modules(struct fc_space *space, const struct fc_map *maps, size_t nr)
{
	fc_auto_vec FC_VEC(struct fc_module_want) wants = { 0 };
	fc_scope_look(&space->of, space->pid, maps, nr);
	for (size_t i = 0; i < nr; i++)
		if (is_wanted(space, &maps[i]))
			fc_vec_push(&wants, (struct fc_module_want){
						    fc_map_open_path(space->pid, &maps[i]),
						    maps[i].path,
						    fc_scope_find(&space->of, &maps[i]),
					    });
	fc_modules_prepare(&space->shared->modules, wants.at, wants.nr);
	fc_vec_each (&wants, want)
		free((char *)want->open_path);
}

/* Who calls from there; module is NULL where that is all that is known. */
static void tell_place(struct fc_space *space, const struct fc_map *map,
		       const struct fc_module *module, uint64_t bias)
{
	struct fc_mapped place = {
		.start = map->start,
		.end = map->end,
		.bias = bias,
		.module = module,
		.path = map->path,
	};
	fc_drain_place(space->shared->drain, space->arena, &place);
}

static struct fc_module *module_of(struct fc_space *space, const struct fc_map *map)
{
	fc_auto_free char *path = fc_map_open_path(space->pid, map);
	return fc_modules_get(&space->shared->modules, path, map->path,
			      fc_scope_find(&space->of, map));
}

/* Where others are hooked, an unwinder that is not would come upon their sites. */
int fc_space_check_unwinders(struct fc_space *space, const struct fc_maps *maps)
{
	const char *name = NULL;
	for (size_t i = 0; i < maps->nr && !name; i++) {
		const struct fc_map *map = &maps->at[i];
		uint64_t bias;
		if (!map->is_exec || !map->ino || !is_wanted(space, map))
			continue;
		struct fc_module *module = module_of(space, map);
		if (!module->damage && fc_map_bias(module->elf, map, &bias))
			name = fc_plan_busy_unwinder(module->plan, bias, space->busy.list.at,
						     space->busy.list.nr);
	}
	return name ? fc_fail(EAGAIN,
			      "a signal handler of process %d will come back to the first "
			      "instructions of %s, which must be hooked; try again",
			      space->pid, name)
		    : 0;
}

/* ---- files that come again ---- */

/* Which of a pool's patches are to be there now, in the pool's own order. */
static size_t choose_patches(const struct fc_space *space, const struct fc_known *known,
			     const struct fc_ledger *ledger, struct fc_patch *ret)
{
	size_t nr = 0;
	fc_auto_free bool *on = fc_alloc(ledger->nr + 1);
	fc_modules_choose(&space->shared->modules, known->module, known->bias, ledger->patches,
			  ledger->nr, on);
	for (size_t i = 0; i < ledger->nr; i++)
		if (ledger->patches[i].size && on[i])
			ret[nr++] = fc_ledger_patch(&ledger->patches[i]);
	return nr;
}

/* Its file was loaded again to where it was: its stubs are as they are to be. */
static int write_again(struct fc_space *space, struct fc_known *known)
{
	fc_auto_ledger struct fc_ledger ledger = { 0 };
	if (!fc_ledger_read(space->mem_fd, known->pool, &ledger))
		return fc_fail(EBADMSG, "its stubs were written over");
	fc_auto_free struct fc_patch *patches = fc_alloc((ledger.nr + 1) * sizeof(*patches));
	size_t nr = choose_patches(space, known, &ledger, patches);
	int ret = fc_patch_write(space->mem_fd, patches, nr);
	note_patches(space, known, patches, nr);
	return ret;
}

/* Unloaded and loaded between two notices: the same place, and none of its patches. */
static void write_missing(struct fc_space *space, struct fc_known *known)
{
	const struct fc_patch *probe = &known->probe;
	uint8_t found[sizeof(probe->old)];
	if (!known->is_written || !probe->size || space->shared->modules.nr_unhooked ||
	    fc_remote_read(space->mem_fd, probe->taddr, found, probe->size))
		return;
	if (!memcmp(found, probe->old, probe->size))
		write_again(space, known);
}

static void note_gone(struct fc_space *space, const struct fc_known *known)
{
	if (known->pool)
		fc_vec_push(&space->gone, *known);
}

/* Where a file is told of now, another was told of before. */
static void cover(struct fc_space *space, const struct fc_module *module, uint64_t bias)
{
	uint64_t start, end, its_start, its_end;
	load_span(module->elf, bias, &start, &end);
	fc_vec_each (&space->gone, gone) {
		load_span(gone->module->elf, gone->bias, &its_start, &its_end);
		gone->is_covered |= its_start < end && start < its_end;
	}
}

/* Was the file of this mapping here before? Takes over its stubs. */
static bool take_gone(struct fc_space *space, const struct fc_module *module,
		      struct fc_known *known)
{
	fc_vec_each (&space->gone, gone) {
		/* With a budget, its functions' switches may have been changed since. */
		if (gone->module != module || gone->bias != known->bias || !gone->is_written ||
		    space->shared->switch_stubs)
			continue;
		gone->start = known->start;
		gone->ino = known->ino;
		*known = *gone;
		*gone = space->gone.at[--space->gone.nr];
		return true;
	}
	return false;
}

/* Its functions are hooked there: where that cannot be, nobody is to think that they were. */
static void tell_map(struct fc_space *space, const struct fc_module *module, uint64_t bias,
		     uint64_t tsc)
{
	fc_tell_map(space->shared->tap, module->id, space->pid, bias, tsc);
}

/* Is all of the file's code mapped there? A program may map a piece of a file for itself. */
static bool is_whole(const struct fc_maps *maps, const struct fc_elf *elf, uint64_t bias,
		     uint64_t ino)
{
	for (size_t i = 0; i < elf->nr_segments; i++) {
		const struct fc_segment *seg = &elf->segments[i];
		uint64_t at = seg->vaddr + bias, end = at + seg->filesz;
		while (seg->is_exec && at < end) {
			const struct fc_map *map = fc_maps_at(maps, at);
			if (!map || (!map->is_exec && map->ino != ino))
				return false;
			at = map->end;
		}
	}
	return true;
}

/* Once a file: a program may have done so thousands of times. */
static void say_part(struct fc_space *space, struct fc_caller *caller, const struct fc_map *map,
		     struct fc_module *module)
{
	if (!module->is_part_told)
		not_hooked(space, caller, map->path, "only a part of its code is mapped");
	module->is_part_told = true;
}

static void add_module(struct fc_space *space, struct fc_caller *caller, struct fc_maps *maps,
		       const struct fc_map *map)
{
	struct fc_known *known = &space->known.at[space->known.nr - 1];
	if (!is_wanted(space, map)) {
		tell_place(space, map, NULL, 0);
		return;
	}
	struct fc_module *module = module_of(space, map);
	if (module->damage) {
		tell_place(space, map, NULL, 0);
		if (module->is_given_up)
			fc_space_say_given_up(space);
		else
			not_hooked(space, caller, map->path, module->damage);
		return;
	}
	if (module->elf->unread && !module->is_unread_told)
		fc_space_say(space, "%s", module->elf->unread);
	if (module->values && module->values->unread && !module->is_unread_told)
		fc_space_say(space, "%s", module->values->unread);
	module->is_unread_told = true;
	uint64_t bias;
	bool has_bias = fc_map_bias(module->elf, map, &bias);
	tell_place(space, map, has_bias ? module : NULL, has_bias ? bias : 0);
	if (has_bias && !is_whole(maps, module->elf, bias, map->ino)) {
		say_part(space, caller, map, module);
		return;
	}
	if (!has_bias || is_hooked(space, map->ino, bias))
		return;
	known->bias = bias;
	known->is_hooked = true;
	uint64_t tsc = fc_clock_tsc();
	bool is_back = take_gone(space, module, known);
	bool is_news = !is_back || known->is_covered;
	if (is_news)
		cover(space, module, bias);
	known->is_covered = false;
	if (!is_back)
		find_r_state(space, module->elf, bias);
	if (is_back ? write_again(space, known)
		    : hook_module(space, caller, maps, module, known))
		not_hooked(space, caller, map->path, fc_fail_text());
	else if (is_news)
		tell_map(space, module, bias, tsc);
}

/* Forget what is no longer mapped: something else may come to its place. is_known: of each mapping. */
static void forget_gone(struct fc_space *space, const struct fc_maps *maps, bool *is_known)
{
	size_t kept = 0;
	fc_vec_each (&space->known, known) {
		const struct fc_map *map = fc_maps_at(maps, known->start);
		if (map && map->start == known->start && map->ino == known->ino) {
			is_known[map - maps->at] = true;
			space->known.at[kept++] = *known;
		} else {
			note_gone(space, known);
		}
	}
	space->known.nr = kept;
}

static void say_guest(struct fc_space *space)
{
	char path[FC_EXE_PATH];
	if (!space->of.nature.translates || space->is_guest_told)
		return;
	space->is_guest_told = true;
	fc_exe_path(space->pid, path);
	fc_space_say(space,
		     "%s translates the code of the program that it runs: that "
		     "program is not traced",
		     path);
}

/* Known before anything is hooked that it comes with, but for the program if it is preloaded. */
static void find_sanitizer(struct fc_space *space, const struct fc_map *maps, size_t nr)
{
	struct fc_shared *shared = space->shared;
	for (size_t i = 0; i < nr && !space->sanitizer; i++) {
		if (fc_scope_is_guest(&space->of, &maps[i]))
			continue;
		fc_auto_free char *path = fc_map_open_path(space->pid, &maps[i]);
		space->sanitizer = fc_modules_sanitizer(&shared->modules, path);
		bool is_told = !space->sanitizer || shared->has_sanitizer;
		shared->has_sanitizer |= space->sanitizer != NULL;
		if (is_told || shared->opts->counting >= FC_COUNT_ONLY)
			continue;
		fc_space_say(space, "%s: functions are entry only: %s", maps[i].path,
			     space->sanitizer);
	}
}

/* For a flight recorder, which goes on when fctrace is killed. */
static void tell_whole(const struct fc_space *space, uint32_t is_whole)
{
	fc_remote_write(space->mem_fd, FC_CONFIG(space, is_whole), &is_whole, sizeof(is_whole));
}

void fc_space_hook_new(struct fc_space *space, struct fc_caller *caller)
{
	fc_auto_maps struct fc_maps maps = { 0 };
	if (fc_maps_read(space->pid, &maps))
		return;
	tell_whole(space, false);
	/* Of what is hooked, the hooks were copied, too. */
	fc_vec_each (&space->known, known)
		if (known->is_written)
			fc_recopied_is(&maps, known->start, known->ino, known->module->elf,
				       known->bias);
	fc_recopied_find(space->pid, space->mem_fd, &maps);
	fc_auto_free bool *is_known = fc_alloc(maps.nr + 1);
	forget_gone(space, &maps, is_known);
	fc_vec_each (&space->known, known)
		write_missing(space, known);
	/* Copies: adding pools moves the rows. */
	fc_auto_vec FC_VEC(struct fc_map) new = { 0 };
	fc_vec_each (&maps, map)
		if (map->is_exec && map->ino && map->path[0] == '/' && !is_known[map - maps.at])
			fc_vec_push(&new, *map);
	fc_space_read_modules(space, new.at, new.nr);
	const struct fc_progress *progress = &space->shared->modules.progress;
	say_guest(space);
	/* What is new is hooked whole, or not at all: an unwinder may be among it. */
	bool is_given_up = fc_progress_is_over(progress);
	find_sanitizer(space, new.at, new.nr);
	if (space->found_by == FCA_BY_REGISTER &&
	    fc_space_takes_register(space, new.at, new.nr) &&
	    fc_space_yield_register(space, caller, &maps)) {
		char what[64];
		snprintf(what, sizeof(what), "what sets %s",
			 fc_arch_here->thread->strand_register);
		not_hooked(space, caller, what, fc_fail_text());
	}
	fc_vec_each (&new, map) {
		fc_vec_push(&space->known,
			    (struct fc_known){ .start = map->start, .ino = map->ino });
		is_given_up |= fc_progress_is_over(progress) && can_give_up(space);
		if (!is_given_up)
			add_module(space, caller, &maps, map);
		if (caller->is_silent) { /* another time, if there is one */
			space->known.nr--;
			break;
		}
	}
	if (!caller->is_silent)
		tell_whole(space, true);
	if (is_given_up)
		fc_space_say_given_up(space);
	if (space->shared->modules.asked)
		fc_space_tell_fixed(space, &maps);
}
