/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A handler of SIGSEGV may ask where the fault was: OCaml's takes an overflow of the stack for one
 * only in OCaml's own code, and crash reporters name the function. So the place is the function's:
 *
 *   f:   jmp stub   <--.    stub:  mov %rax, -0x8(%rsp)    no room: nothing has changed yet
 *                      |           ...
 *                      '--  body:  sub $0x28, %rsp
 *                                  mov %rbx, 0x8(%rsp)     no room: %rsp goes back by 0x28
 *
 * A handler that returns, after it has made room, runs the function from its start.
 */
#include "user/fault.h"

#include <signal.h>
#include <stdint.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <unistd.h>

#include "user/ledger.h"
#include "user/space_private.h"

static bool is_fault(int tid)
{
	siginfo_t info;
	return !ptrace(PTRACE_GETSIGINFO, tid, 0, &info) && info.si_code > 0;
}

/* May what ran from taddr up to rip run again, when the stack pointer is higher by *raise? */
static bool may_run_again(int mem_fd, uint64_t taddr, uint64_t rip, uint64_t *raise)
{
	uint8_t code[UINT8_MAX];
	size_t size = rip - taddr;
	return rip - taddr < sizeof(code) &&
	       pread(mem_fd, code, size, (off_t)taddr) == (ssize_t)size &&
	       fc_arch_x86_64.may_run_again(code, size, raise);
}

static void put_back(const struct fc_ledger *ledger, int mem_fd, int tid,
		     struct user_regs_struct *regs)
{
	struct fc_move moves[FC_MAX_MOVES];
	const struct fca_patch *site = fc_ledger_owner(ledger, regs->rip - ledger->pool);
	size_t nr = site ? fc_ledger_moves(ledger, mem_fd, site, moves) : 0;
	uint64_t stub = site ? ledger->pool + site->stub : 0, raise = 0;
	uint64_t body = nr ? stub + moves[0].to : 0;
	uint64_t from = regs->rip < body ? stub : body;
	if (!nr || !may_run_again(mem_fd, from, regs->rip, &raise))
		return;
	regs->rip = site->taddr;
	regs->rsp += raise;
	ptrace(PTRACE_SETREGS, tid, 0, regs);
}

void fc_fault_place(const struct fc_space *space, int tid)
{
	struct user_regs_struct regs;
	if (!space || !is_fault(tid) || ptrace(PTRACE_GETREGS, tid, 0, &regs))
		return;
	fc_vec_each (&space->known, known) {
		struct fc_ledger ledger;
		if (!known->pool || regs.rip < known->pool ||
		    !fc_ledger_read(space->mem_fd, known->pool, &ledger))
			continue;
		bool is_in = regs.rip < ledger.end;
		if (is_in)
			put_back(&ledger, space->mem_fd, tid, &regs);
		fc_ledger_deinit(&ledger);
		if (is_in)
			return;
	}
}
