/* SPDX-License-Identifier: Apache-2.0 */
/* gate.h - the functions that -F asks for: a strand is off until one is called. */
#ifndef FC_CAPTURE_AGENT_STRAND_GATE_H
#define FC_CAPTURE_AGENT_STRAND_GATE_H

#include "capture/agent/strand/strand.h"

/* A gate is called, with its return address at slot. */
void gate_enter(struct strand *s, uint64_t slot);
/* The stack is free up to slot: was a gate there? */
void gate_leave(struct strand *s, uint64_t slot);
/*
 * What is told of a gate's call before its entry, which opens it, has the room that the last one left:
 * to make some takes system calls.
 */
void gate_lend(struct strand *s);
void gate_take_back(struct strand *s);

#endif
