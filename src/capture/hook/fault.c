/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A handler of SIGSEGV may ask where the fault was: OCaml's takes an overflow of the stack for one
 * only in OCaml's own code, and crash reporters name the function. So the place is the function's,
 * its start or the instruction that was moved:
 *
 *   f:   jmp stub   <--.    stub:  mov %rax, -0x8(%rsp)    no room: nothing has changed yet
 *                      |           ...
 *                      '--  body:  sub $0x28, %rsp
 *                                  mov %rbx, 0x8(%rsp)     no room: %rsp goes back by 0x28
 *
 * A handler that returns, after it has made room, runs the function from its start. That is the same
 * call: its shadow entry says so. A function without an entry (entry only, or jumped to by another) is
 * recorded once more.
 */
#include "capture/hook/fault.h"

#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/ptrace.h>

#include "capture/hook/ledger.h"
#include "capture/hook/patcher.h"
#include "capture/hook/space_private.h"
#include "capture/patch/choice.h"
#include "capture/target/registers.h"

static bool is_fault(int tid)
{
	siginfo_t info;
	return !ptrace(PTRACE_GETSIGINFO, tid, 0, &info) && info.si_code > 0;
}

/* The code as it would be, had its switch not been put off. */
static void take_as_on(uint8_t *code, size_t size)
{
	uint8_t bytes[FC_MAX_SWITCH];
	size_t nr = fc_arch_here->stub->make_switch(code, false, bytes);
	if (size < nr || memcmp(code, bytes, nr) != 0)
		return;
	fc_arch_here->stub->make_switch(code, true, bytes);
	memcpy(code, bytes, nr);
}

/*
 * May what ran from taddr up to ip run again, when the stack pointer is higher by *raise? A stub's
 * switch was on when it came by, though it may have been switched off since.
 */
static bool may_run_again(int mem_fd, uint64_t stub, uint64_t taddr, uint64_t ip,
			  uint64_t *raise)
{
	uint8_t code[UINT8_MAX] = { 0 };
	size_t size = ip - taddr;
	if (ip - taddr >= sizeof(code) || !fc_remote_get(mem_fd, taddr, code, size))
		return false;
	if (taddr == stub)
		take_as_on(code, size);
	return fc_arch_here->stub->may_run_again(code, size, raise);
}

/* Whose pool taddr lies in; NULL: it is in none. */
static const struct fc_known *find_known(const struct fc_space *space, uint64_t taddr)
{
	fc_vec_each (&space->known, known)
		if (taddr - known->pool < known->pool_size)
			return known;
	return NULL;
}

static bool find_ledger(const struct fc_space *space, uint64_t taddr, struct fc_ledger *ret)
{
	const struct fc_known *known = find_known(space, taddr);
	return known && fc_ledger_read(space->mem_fd, known->pool, ret);
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
			     ? fc_arch_here->stub->values_off(begin)
			     : 0;
	if (off && ip >= stub + off)
		return stub + off;
	return ip > stub + moves[nr - 1].to && fc_remote_get(mem_fd, ip, code, sizeof(code)) &&
			       fc_arch_here->thread->is_door(code)
		       ? ip
		       : body;
}

/* Of a moved instruction: how far behind the window's begin it was. False: ip is at none. */
static bool find_moved(const struct fc_move *moves, size_t nr, uint64_t off, uint64_t *ret)
{
	for (size_t i = 0; i < nr; i++)
		if (moves[i].to == off) {
			*ret = moves[i].from;
			return true;
		}
	return false;
}

/* What the thread's stubs find of its strand; 0: that is not known. */
static uint64_t strand_of(const struct fc_space *space, const struct fc_regs *regs)
{
	uint64_t table = space->agent + space->header.threads, strand = 0;
	if (space->found_by == FCA_BY_REGISTER)
		return fc_regs_get(regs, FC_REG_STRAND);
	if (space->found_by == FCA_BY_THREAD)
		fc_remote_get(space->mem_fd,
			      table + fca_thread_index(fc_regs_get(regs, FC_REG_THREAD)) *
					      sizeof(strand),
			      &strand, sizeof(strand));
	return strand;
}

/* The call is recorded, and its function is about to begin again. */
static void keep_call(const struct fc_space *space, const struct fc_ledger *ledger,
		      const struct fca_patch *site, const struct fc_regs *regs)
{
	struct fca_shadow entry;
	uint64_t strand = strand_of(space, regs), slot = fc_regs_get(regs, FC_REG_SP);
	uint64_t top, word;
	if (site->kind != FC_STUB_CALL || !strand ||
	    !fc_remote_get(space->mem_fd, strand + FCA_STRAND_SHADOW, &top, sizeof(top)) ||
	    !fc_remote_get(space->mem_fd, top, &entry, sizeof(entry)) || entry.slot != slot ||
	    !fc_remote_get(space->mem_fd, slot, &word, sizeof(word)) || word < ledger->pool ||
	    word >= ledger->end || fc_ledger_owner(ledger, word - ledger->pool) != site)
		return;
	if (fc_remote_write(space->mem_fd, slot, &entry.ret, sizeof(entry.ret)))
		return;
	entry.ret = FCA_SHADOW_RESTARTED(ledger->pool + site->stub);
	fc_remote_write(space->mem_fd, top, &entry, sizeof(entry));
}

/* A stub, and which of the function's instructions it has where. */
struct moved {
	const struct fca_patch *site;
	uint64_t stub;
	struct fc_move at[FC_MAX_MOVES];
	size_t nr;
};

/* Of the stub that ip is in. False: it is in none, or that has none. */
static bool find_stub(const struct fc_space *space, const struct fc_ledger *ledger, uint64_t ip,
		      struct moved *ret)
{
	ret->site = fc_ledger_owner(ledger, ip - ledger->pool);
	ret->nr = ret->site ? fc_ledger_moves(ledger, space->mem_fd, ret->site, ret->at) : 0;
	ret->stub = ret->site ? ledger->pool + ret->site->stub : 0;
	return ret->nr;
}

/* Where the function may run again from its start it does. What dies there is told where it was. */
static bool leave_stub(const struct fc_space *space, const struct fc_ledger *ledger,
		       bool is_last, struct fc_regs *regs)
{
	int mem_fd = space->mem_fd;
	struct moved moved;
	uint64_t ip = fc_regs_get(regs, FC_REG_IP), raise = 0, off = 0;
	if (!find_stub(space, ledger, ip, &moved))
		return false;
	if (is_last && find_moved(moved.at, moved.nr, ip - moved.stub, &off)) {
		fc_regs_set(regs, FC_REG_IP, moved.site->taddr + off);
		return true;
	}
	uint64_t part = part_of(mem_fd, moved.stub, moved.at, moved.nr, ip);
	if (!may_run_again(mem_fd, moved.stub, part, ip, &raise))
		return false;
	fc_regs_set(regs, FC_REG_IP, moved.site->taddr);
	fc_regs_set(regs, FC_REG_SP, fc_regs_get(regs, FC_REG_SP) + raise);
	if (part == moved.stub + moved.at[0].to)
		keep_call(space, ledger, moved.site, regs);
	return true;
}

/* Is the function's own code there? */
static bool is_bare(const struct fc_space *space, const struct fca_patch *site)
{
	uint8_t code[FCA_MAX_PATCH];
	struct fc_patch patch = fc_ledger_patch(site);
	return site->size <= sizeof(code) && !fc_patch_is_there(space->mem_fd, &patch) &&
	       fc_remote_get(space->mem_fd, site->taddr, code, site->size) &&
	       !memcmp(code, site->old, site->size);
}

/* In whose moved instructions ip is; NULL: in none. */
static const struct fca_patch *moved_site(const struct fc_space *space,
					  const struct fc_ledger *ledger, uint64_t ip,
					  bool *may_restart)
{
	struct moved moved;
	uint64_t off = 0, raise = 0;
	if (!find_stub(space, ledger, ip, &moved) ||
	    !find_moved(moved.at, moved.nr, ip - moved.stub, &off))
		return NULL;
	*may_restart = may_run_again(space->mem_fd, moved.stub, moved.stub + moved.at[0].to, ip,
				     &raise);
	return moved.site;
}

bool fc_fault_find(const struct fc_space *space, int tid, struct fc_fault_place *ret)
{
	struct fc_regs regs;
	fc_auto_ledger struct fc_ledger ledger = { 0 };
	if (!space || !is_fault(tid) || fc_registers_read(tid, &regs))
		return false;
	uint64_t ip = fc_regs_get(&regs, FC_REG_IP);
	const struct fc_known *known = find_known(space, ip);
	if (!known || !fc_ledger_read(space->mem_fd, known->pool, &ledger))
		return false;
	bool may_restart = false;
	const struct fca_patch *site = moved_site(space, &ledger, ip, &may_restart);
	const struct fc_func_info *func =
		site ? fc_module_func(known->module, fc_patch_site(site) - known->bias) : NULL;
	if (!func || !func->id)
		return false;
	*ret = (struct fc_fault_place){ func->id, func->name ? func->name : "a function",
					may_restart, is_bare(space, site) };
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
	       fc_arch_here->thread->is_door(code);
}

static bool leave_door(const struct fc_ledger *ledger, int mem_fd, struct fc_regs *regs)
{
	uint64_t saved[FC_DOOR_SAVED];
	const struct fca_patch *site = fc_ledger_owner(
		ledger, fc_arch_here->thread->door_goes_on(regs) - ledger->pool);
	if (!site || !fc_remote_get(mem_fd, fc_regs_get(regs, FC_REG_SP), saved, sizeof(saved)))
		return false;
	fc_arch_here->thread->leave_door(regs, saved);
	fc_regs_set(regs, FC_REG_IP, site->taddr);
	return true;
}

void fc_fault_place(const struct fc_space *space, int tid, bool is_last)
{
	struct fc_regs regs;
	fc_auto_ledger struct fc_ledger ledger = { 0 };
	if (!space || !is_fault(tid) || fc_registers_read(tid, &regs))
		return;
	uint64_t ip = fc_regs_get(&regs, FC_REG_IP);
	bool is_door = is_at_door(space, ip);
	if (!find_ledger(space, is_door ? fc_arch_here->thread->door_goes_on(&regs) : ip,
			 &ledger))
		return;
	if (is_door ? leave_door(&ledger, space->mem_fd, &regs)
		    : leave_stub(space, &ledger, is_last, &regs))
		fc_registers_write(tid, &regs);
}
