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
#include <sys/ptrace.h>

#include "capture/hook/ledger.h"
#include "capture/hook/space_private.h"
#include "capture/target/registers.h"

static bool is_fault(int tid)
{
	siginfo_t info;
	return !ptrace(PTRACE_GETSIGINFO, tid, 0, &info) && info.si_code > 0;
}

/*
 * May what ran from taddr up to ip run again, when the stack pointer is higher by *raise? A stub's
 * switch was on when it came by, though it may have been switched off since.
 */
static bool may_run_again(int mem_fd, uint64_t stub, uint64_t taddr, uint64_t ip,
			  uint64_t *raise)
{
	uint8_t code[UINT8_MAX];
	size_t size = ip - taddr;
	if (ip - taddr >= sizeof(code) || !fc_remote_get(mem_fd, taddr, code, size))
		return false;
	if (taddr == stub && size && code[0] == fc_arch_here->switch_off)
		code[0] = fc_arch_here->switch_on;
	return fc_arch_here->may_run_again(code, size, raise);
}

/* The ledger of the pool that taddr lies in. False: it is in none. */
static bool find_ledger(const struct fc_space *space, uint64_t taddr, struct fc_ledger *ret)
{
	fc_vec_each (&space->known, known)
		if (taddr - known->pool < known->pool_size)
			return fc_ledger_read(space->mem_fd, known->pool, ret);
	return false;
}

/*
 * Where the part of a stub begins that ip is in: the stub itself, its body, or what is behind that: code for
 * values, or for counting, whose first word has no room.
 */
static uint64_t part_of(int mem_fd, uint64_t stub, const struct fc_move *moves, size_t nr,
			uint64_t ip)
{
	uint8_t begin[FC_STUB_BEGIN], code[FC_DOOR_SIZE];
	uint64_t body = stub + moves[0].to;
	if (ip < body)
		return stub;
	size_t off = fc_remote_get(mem_fd, stub, begin, sizeof(begin))
			     ? fc_arch_here->values_off(begin)
			     : 0;
	if (off && ip >= stub + off)
		return stub + off;
	return ip > stub + moves[nr - 1].to && fc_remote_get(mem_fd, ip, code, sizeof(code)) &&
			       fc_arch_here->is_door(code)
		       ? ip
		       : body;
}

static bool leave_stub(const struct fc_ledger *ledger, int mem_fd, struct fc_regs *regs)
{
	struct fc_move moves[FC_MAX_MOVES];
	uint64_t ip = fc_regs_get(regs, FC_REG_IP);
	const struct fca_patch *site = fc_ledger_owner(ledger, ip - ledger->pool);
	size_t nr = site ? fc_ledger_moves(ledger, mem_fd, site, moves) : 0;
	uint64_t stub = site ? ledger->pool + site->stub : 0, raise = 0;
	if (!nr ||
	    !may_run_again(mem_fd, stub, part_of(mem_fd, stub, moves, nr, ip), ip, &raise))
		return false;
	fc_regs_set(regs, FC_REG_IP, site->taddr);
	fc_regs_set(regs, FC_REG_SP, fc_regs_get(regs, FC_REG_SP) + raise);
	return true;
}

/*
 * Is it a door of the agent's, for which there is no room? The first that these write, before
 * anything is done, is the word below what the stub has saved. The last doors are those of calls that
 * have returned, which are not to run again.
 */
static bool is_at_door(const struct fc_space *space, uint64_t ip)
{
	uint8_t code[FC_DOOR_SIZE];
	return ip - space->agent < space->header.result &&
	       fc_remote_get(space->mem_fd, ip, code, sizeof(code)) &&
	       fc_arch_here->is_door(code);
}

static bool leave_door(const struct fc_ledger *ledger, int mem_fd, struct fc_regs *regs)
{
	uint64_t saved[FC_DOOR_SAVED];
	const struct fca_patch *site =
		fc_ledger_owner(ledger, fc_arch_here->door_goes_on(regs) - ledger->pool);
	if (!site || !fc_remote_get(mem_fd, fc_regs_get(regs, FC_REG_SP), saved, sizeof(saved)))
		return false;
	fc_arch_here->leave_door(regs, saved);
	fc_regs_set(regs, FC_REG_IP, site->taddr);
	return true;
}

void fc_fault_place(const struct fc_space *space, int tid)
{
	struct fc_regs regs;
	fc_auto_ledger struct fc_ledger ledger = { 0 };
	if (!space || !is_fault(tid) || fc_registers_read(tid, &regs))
		return;
	uint64_t ip = fc_regs_get(&regs, FC_REG_IP);
	bool is_door = is_at_door(space, ip);
	if (!find_ledger(space, is_door ? fc_arch_here->door_goes_on(&regs) : ip, &ledger))
		return;
	if (is_door ? leave_door(&ledger, space->mem_fd, &regs)
		    : leave_stub(&ledger, space->mem_fd, &regs))
		fc_registers_write(tid, &regs);
}
