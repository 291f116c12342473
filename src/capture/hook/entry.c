/* SPDX-License-Identifier: Apache-2.0 */
/* How a process is entered: its files are read, the agent is put into it, and it is hooked. */
#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/vec.h"
#include "capture/hook/space_private.h"
#include "capture/module/recopied.h"
#include "capture/target/exe.h"

static int check_program(struct fc_space *space)
{
	const struct fc_module *module =
		fc_scope_program(&space->of, &space->shared->modules, space->pid);
	if (module->is_given_up) {
		fc_space_say_given_up(space);
		return fc_fail(ECANCELED, "%s", module->damage);
	}
	char path[FC_EXE_PATH];
	if (module->damage && !fc_exe_path(space->pid, path) && errno == ENOENT)
		return fc_fail(ESRCH, "process %d has ended", space->pid);
	return module->damage ? fc_fail(ENOTSUP, "%s", module->damage) : 0;
}

static int space_open(struct fc_shared *shared, int pid, struct fc_space **ret)
{
	struct fc_space *space = fc_alloc(sizeof(*space));
	space->shared = shared;
	space->refs = 1;
	space->pid = pid;
	space->of = fc_scope_of(shared->opts, pid);
	space->number = fc_space_number(shared, pid);
	fc_space_init_agent(space);
	space->mem_fd = -1;

	int err = check_program(space);
	if (!err)
		err = space->mem_fd = fc_remote_open(pid);
	if (err < 0) {
		fc_space_put(space);
		return err;
	}
	*ret = space;
	return 0;
}

int fc_space_create(struct fc_shared *shared, int tid, struct fc_space **ret)
{
	struct fc_space *space;
	int err = space_open(shared, tid, &space);
	if (err)
		return err;
	err = fc_space_inject(space, tid);
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
	fc_auto_maps struct fc_maps maps = { 0 };
	err = fc_maps_read(pid, &maps);
	fc_recopied_find(pid, (*ret)->mem_fd, &maps);
	fc_auto_vec FC_VEC(struct fc_map) code = { 0 };
	fc_vec_each (&maps, map)
		if (map->is_exec && map->ino && map->path[0] == '/')
			fc_vec_push(&code, *map);
	fc_space_read_modules(*ret, code.at, code.nr);
	if (err)
		fc_space_put(fc_take(*ret));
	return err;
}

int fc_space_look(struct fc_space *space, const struct fc_standing *standing)
{
	fc_auto_stackwalk struct fc_stackwalk stacks = { 0 };
	int ret = fc_space_stacks(space, &stacks);
	if (ret)
		return ret;
	fc_recopied_find(space->pid, space->mem_fd, &stacks.maps);
	space->busy.list.nr = 0;
	fc_stackwalk_busy(&stacks, standing, &space->busy);
	return space->busy.list.nr ? fc_space_check_unwinders(space, &stacks.maps) : 0;
}

/* It may have moved its code, or changed it. */
static void say_unseen(struct fc_space *space)
{
	char path[FC_EXE_PATH];
	fc_vec_each (&space->known, known)
		if (known->ino == space->of.exe_ino)
			return;
	fc_exe_path(space->pid, path);
	fc_space_say(space, "%s: not traced: its code is not what its file has, or not there",
		     path);
}

int fc_space_attach(struct fc_space *space, const struct fc_standing *standing)
{
	space->standing = standing;
	int ret = fc_space_inject(space, standing->threads.at[0].tid);
	space->standing = NULL;
	fc_vec_free(&space->busy.list);
	space->of.is_started = true;
	if (!ret)
		say_unseen(space);
	return ret;
}
