/* SPDX-License-Identifier: Apache-2.0 */
/* rewind.h - stubs, and the agent, that a signal has interrupted, when their frames are about to be unwound. */
#ifndef FC_CAPTURE_AGENT_REWIND_H
#define FC_CAPTURE_AGENT_REWIND_H

#include "capture/agent/strand/strand.h"

/*
 * A handler's unwinder was called with its return address at slot: make stubs that signals
 * interrupted visible to it. fn is told of other stacks that it will come to, and from where on.
 */
void rewind_stubs(struct strand *s, uint64_t slot, enum fca_unwind unwind,
		  void (*fn)(struct strand *s, uint64_t slot));

/*
 * A jump from a handler, called with its return address at slot, leaves all below to: so too the
 * stubs that signals interrupted there. The words that these reserved will not be written by
 * them: a call that has returned is recorded as such, one that has not begun as none.
 */
void rewind_left(struct strand *s, uint64_t slot, const struct strand *to, uint64_t sp);
/* It is made now: from here on the stack is another. */
void rewind_jumped(struct strand *s);

#endif
