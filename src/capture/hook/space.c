/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/hook/space.h"

#include <stdarg.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/vec.h"
#include "capture/drain/ids.h"
#include "capture/hook/perf_map.h"
#include "capture/hook/space_private.h"
#include "capture/target/status.h"

void fc_shared_note(struct fc_shared *shared, int pid, const char *sentence)
{
	fc_tell_note(&shared->said, shared->tap, pid, sentence);
}

void fc_shared_say(struct fc_shared *shared, int pid, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	fc_auto_free char *sentence = fc_vasprintf(fmt, ap);
	va_end(ap);
	fc_tell_user(&shared->said, shared->opts, shared->tap, pid, sentence);
}

void fc_space_say_given_up(struct fc_space *space)
{
	struct fc_modules *modules = &space->shared->modules;
	if (!modules->has_said_given_up)
		fc_space_say(space,
			     "told to stop while files were planned: those that were not "
			     "yet are not traced");
	modules->has_said_given_up = true;
}

uint32_t fc_space_number(struct fc_shared *shared, int pid)
{
	return fc_ids_are_own(pid) ? ++shared->nr_numbers : 0;
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
	copy->number = fc_space_number(space->shared, pid);
	if (copy->number != space->number)
		fc_remote_write(mem_fd, FC_CONFIG(copy, number), &copy->number,
				sizeof(copy->number));
	fc_vec_copy(&copy->known, &space->known);
	fc_vec_copy(&copy->gone, &space->gone);
	if (space->shared->opts->perf_map && fc_perf_map_copy(space->pid, pid))
		fc_space_say(space, "%s", fc_fail_text());
	return copy;
}

/* Its agent could not tell of what was loaded: it may make no system calls. */
static void say_unseen(struct fc_space *space)
{
	uint32_t nr = space->arena ? __atomic_exchange_n(&space->arena->at->nr_unseen, 0,
							 __ATOMIC_RELAXED)
				   : 0;
	if (!nr)
		return;
	fc_space_say(space,
		     "process %d loaded objects under its seccomp filter or syscall user "
		     "dispatch (%u times): these are not traced",
		     space->pid, nr);
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

int fc_space_stacks(const struct fc_space *space, struct fc_stackwalk *ret)
{
	return fc_stackwalk_open(space->pid, space->mem_fd, space->agent, &space->header, ret);
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

void fc_space_stubs_opts(const struct fc_space *space, uint64_t bias, uint64_t pool,
			 struct fc_stubs_opts *ret)
{
	const struct fca_header *h = &space->header;
	*ret = (struct fc_stubs_opts){
		.counting = space->shared->opts->counting,
		.is_entry_only = space->sanitizer != NULL,
		.nr_counters = space->shared->nr_counters,
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
			[FCA_POOL_COUNT] = space->agent + h->count,
			[FCA_POOL_EDGE] = space->agent + h->edge,
			[FCA_POOL_VALUES] = space->agent + h->values,
			[FCA_POOL_RESULT] = space->agent + h->result,
		},
		.busy = space->busy.list.at,
		.nr_busy = space->busy.list.nr,
	};
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
