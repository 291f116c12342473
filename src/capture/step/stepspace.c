/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/step/stepspace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/vec.h"
#include "capture/module/recopied.h"
#include "capture/module/scope.h"
#include "capture/module/tell.h"
#include "capture/patch/known/rule.h"
#include "capture/target/remote.h"
#include "trace/clock.h"

/* A file as it is mapped. */
struct mapped {
	const struct fc_module *module;
	uint64_t ino, bias;
	uint64_t start, end; /* of its load segments */
};

/* An instruction that was looked at. */
struct looked_at {
	uint64_t address;
	unsigned traits; /* enum fc_trait */
};

enum { NR_LOOKED_AT = 16384 };

struct fc_stepspace {
	struct fc_step_session *session;
	int refs;
	struct fc_scope_of of;
	struct fc_main_stack stack;
	uint64_t notice;  /* address of ld.so's _dl_debug_state; 0: none */
	uint64_t r_state; /* address of r_debug.r_state; 0: not known */
	FC_VEC(struct mapped) mapped;
	struct looked_at *looked_at; /* by address */
};

bool fc_stepspace_read(int tid, uint64_t address, uint64_t *ret)
{
	errno = 0;
	*ret = (uint64_t)ptrace(PTRACE_PEEKDATA, tid, address, 0);
	return !errno;
}

/* ---- what is mapped ---- */

static void find_notice(struct fc_stepspace *space, const struct fc_elf *elf, uint64_t bias)
{
	uint64_t vaddr;
	if (!fc_elf_symbol(elf, "_dl_debug_state", &vaddr) ||
	    !fc_elf_symbol(elf, "dl_debug_state", &vaddr))
		space->notice = vaddr + bias;
	if (fc_scope_r_state(elf, &vaddr))
		space->r_state = vaddr + bias;
}

static bool is_known(const struct fc_stepspace *space, uint64_t ino, uint64_t bias)
{
	fc_vec_each (&space->mapped, mapped)
		if (mapped->ino == ino && mapped->bias == bias)
			return true;
	return false;
}

static void not_traced(const struct fc_stepspace *space, int pid, const char *path,
		       const char *why)
{
	fc_auto_free char *text = fc_asprintf("%s: not traced: %s", path, why);
	space->session->say(space->session->ctx, pid, text);
}

static void add_map(struct fc_stepspace *space, int pid, const struct fc_map *map)
{
	struct fc_step_session *session = space->session;
	enum fc_scope scope = fc_scope_find(&space->of, map);
	if (scope == FC_SCOPE_CONTROL && !fc_scope_has_control(&space->of, map))
		return;
	fc_auto_free char *path = fc_map_open_path(pid, map);
	const struct fc_module *module =
		fc_modules_get(&session->modules, path, map->path, scope);
	if (module->damage) {
		not_traced(space, pid, map->path, module->damage);
		return;
	}
	uint64_t bias;
	if (!fc_map_bias(module->elf, map, &bias) || is_known(space, map->ino, bias))
		return;
	const struct fc_elf *elf = module->elf;
	const struct fc_segment *last = &elf->segments[elf->nr_segments - 1];
	fc_vec_push(&space->mapped, (struct mapped){ .module = module,
						     .ino = map->ino,
						     .bias = bias,
						     .start = elf->segments[0].vaddr + bias,
						     .end = last->vaddr + last->memsz + bias });
	find_notice(space, elf, bias);
	fc_tell_map(session->tap, module->id, pid, bias, fc_clock_tsc());
}

/* Something else may come to the place of what is no longer mapped. */
static void forget_gone(struct fc_stepspace *space, const struct fc_maps *maps)
{
	size_t kept = 0;
	fc_vec_each (&space->mapped, mapped) {
		bool is_there = false;
		for (size_t i = 0; i < maps->nr && !is_there; i++)
			is_there = maps->at[i].ino == mapped->ino && maps->at[i].is_exec &&
				   maps->at[i].start < mapped->end &&
				   maps->at[i].end > mapped->start;
		if (is_there)
			space->mapped.at[kept++] = *mapped;
	}
	space->mapped.nr = kept;
}

static void look(struct fc_stepspace *space, int pid)
{
	fc_auto_maps struct fc_maps maps = { 0 };
	if (!fc_maps_read(pid, &maps)) {
		fc_auto_close int mem_fd = fc_remote_open(pid);
		fc_recopied_find(pid, mem_fd, &maps);
		forget_gone(space, &maps);
		fc_scope_look(&space->of, pid, maps.at, maps.nr);
		fc_vec_each (&maps, map)
			if (map->is_exec && map->ino && map->path[0] == '/')
				add_map(space, pid, map);
	}
	memset(space->looked_at, 0, NR_LOOKED_AT * sizeof(*space->looked_at));
}

static void find_stack(struct fc_stepspace *space, int pid)
{
	fc_auto_maps struct fc_maps maps = { 0 };
	fc_maps_read(pid, &maps);
	const struct fc_map *stack = fc_maps_stack(&maps);
	if (stack)
		space->stack =
			(struct fc_main_stack){ stack->end - FC_STACK_RESERVED, stack->end };
}

/* ---- life ---- */

int fc_stepspace_create(struct fc_step_session *session, int pid, struct fc_stepspace **ret)
{
	struct fc_stepspace *space = fc_alloc(sizeof(*space));
	*space = (struct fc_stepspace){
		.session = session,
		.refs = 1,
		.of = fc_scope_of(session->opts, pid),
		.looked_at = fc_alloc(NR_LOOKED_AT * sizeof(*space->looked_at)),
	};
	const struct fc_module *module = fc_scope_program(&space->of, &session->modules, pid);
	if (module->damage) {
		fc_stepspace_put(space);
		return fc_fail(ENOTSUP, "%s", module->damage);
	}
	find_stack(space, pid);
	look(space, pid);
	*ret = space;
	return 0;
}

struct fc_stepspace *fc_stepspace_share(struct fc_stepspace *space)
{
	space->refs++;
	return space;
}

struct fc_stepspace *fc_stepspace_fork(const struct fc_stepspace *space)
{
	struct fc_stepspace *copy = fc_alloc(sizeof(*copy));
	*copy = *space;
	copy->refs = 1;
	copy->looked_at = fc_alloc(NR_LOOKED_AT * sizeof(*copy->looked_at));
	fc_vec_copy(&copy->mapped, &space->mapped);
	return copy;
}

void fc_stepspace_put(struct fc_stepspace *space)
{
	if (!space || --space->refs)
		return;
	fc_vec_free(&space->mapped);
	free(space->looked_at);
	free(space);
}

void fc_stepspace_update(struct fc_stepspace *space, int pid)
{
	look(space, pid);
	space->of.is_started = true;
}

struct fc_main_stack fc_stepspace_stack(const struct fc_stepspace *space)
{
	return space->stack;
}

/* ---- what is where ---- */

static const struct mapped *mapped_at(const struct fc_stepspace *space, uint64_t address)
{
	fc_vec_each (&space->mapped, mapped)
		if (address >= mapped->start && address < mapped->end)
			return mapped;
	return NULL;
}

const struct fc_func_info *fc_stepspace_entry(const struct fc_stepspace *space,
					      uint64_t address)
{
	const struct mapped *mapped = mapped_at(space, address);
	if (!mapped)
		return NULL;
	uint64_t vaddr = address - mapped->bias;
	const struct fc_func_info *func = fc_module_func(mapped->module, vaddr);
	return func && func->vaddr == vaddr && fc_how_is_recorded(func->how) ? func : NULL;
}

/* The function that address is in or behind; NULL: none. */
static const struct fc_func_info *func_at(const struct fc_stepspace *space, uint64_t address)
{
	const struct mapped *mapped = mapped_at(space, address);
	return mapped ? fc_module_func(mapped->module, address - mapped->bias) : NULL;
}

bool fc_stepspace_moves_frames(const struct fc_stepspace *space, uint64_t address)
{
	const struct fc_func_info *func = func_at(space, address);
	if (!func)
		return false;
	const struct fc_rule *rule = func->name ? fc_rule_find(func->name) : NULL;
	return func->how == FC_HOW_ENTRY_ONLY ||
	       (rule && (rule->kind == FC_RULE_UNWIND || rule->kind == FC_RULE_ENTRY_ONLY));
}

bool fc_stepspace_is_inside(const struct fc_stepspace *space, uint64_t address, uint32_t func)
{
	const struct fc_func_info *info = func_at(space, address);
	return info && info->id == func;
}

static bool has_loaded_all(const struct fc_stepspace *space, int tid)
{
	uint64_t state;
	return !space->r_state || !fc_stepspace_read(tid, space->r_state, &state) ||
	       !(uint32_t)state;
}

bool fc_stepspace_is_notice(const struct fc_stepspace *space, int tid, uint64_t address)
{
	return address == space->notice && has_loaded_all(space, tid);
}

bool fc_stepspace_has_begun(const struct fc_stepspace *space, int tid)
{
	uint64_t version;
	return space->r_state &&
	       fc_stepspace_read(tid, space->r_state - FC_R_STATE, &version) &&
	       (uint32_t)version && has_loaded_all(space, tid);
}

/* Could a call of one of the file's functions be recorded before ld.so has loaded all? */
static bool is_silent(const struct fc_stepspace *space, const struct mapped *mapped)
{
	const struct fc_elf *elf = mapped->module->elf;
	if (mapped->ino != space->of.exe_ino)
		return mapped->module->scope == FC_SCOPE_CONTROL;
	/* Its own code runs so early only to choose an implementation. */
	for (size_t i = 0; i < elf->nr_funcs; i++)
		if (elf->funcs[i].flags & FC_FUNC_IFUNC)
			return false;
	return !elf->is_stripped && elf->interp;
}

uint64_t fc_stepspace_quiet_until(const struct fc_stepspace *space)
{
	fc_vec_each (&space->mapped, mapped)
		if (!is_silent(space, mapped))
			return 0;
	return space->notice;
}

unsigned fc_stepspace_traits(struct fc_stepspace *space, int tid, uint64_t address)
{
	struct looked_at *known = &space->looked_at[address % NR_LOOKED_AT];
	uint64_t word;
	if (known->address == address)
		return known->traits;
	if (!fc_stepspace_read(tid, address, &word))
		return 0;
	*known = (struct looked_at){ address,
				     fc_arch_here->code->traits((const uint8_t *)&word) };
	return known->traits;
}
