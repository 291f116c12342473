/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/step/trapmask.h"

#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/target/registers.h"

static const uint64_t sigtrap = 1ull << (SIGTRAP - 1);

static void set_blocked(int tid, bool is_blocked)
{
	uint64_t old, new;
	if (ptrace(PTRACE_GETSIGMASK, tid, sizeof(old), &old))
		return;
	new = is_blocked ? old | sigtrap : old & ~sigtrap;
	if (new != old)
		ptrace(PTRACE_SETSIGMASK, tid, sizeof(new), &new);
}

void fc_trapmask_unblock(int tid)
{
	set_blocked(tid, false);
}

void fc_trapmask_restore(const struct fc_trapmask *mask, int tid)
{
	if (mask->is_blocked)
		set_blocked(tid, true);
	if (mask->is_held)
		syscall(SYS_tkill, tid, SIGTRAP);
}

bool fc_trapmask_hold(struct fc_trapmask *mask, int tid)
{
	siginfo_t info;
	bool is_sent = !ptrace(PTRACE_GETSIGINFO, tid, 0, &info) && info.si_code <= 0;
	if (is_sent && mask->is_blocked)
		mask->is_held = true;
	return is_sent && mask->is_blocked;
}

static bool read_mask(int tid, uint64_t address, uint64_t *ret)
{
	errno = 0;
	*ret = (uint64_t)ptrace(PTRACE_PEEKDATA, tid, address, 0);
	return !errno;
}

bool fc_trapmask_begin(struct fc_trapmask *mask, int tid, const struct fc_regs *regs)
{
	uint64_t set;
	if (fc_regs_get(regs, FC_REG_NR) != SYS_rt_sigprocmask)
		return false;
	uint64_t how = fc_regs_get(regs, FC_REG_ARG), at = fc_regs_get(regs, FC_REG_ARG + 1);
	mask->old = fc_regs_get(regs, FC_REG_ARG + 2);
	mask->will_be = mask->is_blocked;
	if (!at || !read_mask(tid, at, &set))
		return true;
	if (how == SIG_SETMASK)
		mask->will_be = set & sigtrap;
	else if (set & sigtrap)
		mask->will_be = how == SIG_BLOCK;
	return true;
}

int fc_trapmask_end(struct fc_trapmask *mask, int tid)
{
	uint64_t old, result;
	int err = fc_register_read(tid, FC_REG_RESULT, &result);
	fc_trapmask_unblock(tid);
	if (err || result)
		return 0;
	if (mask->is_blocked && mask->old && read_mask(tid, mask->old, &old))
		ptrace(PTRACE_POKEDATA, tid, mask->old, old | sigtrap);
	mask->is_blocked = mask->will_be;
	bool is_due = mask->is_held && !mask->is_blocked;
	mask->is_held &= !is_due;
	return is_due ? SIGTRAP : 0;
}
