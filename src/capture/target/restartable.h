/* SPDX-License-Identifier: Apache-2.0 */
/*
 * restartable.h - restartable sequences (rseq(2)): code by which allocators change what belongs to a
 * CPU. A thread that is interrupted in such a sequence goes on where the sequence is aborted.
 */
#ifndef FC_CAPTURE_TARGET_RESTARTABLE_H
#define FC_CAPTURE_TARGET_RESTARTABLE_H

#include <stdint.h>

/*
 * Where a thread in a ptrace stop goes on that stands at ip: at ip, or where the sequence that it is in
 * is aborted. The kernel sees to that by itself only while the thread stands in the sequence: who makes
 * it run other code in between has to send it there. At ip also if the kernel cannot tell of sequences
 * (before Linux 5.13).
 */
uint64_t fc_restartable_abort(int tid, uint64_t ip);

#endif
