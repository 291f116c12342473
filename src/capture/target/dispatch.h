/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dispatch.h - syscall user dispatch: a thread whose system calls become SIGSYS, but for those of
 * one range of its code, and while a byte of its memory allows all.
 */
#ifndef FC_CAPTURE_TARGET_DISPATCH_H
#define FC_CAPTURE_TARGET_DISPATCH_H

#include <stdbool.h>
#include <stdint.h>

/* As PTRACE_GET_SYSCALL_USER_DISPATCH_CONFIG has it: struct ptrace_sud_config. */
struct fc_dispatch {
	uint64_t mode; /* 0: off */
	uint64_t selector, offset, size;
};

enum {
	FC_SET_DISPATCH = 59, /* PR_SET_SYSCALL_USER_DISPATCH, prctl(2) */
	FC_DISPATCHED = 2,    /* si_code of the SIGSYS: SYS_USER_DISPATCH */
};

/*
 * Of a thread in a ptrace stop. False: the kernel cannot tell (before Linux 6.4), or has no
 * dispatch; *ret is off then.
 */
bool fc_dispatch_read(int tid, struct fc_dispatch *ret);
bool fc_dispatch_is_on(int tid);
/* It stands behind a system call that was dispatched, before the signal is delivered. */
bool fc_dispatch_is_coming(int tid);
/* Where fc_dispatch_read() is true. -errno: the thread is gone. */
int fc_dispatch_write(int tid, const struct fc_dispatch *dispatch);

#endif
