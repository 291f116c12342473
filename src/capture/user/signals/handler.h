/* SPDX-License-Identifier: Apache-2.0 */
/*
 * handler.h - a fault of a moved instruction, in a program that handles it. The handler is shown the
 * instruction in its function, where a jump lies over it now; when it returns there, the thread
 * goes on in the stub.
 *
 *   f+3:  (jump)        fault in the stub's copy --> the thread is put at f+3 --> handler
 *   stub: copy of f+3   <-- its frame says so <-- handler returns to f+3
 *
 * The tracer sees the return as it sees system calls, so each that the handler makes stops too.
 */
#ifndef FC_CAPTURE_USER_SIGNALS_HANDLER_H
#define FC_CAPTURE_USER_SIGNALS_HANDLER_H

#include "capture/user/session.h"

/* The thread is at such a place, and goes on with sig. */
void fc_handler_enter(const struct fc_tracer *tracer, struct fc_tracee *tracee, int sig);

/* It stops by SIGTRAP. True: as it has begun to handle that, and is to go on. */
bool fc_handler_entered(struct fc_tracee *tracee);

/* In such a handler it stops at a system call. */
void fc_handler_on_call(struct fc_tracee *tracee);

#endif
