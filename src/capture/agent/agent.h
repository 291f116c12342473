/* SPDX-License-Identifier: Apache-2.0 */
/* agent.h - the doors: stubs come to them when they cannot record a call themselves. */
#ifndef FC_CAPTURE_AGENT_AGENT_H
#define FC_CAPTURE_AGENT_AGENT_H

#include <stdbool.h>

struct agent_frame;

/* frame->go is the stub's body, or where it is to go on instead. */
void agent_on_entry(struct agent_frame *frame);
/* True: return to what is in the slot. False: let the stub try again. */
bool agent_on_exit(struct agent_frame *frame);
/* Of a stub without an exit. */
void agent_on_entry_only(struct agent_frame *frame);
/* The same on a goroutine's stack. */
void agent_on_go(struct agent_frame *frame);
/* The first call of a strand that only counts, or of a forked child's. */
void agent_on_count(struct agent_frame *frame);
/* The first call by this caller, or of a strand. */
void agent_on_edge(struct agent_frame *frame);
/* Of an unwinder, longjmp, or who copies frames away. */
void agent_on_unwind(struct agent_frame *frame);
/* ld.so has loaded objects, or is about to. */
void agent_on_dl(struct agent_frame *frame);

#endif
