/* SPDX-License-Identifier: Apache-2.0 */
/* outside.h - waiting at the agent's beginning while it becomes quiet. */
#ifndef FC_CAPTURE_AGENT_BASE_OUTSIDE_H
#define FC_CAPTURE_AGENT_BASE_OUTSIDE_H

/* Until the threads that were in the agent when it became quiet have left it, or the controller has died. */
void agent_wait_outside(void);

#endif
