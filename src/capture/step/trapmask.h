/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trapmask.h - a stepped thread may block SIGTRAP, or so it believes.
 *
 * Each step is a SIGTRAP. If it is blocked the kernel unblocks it and takes its handler away
 * (force_sig_info() in kernel/signal.c). So it is never blocked, and what rt_sigprocmask
 * tells the program is put right:
 *
 *   before the syscall    begin(): the call's arguments are noted, no step but PTRACE_SYSCALL
 *   behind it             end(): SIGTRAP is unblocked again, the old mask told as it would be
 */
#ifndef FC_CAPTURE_STEP_TRAPMASK_H
#define FC_CAPTURE_STEP_TRAPMASK_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/regs.h"

struct fc_trapmask {
	bool is_held;	 /* one was sent meanwhile */
	bool is_blocked; /* the program has blocked SIGTRAP */
	bool will_be;	 /* the same when the call that was begun succeeds */
	uint64_t old;	 /* where that call puts the old mask; 0: nowhere */
};

/* The thread has come to a system call. True: it is one that end() is to follow. */
bool fc_trapmask_begin(struct fc_trapmask *mask, int tid, const struct fc_regs *regs);
/* Returns SIGTRAP if one was held that the program is to get now, else 0. */
int fc_trapmask_end(struct fc_trapmask *mask, int tid);

/* A SIGTRAP is there that is no step's. True: it was sent, and is not to be seen yet. */
bool fc_trapmask_hold(struct fc_trapmask *mask, int tid);

/* Something else has changed the thread's mask: a handler has begun. */
void fc_trapmask_unblock(int tid);
/* No step will follow: the mask is what the program made it. */
void fc_trapmask_restore(const struct fc_trapmask *mask, int tid);

#endif
