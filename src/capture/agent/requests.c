/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the program is about to ask of the kernel that tracing depends on: filters, tracers, rights, code that is to
 * be written, limits of memory. Stubs of the functions that do so come here before these run.
 */
#include "capture/agent/requests.h"

#include "capture/agent/agent.h"
#include "capture/agent/base/bell.h"
#include "capture/agent/base/config.h"
#include "capture/agent/base/machine.h"
#include "capture/agent/base/mail.h"
#include "capture/agent/base/pages.h"
#include "capture/agent/base/site.h"
#include "capture/agent/strand/claim.h"
#include "capture/agent/strand/current.h"
#include "capture/agent/strand/entries.h"
#include "capture/agent/strand/extent.h"
#include "capture/agent/strand/in_quiet.h"
#include "capture/agent/strand/load.h"
#include "capture/agent/strand/pen.h"

/*
 * prctl(operation, mode, ...): system calls become SIGSYS, but for those of libc. The modes are all
 * that there are, and no pointer: 59 is execve, too.
 */
static bool dispatches(uint64_t operation, uint64_t mode)
{
	enum { PR_SET_SYSCALL_USER_DISPATCH = 59, EXCLUSIVE_ON = 1, INCLUSIVE_ON = 2 };
	return operation == PR_SET_SYSCALL_USER_DISPATCH &&
	       (mode == EXCLUSIVE_ON || mode == INCLUSIVE_ON);
}

/*
 * May this system call install a seccomp filter, or a dispatch? A filter without a program is
 * asked for in order to be refused: it tells whether the kernel has filters (seccomp(2)).
 */
static bool installs_filter(uint64_t nr, uint64_t first, uint64_t second, uint64_t third)
{
	enum { PR_SET_SECCOMP = 22, MODE_FILTER = 2, SET_MODE_STRICT = 0, SET_MODE_FILTER = 1 };
	if (nr == NR_prctl && first == PR_SET_SECCOMP)
		return second != MODE_FILTER || third;
	if (nr == NR_prctl && dispatches(first, second))
		return true;
	return nr == NR_seccomp &&
	       (first == SET_MODE_STRICT || (first == SET_MODE_FILTER && third));
}

/* prctl's operations by which rdtsc becomes a fault: SECCOMP_MODE_STRICT does it as well. */
static bool forbids_clock(uint64_t operation, uint64_t mode)
{
	enum { PR_SET_SECCOMP = 22, MODE_STRICT = 1, PR_SET_TSC = 26, PR_TSC_SIGSEGV = 2 };
	return (operation == PR_SET_SECCOMP && mode == MODE_STRICT) ||
	       (operation == PR_SET_TSC && mode == PR_TSC_SIGSEGV);
}

/*
 * ptrace(request, pid, ...): a process can have one tracer only, so the controller is asked to
 * let go of it.
 */
static void watch_trace(uint64_t request, uint64_t pid)
{
	enum { TRACEME = 0, ATTACH = 16, SEIZE = 0x4206 };
	struct fca_arena *arena = agent_arena();
	if (agent_config.is_quiet || agent_is_alone(arena))
		return;
	if (request == TRACEME)
		mail_send(arena, FCA_LETTER_GIVE_UP, 0, 0);
	else if ((request == ATTACH || request == SEIZE) && (int)pid > 0)
		mail_send(arena, FCA_LETTER_GIVE_UP, pid, 0);
}

/* Processes that share rings have the same rights. */
static void watch_rights(void)
{
	struct fca_arena *arena = agent_arena();
	if (arena->is_shared && !agent_config.is_quiet && !agent_is_alone(arena))
		mail_send(arena, FCA_LETTER_RIGHTS, 0, 0);
}

static bool changes_rights(uint64_t nr)
{
	static const uint16_t calls[] = {
		NR_setuid,    NR_setgid,
		NR_setreuid,  NR_setregid,
		NR_setgroups, NR_setresuid,
		NR_setresgid, NR_setfsuid,
		NR_setfsgid,  NR_capset,
		NR_chroot,    NR_unshare,
		NR_setns,     NR_landlock_restrict_self,
	};
	for (uint32_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (calls[i] == nr)
			return true;
	return false;
}

/* Was one of the functions in [lo, hi) hooked? Patches in a ledger ascend; pages are behind them. */
static bool has_hooks(const struct fca_pool *pool, uint64_t lo, uint64_t hi)
{
	const uint32_t *ledger = (uint32_t *)(pool->lo + FCA_POOL_LEDGER * 8);
	const struct fca_patch *patches = (struct fca_patch *)(pool->lo + ledger[0]);
	uint32_t nr = ledger[1];
	while (nr && !patches[nr - 1].size)
		nr--;
	return nr && patches[0].taddr < hi &&
	       patches[nr - 1].taddr + sizeof(patches[0].old) > lo;
}

/* If any: the controller is to take them out before the program goes on. */
static void tell_of_hooks(enum fca_letter what, uint64_t lo, uint64_t hi)
{
	struct fca_arena *arena = agent_arena();
	uint32_t nr = __atomic_load_n(&agent_config.nr_mapped, __ATOMIC_ACQUIRE);
	if (agent_config.is_quiet || agent_is_alone(arena))
		return;
	for (uint32_t i = 0; i < nr; i++)
		if (has_hooks(&agent_config.pools[i], lo, hi)) {
			mail_send(arena, what, lo, hi);
			return;
		}
}

/* mprotect(start, size, protection): who writes over a jump would run into what is left of it. */
static void watch_write(uint64_t start, uint64_t size, uint64_t protection)
{
	enum { WRITE = 2 };
	strands_split(start, start + size);
	if (!(protection & WRITE))
		return;
	pages_written(start, start + size);
	tell_of_hooks(FCA_LETTER_WRITE, start, start + size);
}

/*
 * madvise(start, size, advice): a file's bytes may come back, page by page, and of a jump that is
 * on two pages one half would be left.
 */
static void watch_advice(uint64_t start, uint64_t size, uint64_t advice)
{
	enum { DONTNEED = 4, REMOVE = 9, DONTNEED_LOCKED = 24 };
	if (start % FCA_PAGE || start + size < start)
		return; /* it is refused */
	if (advice == DONTNEED || advice == REMOVE || advice == DONTNEED_LOCKED)
		tell_of_hooks(FCA_LETTER_DROP, start,
			      (start + size + FCA_PAGE - 1) & ~(uint64_t)(FCA_PAGE - 1));
}

/* prctl(PR_SET_NAME, at): at most 15 bytes count. */
static void watch_name(uint64_t slot, uint64_t at)
{
	const struct strand *s = strand_current();
	uint64_t first, second = 0;
	if (agent_config.is_quiet || agent_is_alone(agent_arena()) || !s ||
	    !load_word(s, slot, at, &first))
		return;
	load_word(s, slot, at + sizeof(first), &second);
	mail_send(agent_arena(), FCA_LETTER_NAME, first, second);
}

/*
 * What may be mapped must be enough for the program, and what may be locked, once it has locked all of
 * its memory: before that the limit is nothing to what is only mapped.
 */
static void watch_limit(uint64_t resource, uint64_t at)
{
	enum { MEMLOCK = 8, AS = 9 };
	uint64_t limit = 0;
	const struct strand *s = strand_current();
	if (!at || (resource != AS && (resource != MEMLOCK || !claim_has_locked())))
		return;
	if (!s || !load_word(s, 0, at, &limit) || limit != ~0ull)
		claim_less(limit);
}

/* setrlimit(resource, limit), or prlimit(pid, resource, limit, old): no address is that low. */
static void watch_limits(uint64_t first, uint64_t second, uint64_t third)
{
	enum { LAST_RESOURCE = 15 };
	bool has_pid = second <= LAST_RESOURCE;
	watch_limit(has_pid ? second : first, has_pid ? third : second);
}

static void watch_lock(void)
{
	enum { MEMLOCK = 8 };
	uint64_t limit[2] = { 0, 0 };
	if (agent_config.is_quiet)
		return;
	struct strand *s = strand_current();
	claim_unlock_later();
	if (s)
		strand_stop_at_next(s);
	syscall6(NR_prlimit64, 0, MEMLOCK, 0, (long)limit, 0, 0);
	if (limit[0] != ~0ull && !claim_may_lock_all())
		claim_less(limit[0]);
}

/* The true return address of the call whose slot holds this site: an open one's, near the top. */
static uint64_t true_caller(const struct strand *s, uint64_t slot, uint64_t site)
{
	enum { NEAR = 64 };
	uint64_t found;
	int nr = 0;
	for (struct fca_shadow *e = shadow_top(s); e > shadow_floor(s) && nr < NEAR; e--, nr++)
		if (shadow_is_armed(s, slot, e, &found) && found == site &&
		    !agent_is_site(e->ret))
			return e->ret;
	return site;
}

/* A profiler's, which each function tells where it returns to, by one of two arguments. */
static void pass_on_callers(struct agent_frame *frame)
{
	uint64_t slot = frame_slot(frame);
	const struct strand *s = strand_current();
	for (int i = 0; s && i < 2; i++)
		if (agent_is_site(frame_arg(frame, i)))
			frame_set_arg(frame, i, true_caller(s, slot, frame_arg(frame, i)));
}

/*
 * prctl(operation, ...) or syscall(number, ...), by which a program forbids itself system
 * calls. Which of the two need not be known: number 22 is pipe, and quiet does no harm; there is
 * no operation 101.
 */
void agent_on_filter(struct agent_frame *frame)
{
	enum { PR_SET_NAME = 15 };
	uint64_t id = frame->go - agent_config.place[FCA_PLACE_OTHER_BODY] +
		      agent_config.place[FCA_PLACE_OTHER_ID];
	uint32_t watch = *(uint32_t *)id & ((1 << FC_RECORD_KIND_BITS) - 1);
	uint64_t arg[4];
	for (int i = 0; i < 4; i++)
		arg[i] = frame_arg(frame, i);
	claim_unlocked();
	bool is_filter = installs_filter(NR_prctl, arg[0], arg[1], arg[2]) ||
			 installs_filter(arg[0], arg[1], arg[2], arg[3]);
	quiet_forget_refused();
	if (watch == FCA_WATCH_CALLER) /* before a call that ends by a jump to it is over */
		pass_on_callers(frame);
	if (agent_func_at(id)) /* else nobody asked to see it, and it tells of nothing */
		agent_on_entry_only(frame);
	switch (watch) {
	case FCA_WATCH_TRACE:
		watch_trace(arg[0], arg[1]);
		return;
	case FCA_WATCH_WRITE:
		watch_write(arg[0], arg[1], arg[2]);
		return;
	case FCA_WATCH_LEND:
		if (!agent_config.is_quiet && !agent_is_alone(agent_arena()))
			mail_send(agent_arena(), FCA_LETTER_LEND, 0, 0);
		return;
	case FCA_WATCH_RIGHTS:
		watch_rights();
		return;
	case FCA_WATCH_LIMIT:
		watch_limits(arg[0], arg[1], arg[2]);
		return;
	case FCA_WATCH_LOCK: /* mlockall's flags are no address */
		if (arg[0] >= FCA_PAGE)
			watch_advice(arg[0], arg[1], arg[2]);
		else
			watch_lock();
		return;
	case FCA_WATCH_CALLER:
		return;
	default:
		break;
	}
	if (is_filter || changes_rights(arg[0]))
		watch_rights();
	if (arg[0] == NR_mprotect || arg[0] == NR_pkey_mprotect)
		watch_write(arg[1], arg[2], arg[3]);
	if (arg[0] == NR_ptrace)
		watch_trace(arg[1], arg[2]);
	if (arg[0] == NR_setrlimit || arg[0] == NR_prlimit64)
		watch_limits(arg[1], arg[2], arg[3]);
	if (arg[0] == PR_SET_NAME || (arg[0] == NR_prctl && arg[1] == PR_SET_NAME))
		watch_name((uint64_t)frame_slot(frame), arg[0] == NR_prctl ? arg[2] : arg[1]);
	if (arg[0] == NR_mlockall)
		watch_lock();
	if (arg[0] == NR_madvise)
		watch_advice(arg[1], arg[2], arg[3]);
	if (is_filter)
		quiet_start();
	if (forbids_clock(arg[0], arg[1]) ||
	    (arg[0] == NR_prctl && forbids_clock(arg[1], arg[2])))
		blind_start();
}
