/* SPDX-License-Identifier: Apache-2.0 */
/* passing.h - strands that stubs pass by, since nothing is to be recorded of them. */
#ifndef FC_CAPTURE_AGENT_STRAND_PASSING_H
#define FC_CAPTURE_AGENT_STRAND_PASSING_H

#include "capture/agent/strand/strand.h"

/* Stubs pass it by: nobody asked for its calls. */
void strand_pass_by(struct strand *s);
/*
 * Is nothing to be recorded for now, or nobody there to read it? From here on stubs then pass
 * the strand by, unless an unwinder is at work: the agent waits for its end.
 */
bool strand_is_off(struct strand *s);
/* The program wants its thread to be recorded from here on, or no more (FCTRACE_ON(), FCTRACE_OFF()). */
void strand_turn_thread(struct strand *s, bool is_on);

#endif
