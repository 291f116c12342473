/* SPDX-License-Identifier: Apache-2.0 */
/* requests.h - the filter's door: functions by which a program changes what tracing may do. */
#ifndef FC_CAPTURE_AGENT_REQUESTS_H
#define FC_CAPTURE_AGENT_REQUESTS_H

struct agent_frame;

/* The call is recorded, if somebody asked for it; then the agent sees to it that it harms nobody. */
void agent_on_filter(struct agent_frame *frame);

#endif
