/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/hook/space.h"

#include <errno.h>
#include <string.h>
#include <sys/ptrace.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/vec.h"
#include "capture/drain/ids.h"
#include "capture/hook/space_private.h"
#include "capture/target/status.h"
#include "trace/clock.h"

/* Was it said? From now on it was. */
static bool was_said(struct fc_shared *shared, const char *sentence)
{
	fc_vec_each (&shared->said, said)
		if (!strcmp(*said, sentence))
			return true;
	fc_vec_push(&shared->said, fc_strdup(sentence));
	return false;
}

void fc_shared_note(struct fc_shared *shared, int pid, const char *sentence)
{
	if (was_said(shared, sentence))
		return;
	shared->tap->life(shared->tap, &(struct fc_life_info){
					       .life = FC_LIFE_SAY,
					       .pid = pid,
					       .tsc = fc_clock_tsc(),
					       .text = sentence,
				       });
}

void fc_shared_say(struct fc_shared *shared, int pid, const char *sentence)
{
	if (was_said(shared, sentence))
		return;
	shared->opts->say(shared->opts->ctx, sentence);
	shared->tap->life(shared->tap, &(struct fc_life_info){
					       .life = FC_LIFE_SAY,
					       .pid = pid,
					       .tsc = fc_clock_tsc(),
					       .text = sentence,
				       });
}

void fc_space_say_given_up(struct fc_space *space)
{
	struct fc_modules *modules = &space->shared->modules;
	if (!modules->has_said_given_up)
		fc_shared_say(space->shared, space->pid,
			      "told to stop while files were planned: those that were not yet "
			      "are not traced");
	modules->has_said_given_up = true;
}

static int check_program(struct fc_space *space, const char *exe)
{
	fc_auto_free char *shown = realpath(exe, NULL);
	struct fc_module *module = fc_modules_get(
		&space->shared->modules, exe, shown ? shown : exe,
		fc_scope_find(&space->of, &(struct fc_map){ .ino = space->of.exe_ino,
							    .path = shown ? shown : "" }));
	if (module->is_given_up) {
		fc_space_say_given_up(space);
		return fc_fail(ECANCELED, "%s", module->damage);
	}
	if (module->damage)
		return fc_fail(ENOTSUP, "%s", module->damage);
	return 0;
}

/* Its own, if the agent cannot know the ids that it has here. */
static uint32_t number_of(struct fc_shared *shared, int pid)
{
	return fc_ids_are_own(pid) ? ++shared->nr_numbers : 0;
}

static int space_open(struct fc_shared *shared, int pid, struct fc_space **ret)
{
	struct fc_space *space = fc_alloc(sizeof(*space));
	space->shared = shared;
	space->refs = 1;
	space->pid = pid;
	space->of.opts = shared->opts;
	space->number = number_of(shared, pid);
	fc_space_init_agent(space);
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
	err = fc_space_inject(space, tid, death);
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
	FC_VEC(struct fc_map) code = { 0 };
	fc_vec_each (&maps, map)
		if (map->is_exec && map->ino && map->path[0] == '/')
			fc_vec_push(&code, *map);
	fc_space_read_modules(*ret, code.at, code.nr);
	fc_vec_free(&code);
	fc_maps_deinit(&maps);
	if (err)
		fc_space_put(fc_take(*ret));
	return err;
}

int fc_space_look(struct fc_space *space, const struct fc_standing *standing)
{
	struct fc_maps maps;
	int ret = fc_maps_read(space->pid, &maps);
	if (ret)
		return ret;
	space->busy.list.nr = 0;
	fc_standing_interrupted(standing, space->mem_fd, &maps, &space->busy);
	ret = space->busy.list.nr ? fc_space_check_unwinders(space, &maps) : 0;
	fc_maps_deinit(&maps);
	return ret;
}

int fc_space_attach(struct fc_space *space, const struct fc_standing *standing, int *death)
{
	space->standing = standing;
	int ret = fc_space_inject(space, standing->threads.at[0].tid, death);
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
	       !fc_remote_read(mem_fd, FC_CONFIG(space, arena), &arena, sizeof(arena)) &&
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
	copy->arena->at->is_shared = 1;
	copy->number = number_of(space->shared, pid);
	if (copy->number != space->number)
		fc_remote_write(mem_fd, FC_CONFIG(copy, number), &copy->number,
				sizeof(copy->number));
	copy->known.at = NULL;
	copy->known.nr = copy->known.room = 0;
	fc_vec_each (&space->known, known)
		fc_vec_push(&copy->known, *known);
	copy->gone.at = NULL;
	copy->gone.nr = copy->gone.room = 0;
	fc_vec_each (&space->gone, gone)
		fc_vec_push(&copy->gone, *gone);
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
	fc_drain_release(space->shared->drain, space->arena);
	fc_vec_free(&space->known);
	fc_vec_free(&space->gone);
	fc_vec_free(&space->busy.list);
	free(space);
}

int fc_space_pid(const struct fc_space *space)
{
	return space->pid;
}

bool fc_space_is_complete(const struct fc_space *space)
{
	fc_vec_each (&space->known, known)
		if (!space->of.is_started && known->module &&
		    fc_scope_is_loader(known->module->elf->path))
			return false;
	return true;
}

struct fc_arena *fc_space_arena(struct fc_space *space)
{
	return space->arena;
}

uint64_t fc_space_moved_from(void *ctx, uint64_t ip)
{
	const struct fc_space *space = ctx;
	uint64_t from = 0;
	if (!space)
		return 0;
	fc_vec_each (&space->known, known) {
		if (from || ip - known->pool >= known->pool_size)
			continue;
		struct fc_stubs_opts opts;
		struct fc_stubs stubs;
		fc_space_stubs_opts(space, known->bias, known->pool, &opts);
		fc_plan_build(known->module->plan, &opts, &stubs);
		from = fc_stubs_moved_from(&stubs, ip);
		fc_stubs_deinit(&stubs);
	}
	return from;
}

void fc_space_born(struct fc_space *space, int pid, int tid)
{
	struct fc_status status;
	if (space && space->number && fc_status_read(tid, &status))
		fc_drain_born(space->shared->drain, space->number, status.own_tid, pid, tid);
}

uint64_t fc_space_root(const struct fc_space *space)
{
	return space->agent + space->header.root;
}
