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

/* May what ran from taddr up to ip run again, when the stack pointer is higher by *raise? */
static bool may_run_again(int mem_fd, uint64_t taddr, uint64_t ip, uint64_t *raise)
{
	uint8_t code[UINT8_MAX];
	size_t size = ip - taddr;
	return ip - taddr < sizeof(code) && fc_remote_get(mem_fd, taddr, code, size) &&
	       fc_arch_here->may_run_again(code, size, raise);
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
 * Behind the body: where the code begins that asks for values, whose first words have no room. 0: that
 * is not where it stands.
 */
static uint64_t values_begin(int mem_fd, uint64_t ip)
{
	enum { STORES = 3, STORE_SIZE = 5 };
	for (uint64_t at = ip; at > ip - STORES * STORE_SIZE; at -= STORE_SIZE) {
		uint8_t code[FC_DOOR_SIZE];
		if (fc_remote_get(mem_fd, at, code, sizeof(code)) &&
		    fc_arch_here->is_door(code))
			return at;
	}
	return 0;
}

static bool leave_stub(const struct fc_ledger *ledger, int mem_fd, struct fc_regs *regs)
{
	enum { LONGEST_INSN = 15 };
	struct fc_move moves[FC_MAX_MOVES];
	uint64_t ip = fc_regs_get(regs, FC_REG_IP);
	const struct fca_patch *site = fc_ledger_owner(ledger, ip - ledger->pool);
	size_t nr = site ? fc_ledger_moves(ledger, mem_fd, site, moves) : 0;
	uint64_t stub = site ? ledger->pool + site->stub : 0, raise = 0;
	uint64_t body = nr ? stub + moves[0].to : 0;
	uint64_t end = nr ? stub + moves[nr - 1].to + LONGEST_INSN : 0;
	uint64_t from = ip < body ? stub : ip < end ? body : values_begin(mem_fd, ip);
	if (!nr || !from || !may_run_again(mem_fd, from, ip, &raise))
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
