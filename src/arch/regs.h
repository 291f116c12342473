/* SPDX-License-Identifier: Apache-2.0 */
/* regs.h - the registers of a stopped thread that a tracer asks for, whatever its machine. */
#ifndef FC_ARCH_REGS_H
#define FC_ARCH_REGS_H

#include <stdbool.h>
#include <stdint.h>

enum fc_reg {
	FC_REG_IP,
	FC_REG_SP,
	FC_REG_RESULT, /* of a system call */
	FC_REG_NR,     /* of a system call, before it is made */
	FC_REG_CALL,   /* the system call that it is in, negative: none */
	FC_REG_ARG,    /* its first argument; the others follow */
	FC_REG_ARG_LAST = FC_REG_ARG + 5,
	FC_REG_STRAND, /* by which stubs find their strand */
	FC_REG_THREAD, /* each thread's own, for the C library */
	FC_NR_REGS,
};

enum { FC_REGS_WORDS = 34 }; /* of the machine that has most: aarch64 */

/* All general registers as the kernel gives them (PTRACE_GETREGSET, NT_PRSTATUS). */
struct fc_regs {
	uint64_t word[FC_REGS_WORDS];
	const uint8_t *words; /* where each enum fc_reg is: struct fc_arch */
	bool is_by_tracer;    /* got in the tracer's layout, not in that of the thread's mode */
};

static inline uint64_t fc_regs_get(const struct fc_regs *regs, enum fc_reg reg)
{
	return regs->word[regs->words[reg]];
}

static inline void fc_regs_set(struct fc_regs *regs, enum fc_reg reg, uint64_t value)
{
	regs->word[regs->words[reg]] = value;
}

#endif
