/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread's current strand is in %gs; where that is the program's, in a table, by the thread's pointer; or it is
 * looked for by the thread's id (enum fca_found_by). A forked child finds its parent's there.
 */
#include "capture/agent/strand/current.h"

#include "capture/agent/base/bounds.h"
#include "capture/agent/base/config.h"
#include "capture/agent/base/machine.h"
#include "capture/agent/base/mail.h"
#include "capture/agent/base/signals.h"
#include "capture/agent/base/thread.h"
#include "capture/agent/strand/claim.h"
#include "capture/agent/strand/extent.h"
#include "capture/agent/strand/open_calls.h"
#include "capture/agent/strand/roll.h"

void strand_switch_to(struct strand *s)
{
	if (agent_config.found_by == FCA_BY_REGISTER) {
		if (agent_config.has_fast_registers)
			write_strand_fast(strand_address(s));
		else if (!agent_config.is_quiet)
			write_strand(strand_address(s));
		return;
	}
	s->thread = thread_now();
	if (is_in_table() && !s->is_beside)
		agent_threads[fca_thread_index(s->thread)] = strand_address(s);
}

bool strand_is_at_hand(const struct strand *s)
{
	return (agent_config.found_by == FCA_BY_THREAD && !s->is_beside) ||
	       (agent_config.found_by == FCA_BY_REGISTER && read_strand() == strand_address(s));
}

/* In quiet, of a thread that has no strand: by its pointer, if that is known, or by its stack. */
static int tid_in_quiet(uint64_t slot)
{
	uint64_t thread = thread_now();
	bool is_main = is_main_stack(slot);
	for (uint32_t i = 0, nr = count_strands(); i < nr && thread; i++) {
		const struct strand *t = strands[i];
		/* A vfork child in quiet goes on in its parent's strand. */
		if (t && t->thread == thread && strand_holds(t, slot))
			return t->tid;
		/* A thread's stack may lie within a frame of the main one. */
		if (t && t->thread && t->thread != thread && t->tid == agent_config.pid)
			is_main = false;
	}
	return is_main ? agent_config.pid : 0;
}

/*
 * The id of this thread, with s the strand in %gs, NULL: none yet. 0: not known. In quiet it
 * is the strand's, if that is not inherited from another thread.
 */
int thread_tid(const struct strand *s, uint64_t slot)
{
	if (!agent_config.is_quiet)
		return syscall1(NR_gettid, 0);
	if (!s)
		return tid_in_quiet(slot);
	if (!s->thread) /* it was made in quiet, which knows the main thread by its stack only */
		return s->tid == agent_config.pid && is_main_stack(slot) ? s->tid : 0;
	return s->thread == thread_now() ? s->tid : 0;
}

int thread_pid(const struct strand *s)
{
	if (!agent_config.is_quiet)
		return syscall1(NR_getpid, 0);
	return s ? s->pid : agent_config.pid;
}

/*
 * A forked child: the stacks and their shadows are copies, the rings are the parent's. Of
 * all threads the one that forked is copied, with all its stacks. It may have made others since.
 */
static void adopt_fork(struct strand *s, int pid)
{
	uint64_t mask = signals_block();
	int old_tid = s->tid, tid = syscall1(NR_gettid, 0);
	bool is_muted = is_unwanted(agent_arena(), pid);
	mail_forget();
	for (uint32_t i = 0; i < nr_strands && i < FCA_MAX_STRANDS; i++) {
		struct strand *t = strands[i];
		if (!t || t->tid == -1 || t->pid == pid)
			continue;
		if (t->tid != old_tid) {
			strand_set_tid(t, 0);
			t->pid = pid; /* a context of theirs may go on here */
			t->ring = NULL;
			continue;
		}
		t->pid = pid;
		strand_set_tid(t, tid);
		t->ring = NULL;
		t->nr_freed = 0;
		t->is_muted = is_muted;
		strand_keep_live(t);
		if (!is_muted && ring_claim(t) && !agent_config.is_edges)
			strand_tell_open(t, t, 0, FC_MARK_FORK, syscall1(NR_getppid, 0));
	}
	signals_restore(mask);
}

/*
 * Of this thread, by the stack that the agent runs on: the program's. By itself, since what comes before has no need of
 * registers that must be saved.
 */
static __attribute__((noinline)) struct strand *find_by_tid(void)
{
	uint64_t here = (uint64_t)__builtin_frame_address(0);
	int tid = agent_config.is_quiet ? 0 : syscall1(NR_gettid, 0);
	struct strand *s;
	for (uint32_t i = 0; tid && (s = strand_next(tid, &i));)
		if (strand_holds(s, here) || strand_is_spilled(s, here))
			return s;
	for (uint32_t i = 0, nr = count_strands(); !tid && i < nr; i++) {
		s = strands[i];
		if (s && s->tid > 0 && (strand_holds(s, here) || strand_is_spilled(s, here)))
			return s;
	}
	return &agent_root;
}

/* The strand that this thread's stubs find; the root: it has none yet. */
struct strand *strand_found(void)
{
	if (agent_config.found_by == FCA_BY_REGISTER)
		return strand_at(read_strand());
	if (!is_in_table())
		return find_by_tid();
	uint64_t thread = thread_now();
	struct strand *s = strand_at(agent_threads[fca_thread_index(thread)]);
	return s->thread == thread ? s : &agent_root;
}

struct strand *strand_current(void)
{
	struct strand *s = strand_found();
	if (s == &agent_root)
		return NULL;
	if (!s->words && !s->is_muted && agent_config.is_quiet && s->ring) {
		s->is_muted = MUTED_LOST; /* a forked child that may not ask for its own id */
	} else if (!s->words && !s->is_muted) {
		int pid = thread_pid(s);
		if (pid != s->pid)
			adopt_fork(s, pid);
		else
			ring_claim(s);
	}
	return s;
}

struct strand *strand_muted(void)
{
	struct strand *s = strand_current();
	return s && s->is_muted ? s : NULL;
}

struct strand *strand_spilled(uint64_t slot)
{
	struct strand *s = strand_current();
	return s && !s->is_muted && strand_is_spilled(s, slot) ? s : NULL;
}
