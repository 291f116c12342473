/* SPDX-License-Identifier: Apache-2.0 */
/*
 * moved.h - a fault in an instruction that was moved into a stub, and the program handles it. Its
 * handler may ask where that was, change it, and return there: so its function is unhooked first, for
 * good (unmove.h), and the thread is at the function's own instruction.
 *
 *   f:   jmp stub      stub:  ...                     f:   xor %eax, %eax
 *                      body:  xor %eax, %eax    -->        mov (%rdi), %eax   here
 *                             mov (%rdi), %eax
 *
 * Nothing is to be taken back when the handler has ended, whoever traces then.
 */
#ifndef FC_CAPTURE_USER_MOVED_H
#define FC_CAPTURE_USER_MOVED_H

#include "capture/user/session.h"

/* It is one: the thread stays where it is until fc_unmove_serve(). False: it is to go on. */
bool fc_moved_add(struct fc_tracer *tracer, struct fc_tracee *tracee, int sig);

/* It is to go on: where its handler is to find it, as far as that can be so. */
void fc_moved_place(const struct fc_tracee *tracee);

/* It has waited, and goes on. */
void fc_moved_pass_on(struct fc_tracer *tracer, struct fc_tracee *tracee);

/* While what is hooked is undone: who waits goes on, in its function if that is as it was. */
void fc_moved_let_go(struct fc_tracer *tracer);

#endif
