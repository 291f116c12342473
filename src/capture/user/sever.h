/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sever.h - who shares an arena has the same rights. A process whose rights change gets one of its
 * own: nobody can read or spoil what a process of other rights records.
 *
 *   fork():    parent and child share an arena
 *   setuid():  | rings of others | its rings |   old arena, from which its rings go
 *                                      | copied
 *              |                 | its rings |   new arena, at the same addresses
 *
 * Its strands go on as if nothing had happened.
 */
#ifndef FC_CAPTURE_USER_SEVER_H
#define FC_CAPTURE_USER_SEVER_H

#include "capture/user/session.h"

/*
 * Process pid is about to change its rights, or has done so. All targets are held for a moment.
 * -errno with a sentence: it shares its arena as before.
 */
int fc_sever(struct fc_tracer *tracer, int pid);

/*
 * Look for processes that have other rights than when they began to share an arena: those that
 * make such system calls by themselves tell nobody.
 */
void fc_sever_changed(struct fc_tracer *tracer);

/* When to look next; UINT64_MAX: nothing is shared. */
uint64_t fc_sever_next_ns(const struct fc_tracer *tracer);

#endif
