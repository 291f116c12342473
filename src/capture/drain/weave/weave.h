/* SPDX-License-Identifier: Apache-2.0 */
/*
 * weave.h - a tap that puts what another source tells of a thread (its system calls, the kernel
 * functions beneath them) among the records of the strand that the thread was in, by time.
 *
 *   rings  --records(strand 7 of thread 42)--.
 *                                            +--> weave --records(strand 7)--> next
 *   kernel --records(no strand, thread 42)---'
 *
 *   strand 7   main enters ........ read enters ................ read returns
 *   thread 42              brk enters, returns    read enters, returns
 *   next       main { brk { }       read {        read { }     }
 *
 * Words are held until both sources have told all that there was up to then. Calls of the other
 * source stand on top of the program's own: when the program's code goes on, they are over.
 *
 * The other source tells records() of strand FC_STRAND_BESIDE. It and the drain tell records() of
 * no words, too: all that was written before now_tsc has been told.
 */
#ifndef FC_CAPTURE_DRAIN_WEAVE_WEAVE_H
#define FC_CAPTURE_DRAIN_WEAVE_WEAVE_H

#include "trace/source.h"

struct fc_weave;

/* numbers: for the strands of threads that have made no call of their own yet. */
struct fc_weave *fc_weave_create(struct fc_numbers *numbers, struct fc_tap *next);
/* Both sources have ended: tell the rest. */
void fc_weave_destroy(struct fc_weave *weave);
struct fc_tap *fc_weave_tap(struct fc_weave *weave);

#endif
