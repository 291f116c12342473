/* SPDX-License-Identifier: Apache-2.0 */
/* registers.h - the registers of a thread in a ptrace stop, and where it is to stop. */
#ifndef FC_CAPTURE_TARGET_REGISTERS_H
#define FC_CAPTURE_TARGET_REGISTERS_H

#include <stdbool.h>

#include "arch/regs.h"

/* -ENOTSUP with a sentence: there is no port to this machine, so nothing here can be used. */
int fc_registers_check(void);

/* All of them; write() gives back what read() got, with changes. -errno: the thread is gone. */
int fc_registers_read(int tid, struct fc_regs *ret);
int fc_registers_write(int tid, const struct fc_regs *regs);

/* One of them. -errno: the thread is gone. */
int fc_register_read(int tid, enum fc_reg reg, uint64_t *ret);
int fc_register_write(int tid, enum fc_reg reg, uint64_t value);

/* Have it stop (SIGTRAP) before the instruction at taddr; 0: nowhere any more. */
bool fc_registers_break_at(int tid, uint64_t taddr);

#endif
