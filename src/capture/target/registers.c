/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/target/registers.h"

#include <elf.h>
#include <errno.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

#include "arch/arch.h"
#include "base/fail.h"

int fc_registers_check(void)
{
	return fc_arch_here
		       ? 0
		       : fc_fail(ENOTSUP, "fctrace traces no programs on this machine yet");
}

/*
 * PTRACE_GETREGSET gives the layout of the mode that the thread is in, and a program may enter
 * 32-bit code and come back (Wine does): then what is asked for is the tracer's own layout.
 */
static int ask_by_tracer(int tid, struct fc_regs *regs, bool is_write)
{
#ifdef PT_GETREGS
	regs->is_by_tracer = true;
	return ptrace(is_write ? PTRACE_SETREGS : PTRACE_GETREGS, tid, 0, regs->word) ? -errno
										      : 0;
#else
	return -ENOTSUP;
#endif
}

int fc_registers_read(int tid, struct fc_regs *ret)
{
	*ret = (struct fc_regs){ .words = fc_arch_here->thread->reg_words };
	struct iovec all = { ret->word, fc_arch_here->thread->regs_size };
	if (ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &all))
		return -errno;
	return all.iov_len == fc_arch_here->thread->regs_size ? 0
							      : ask_by_tracer(tid, ret, false);
}

int fc_registers_write(int tid, const struct fc_regs *regs)
{
	struct fc_regs copy = *regs;
	struct iovec all = { copy.word, fc_arch_here->thread->regs_size };
	if (regs->is_by_tracer)
		return ask_by_tracer(tid, &copy, true);
	return ptrace(PTRACE_SETREGSET, tid, NT_PRSTATUS, &all) ? -errno : 0;
}

int fc_register_read(int tid, enum fc_reg reg, uint64_t *ret)
{
	struct fc_regs regs;
	int err = fc_registers_read(tid, &regs);
	*ret = err ? 0 : fc_regs_get(&regs, reg);
	return err;
}

/* Alone, where that can be: a segment's base and its selector are not to be written at once. */
int fc_register_write(int tid, enum fc_reg reg, uint64_t value)
{
	struct fc_regs regs;
	if (fc_arch_here->thread->has_user_area) {
		uint64_t off = fc_arch_here->thread->reg_words[reg] * sizeof(value);
		return ptrace(PTRACE_POKEUSER, tid, off, value) ? -errno : 0;
	}
	int err = fc_registers_read(tid, &regs);
	if (err)
		return err;
	fc_regs_set(&regs, reg, value);
	return fc_registers_write(tid, &regs);
}

bool fc_registers_break_at(int tid, uint64_t taddr)
{
	struct fc_user_word words[FC_BREAK_WORDS];
	bool ok = true;
	fc_arch_here->thread->breakpoint(taddr, words);
	for (int i = 0; ok && i < FC_BREAK_WORDS; i++)
		ok = !ptrace(PTRACE_POKEUSER, tid, words[i].off, words[i].value);
	return ok;
}
