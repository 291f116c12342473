/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/user/quiet.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "capture/hook/space.h"
#include "capture/target/dispatch.h"
#include "capture/target/registers.h"
#include "capture/user/detach.h"
#include "capture/user/hold.h"

enum {
	HOLD_MS = 500,
	MOMENT_NS = 200 * 1000,
	MOST_STOPS = 200, /* at system calls, of a thread that does not install its filter */
};

static const uint64_t PATIENCE_NS = 5000000000;

/* ---- who is in the agent ---- */

/* Who waits at its beginning is not, yet. */
static bool is_in_agent(const struct fc_space *space, uint64_t ip)
{
	const struct fca_header *h = &space->header;
	uint64_t off = ip - space->agent;
	return off < h->size && (off < h->wait || off >= h->wait_end);
}

/* Or will a signal's handler go back there? It may have been about to make a system call. */
static bool is_at_work_in(const struct fc_space *space, struct fc_stackwalk *stacks,
			  const struct fc_stand *stand)
{
	struct fc_addresses back = { 0 };
	bool ret = is_in_agent(space, stand->ip);
	fc_stackwalk_back(stacks, stand, &back);
	fc_vec_each (&back.list, at)
		ret = ret || is_in_agent(space, *at);
	fc_vec_free(&back.list);
	return ret;
}

/* All are held. Is another thread than this one in the agent? */
static bool is_at_work(struct fc_tracer *tracer, const struct fc_tracee *than)
{
	const struct fc_space *space = than->process->space;
	fc_auto_standing struct fc_standing standing = { 0 };
	fc_auto_stackwalk struct fc_stackwalk stacks = { 0 };
	if (fc_standing_of(tracer, than->process, &standing))
		return false;
	if (fc_space_stacks(space, &stacks)) /* it may be */
		return true;
	fc_vec_each (&standing.threads, stand)
		if (stand->tid != than->tid && is_at_work_in(space, &stacks, stand))
			return true;
	return false;
}

/* Does nobody else use the memory? */
static bool is_single(const struct fc_tracer *tracer, const struct fc_space *space)
{
	int nr_threads = 0;
	for (const struct fc_process *p = tracer->tracees.first; p; p = p->next)
		if (p->space == space)
			nr_threads += p->nr_threads;
	return nr_threads <= 1;
}

/* ---- from then on ---- */

static bool read_word(const struct fc_space *space, uint64_t at, uint32_t *ret)
{
	return !fc_remote_read(space->mem_fd, at, ret, sizeof(*ret));
}

static bool write_word(const struct fc_space *space, uint64_t at, uint32_t word)
{
	return !fc_remote_write(space->mem_fd, at, &word, sizeof(word));
}

/* Unless there is one already that may yet be refused: then the agent counts this one itself. */
static bool count(const struct fc_space *space, uint32_t own_tid)
{
	uint32_t is_quiet, by;
	return read_word(space, FC_CONFIG(space, is_quiet), &is_quiet) &&
	       read_word(space, FC_CONFIG(space, filter_by), &by) && !by &&
	       write_word(space, FC_CONFIG(space, refused), 0) &&
	       write_word(space, FC_CONFIG(space, is_quiet), is_quiet + 1) &&
	       write_word(space, FC_CONFIG(space, filter_by), own_tid);
}

/* NULL: it has ended, or runs another program. */
static struct fc_tracee *find(struct fc_tracer *tracer, const struct fc_space *space, int tid)
{
	struct fc_tracee *tracee = fc_tracee_find(&tracer->tracees, tid);
	return tracee && tracee->process && tracee->process->space == space ? tracee : NULL;
}

/* One that is not held may be told of another filter that is refused later. */
static void await_call(struct fc_tracee *tracee)
{
	if (!tracee || !tracee->is_held)
		return;
	tracee->call_stops = MOST_STOPS;
	tracee->awaited = FC_AWAITED_FILTER;
}

static void begin_single(struct fc_tracer *tracer, const struct fc_space *space, int tid,
			 uint32_t own_tid)
{
	bool is_held = fc_hold_one(tracer, tid, HOLD_MS);
	struct fc_tracee *tracee = find(tracer, space, tid);
	if (is_held && tracee && count(space, own_tid))
		await_call(tracee);
	if (is_held)
		fc_hold_let_go(tracer, fc_tracee_find(&tracer->tracees, tid));
}

/* All are held. Those that are in the agent run until they have left it. */
static void drive_out(struct fc_tracer *tracer, const struct fc_space *space, int tid)
{
	uint64_t until_ns = fc_clock_mono_ns() + PATIENCE_NS;
	int who = 0;
	bool is_held = true;
	const struct fc_tracee *tracee;
	while (is_held && (tracee = find(tracer, space, tid)) && is_at_work(tracer, tracee) &&
	       fc_clock_mono_ns() < until_ns) {
		write_word(space, FC_CONFIG(space, is_closing), 1);
		fc_release_all(tracer);
		fc_hold_let_run(tracer, MOMENT_NS);
		is_held = fc_hold_all(tracer, HOLD_MS, &who);
	}
	write_word(space, FC_CONFIG(space, is_closing), 0);
}

void fc_quiet_begin(struct fc_tracer *tracer, struct fc_space *space, int tid, uint32_t own_tid)
{
	int who = 0;
	if (is_single(tracer, space)) {
		begin_single(tracer, space, tid, own_tid);
		return;
	}
	/* Who cannot be held waits in the kernel, and not for the agent. */
	fc_hold_all(tracer, HOLD_MS, &who);
	if (find(tracer, space, tid) && count(space, own_tid)) {
		drive_out(tracer, space, tid);
		await_call(find(tracer, space, tid));
	}
	fc_release_all(tracer);
}

/* ---- was it refused? ---- */

static bool is_filter(uint64_t nr, uint64_t operation)
{
	return (nr == SYS_prctl &&
		(operation == PR_SET_SECCOMP || operation == FC_SET_DISPATCH)) ||
	       (nr == SYS_seccomp &&
		(operation == SECCOMP_SET_MODE_STRICT || operation == SECCOMP_SET_MODE_FILTER));
}

/* With SECCOMP_FILTER_FLAG_TSYNC alone it tells of a thread that has other filters. */
static bool is_refused(uint64_t nr, uint64_t flags, int64_t result)
{
	bool tells_thread = nr == SYS_seccomp && flags & SECCOMP_FILTER_FLAG_TSYNC &&
			    !(flags & SECCOMP_FILTER_FLAG_NEW_LISTENER);
	return result < 0 || (tells_thread && result);
}

/* At its entry the result is -ENOSYS; when it is to be made again, from -512 down. */
void fc_quiet_on_call(struct fc_tracee *tracee)
{
	enum { ERESTARTSYS = 512 };
	const struct fc_space *space = tracee->process ? tracee->process->space : NULL;
	struct fc_regs regs;
	uint32_t by;
	if (fc_registers_read(tracee->tid, &regs))
		return;
	uint64_t nr = fc_regs_get(&regs, FC_REG_CALL);
	int64_t result = (int64_t)fc_regs_get(&regs, FC_REG_RESULT);
	if (!is_filter(nr, fc_regs_get(&regs, FC_REG_ARG)) || result == -ENOSYS ||
	    result <= -ERESTARTSYS)
		return;
	tracee->call_stops = 0;
	if (space && is_refused(nr, fc_regs_get(&regs, FC_REG_ARG + 1), result) &&
	    read_word(space, FC_CONFIG(space, filter_by), &by))
		write_word(space, FC_CONFIG(space, refused), by);
}
