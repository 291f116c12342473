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
#include "capture/hook/fault.h"

#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <unistd.h>

#include "capture/hook/ledger.h"
#include "capture/hook/space_private.h"

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

/* The ledger of the pool that taddr lies in. False: it is in none. */
static bool find_ledger(const struct fc_space *space, uint64_t taddr, struct fc_ledger *ret)
{
	fc_vec_each (&space->known, known)
		if (taddr - known->pool < known->pool_size)
			return fc_ledger_read(space->mem_fd, known->pool, ret);
	return false;
}

static bool leave_stub(const struct fc_ledger *ledger, int mem_fd,
		       struct user_regs_struct *regs)
{
	struct fc_move moves[FC_MAX_MOVES];
	const struct fca_patch *site = fc_ledger_owner(ledger, regs->rip - ledger->pool);
	size_t nr = site ? fc_ledger_moves(ledger, mem_fd, site, moves) : 0;
	uint64_t stub = site ? ledger->pool + site->stub : 0, raise = 0;
	uint64_t body = nr ? stub + moves[0].to : 0;
	uint64_t from = regs->rip < body ? stub : body;
	if (!nr || !may_run_again(mem_fd, from, regs->rip, &raise))
		return false;
	regs->rip = site->taddr;
	regs->rsp += raise;
	return true;
}

/*
 * Is it a door of the agent's, for which there is no room? The first that these write, before
 * anything is done, is the word below what the stub has saved.
 */
static bool is_at_door(const struct fc_space *space, uint64_t rip)
{
	static const uint8_t mov_rax[] = { 0x48, 0x89, 0x44, 0x24, 0xf8 }; /* -8(%rsp) */
	uint8_t code[sizeof(mov_rax)];
	return rip - space->agent < space->header.size &&
	       pread(space->mem_fd, code, sizeof(code), (off_t)rip) == sizeof(code) &&
	       !memcmp(code, mov_rax, sizeof(code));
}

/* rax is where the stub goes on: in it. */
static bool leave_door(const struct fc_ledger *ledger, int mem_fd,
		       struct user_regs_struct *regs)
{
	uint64_t saved[3]; /* rdx, rcx, rax */
	const struct fca_patch *site = fc_ledger_owner(ledger, regs->rax - ledger->pool);
	if (!site ||
	    pread(mem_fd, saved, sizeof(saved), (off_t)regs->rsp) != (ssize_t)sizeof(saved))
		return false;
	regs->rdx = saved[0];
	regs->rcx = saved[1];
	regs->rax = saved[2];
	regs->rsp += sizeof(saved);
	regs->rip = site->taddr;
	return true;
}

void fc_fault_place(const struct fc_space *space, int tid)
{
	struct user_regs_struct regs;
	struct fc_ledger ledger;
	if (!space || !is_fault(tid) || ptrace(PTRACE_GETREGS, tid, 0, &regs))
		return;
	bool is_door = is_at_door(space, regs.rip);
	if (!find_ledger(space, is_door ? regs.rax : regs.rip, &ledger))
		return;
	if (is_door ? leave_door(&ledger, space->mem_fd, &regs)
		    : leave_stub(&ledger, space->mem_fd, &regs))
		ptrace(PTRACE_SETREGS, tid, 0, &regs);
	fc_ledger_deinit(&ledger);
}
