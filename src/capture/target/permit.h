/* SPDX-License-Identifier: Apache-2.0 */
/* permit.h - why the kernel does not let this process look into another one, or trace it. */
#ifndef FC_CAPTURE_TARGET_PERMIT_H
#define FC_CAPTURE_TARGET_PERMIT_H

/*
 * err (> 0) came back for process pid; what names what was not done: "trace process 17". Returns
 * -err with a sentence: what forbids it, and if there is a way, which.
 */
__attribute__((format(printf, 3, 4))) int fc_permit_fail(int err, int pid, const char *what,
							 ...);

/* kernel.yama.ptrace_scope; 0: anybody may trace what is theirs, or there is no Yama. */
int fc_permit_yama(void);

#endif
