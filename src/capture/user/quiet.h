/* SPDX-License-Identifier: Apache-2.0 */
/*
 * quiet.h - when an agent is to make no system calls any more: a seccomp filter is about to come.
 *
 *	agent: a letter ---> all threads held: is_quiet, filter_by
 *	                     another one is in the agent? is_closing until it has left
 *	prctl, seccomp  ---> stops at its end: was it refused? then refused
 *	any thread's agent: one that was refused is no reason to be quiet
 *
 * The tracer's thread only.
 */
#ifndef FC_CAPTURE_USER_QUIET_H
#define FC_CAPTURE_USER_QUIET_H

#include "capture/user/session.h"

/*
 * Thread tid, own_tid in its own pid namespace, waits in its agent to install a filter: make
 * the agent quiet. Afterwards no other thread is in it but by quiet's rules: if one does not leave
 * it within seconds, that is all that can be done.
 */
void fc_quiet_begin(struct fc_tracer *tracer, struct fc_space *space, int tid,
		    uint32_t own_tid);

/* A thread that awaits FC_AWAITED_FILTER is at the entry or the end of a system call. */
void fc_quiet_on_call(struct fc_tracee *tracee);

#endif
