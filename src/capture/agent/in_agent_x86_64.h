/* SPDX-License-Identifier: Apache-2.0 */
/* in_agent_x86_64.h - the agent, when a signal has interrupted it at work for a call. */
#ifndef FC_CAPTURE_AGENT_IN_AGENT_X86_64_H
#define FC_CAPTURE_AGENT_IN_AGENT_X86_64_H

#include "capture/agent/sigframe_x86_64.h"
#include "capture/agent/strand/strand.h"

/* Is an address in the agent's code? */
bool is_in_agent(uint64_t address);
/*
 * The thread does not come back to it: the frame is that of the function for which it worked, at its start or after
 * its return.
 */
void leave_agent(const struct strand *s, struct sigframe *f);
/* The agent will go on to return by the shadow entry of this slot: it must stay as it is. */
void keep_exit(struct strand *s, const struct sigframe *f);

#endif
