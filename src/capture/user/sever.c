/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/user/sever.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "capture/hook/space.h"
#include "capture/target/cave.h"
#include "capture/target/status.h"
#include "capture/user/detach.h"
#include "capture/user/hold.h"

enum { HOLD_MS = 500, LOOK_S = 1 };

/* ---- in the target ---- */

/* Its agent gives back what it does not need where memory is limited: that is the program's now. */
static uint64_t arena_bytes(const struct fc_space *space)
{
	uint64_t nr;
	if (fc_remote_read(space->mem_fd, FC_CONFIG(space, nr_rings), &nr, sizeof(nr)) ||
	    nr > space->nr_rings)
		nr = space->nr_rings;
	return fc_space_ring_off(space, (uint32_t)nr);
}

/* One system call takes it over whole: where fctrace is killed before or after, it can go on. */
static int map_over(struct fc_space *space, struct fc_caller *caller, int fd, uint32_t nr_rings)
{
	uint64_t all = arena_bytes(space);
	uint64_t used = space->is_filtered ? all : fc_space_ring_off(space, nr_rings);
	used = used < all ? used : all;
	uint64_t at = space->arena_taddr, flags = MAP_SHARED | MAP_NORESERVE | MAP_FIXED;
	int64_t got = fc_remote_call(caller, SYS_mmap, at, used, PROT_READ | PROT_WRITE, flags,
				     fd, 0);
	if (got < 0)
		return fc_fail((int)-got, "cannot map memory in it: %s", strerror((int)-got));
	if (used < all)
		got = fc_remote_call(caller, SYS_mmap, at + used, all - used, PROT_NONE, flags,
				     fd, used);
	fc_remote_call(caller, SYS_madvise, at, all, MADV_DONTDUMP, 0, 0, 0);
	/* What is behind is another's still: it is not to be used. */
	uint64_t nr = nr_rings;
	return got < 0 ? fc_remote_write(space->mem_fd, FC_CONFIG(space, nr_rings), &nr,
					 sizeof(nr))
		       : 0;
}

/* ---- the swap ---- */

struct swap {
	struct fc_tracer *tracer;
	struct fc_space *space;
};

static bool is_of_space(void *ctx, int pid)
{
	const struct swap *swap = ctx;
	const struct fc_process *process = fc_process_find(&swap->tracer->tracees, pid);
	return process && process->space == swap->space;
}

static int swap_by(struct swap *swap, struct fc_caller *caller, int pid)
{
	struct fc_space *space = swap->space;
	struct fc_drain *drain = space->shared->drain;
	struct fc_arena *new = NULL, *old = space->arena;
	uint32_t nr_rings;
	int fd, own;
	int ret = fc_space_make_memory(space, caller, pid, &fd, &own);
	if (ret)
		return ret;
	ret = fc_drain_split(drain, old, own, is_of_space, swap, &new, &nr_rings);
	close(own);
	if (!ret) {
		ret = map_over(space, caller, fd, nr_rings);
		fc_drain_end_split(drain, old, new, is_of_space, swap, !ret);
	}
	if (!ret) {
		space->arena = new;
		fc_drain_release(drain, old);
	}
	fc_remote_call(caller, SYS_close, fd, 0, 0, 0, 0, 0);
	return ret;
}

/* tid is one of those that use the memory; all are held. */
static int swap(struct fc_tracer *tracer, struct fc_space *space, int tid)
{
	struct swap swap = { tracer, space };
	struct fc_status status;
	struct fc_borrow borrow;
	uint64_t cave;
	fc_status_read(tid, &status);
	int ret = fc_cave_find(status.tgid, space->mem_fd, &cave);
	if (ret)
		return ret;
	ret = fc_borrow_begin(&borrow, tid, space->shared->ptrace_options, space->mem_fd, cave);
	if (!ret)
		ret = swap_by(&swap, &borrow.caller, status.tgid);
	int end = fc_borrow_end(&borrow);
	return ret ? ret : end;
}

static int swap_held(struct fc_tracer *tracer, int pid)
{
	fc_auto_standing struct fc_standing standing = { 0 };
	struct fc_process *process = fc_process_find(&tracer->tracees, pid);
	if (!process || !process->space) /* it has ended, or runs another program */
		return 0;
	int ret = fc_standing_of(tracer, process, &standing);
	if (!ret)
		ret = swap(tracer, process->space, standing.threads.at[0].tid);
	return ret;
}

static bool is_shared(const struct fc_process *process)
{
	return process && process->space && process->space->arena &&
	       process->space->arena->refs > 1;
}

int fc_sever(struct fc_tracer *tracer, int pid)
{
	int tid = 0;
	if (!is_shared(fc_process_find(&tracer->tracees, pid)))
		return 0;
	int ret = fc_hold_all(tracer, HOLD_MS, &tid)
			  ? swap_held(tracer, pid)
			  : fc_fail(EBUSY, "thread %d does not stop", tid);
	fc_release_all(tracer);
	if (!ret)
		return 0;
	fc_auto_free char *why = fc_strdup(fc_fail_text());
	return fc_fail(-ret,
		       "process %d changes its rights, and has its records in one memory with "
		       "others: %s",
		       pid, why);
}

/* ---- who tells nobody ---- */

/* Other rights than the first one had that was looked at. */
static bool has_others(const struct fc_process *process)
{
	struct fc_status now;
	if (!is_shared(process) || !fc_status_read(process->pid, &now) || now.is_zombie)
		return false;
	struct fc_arena *arena = process->space->arena;
	if (!arena->has_rights)
		arena->rights = now.rights;
	arena->has_rights = true;
	return memcmp(&arena->rights, &now.rights, sizeof(now.rights)) != 0;
}

void fc_sever_changed(struct fc_tracer *tracer)
{
	fc_auto_vec FC_VEC(int) pids = { 0 };
	tracer->rights_ns = fc_clock_mono_ns() + LOOK_S * 1000000000ull;
	for (struct fc_process *p = tracer->tracees.first; p; p = p->next)
		if (has_others(p))
			fc_vec_push(&pids, p->pid);
	fc_vec_each (&pids, pid)
		if (fc_sever(tracer, *pid))
			fc_tracer_say(tracer, *pid, "%s", fc_fail_text());
}

uint64_t fc_sever_next_ns(const struct fc_tracer *tracer)
{
	for (const struct fc_process *p = tracer->tracees.first; p; p = p->next)
		if (is_shared(p))
			return tracer->rights_ns;
	return UINT64_MAX;
}
