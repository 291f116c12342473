/* SPDX-License-Identifier: Apache-2.0 */
/* fetcher.h - the doors of stubs whose values are asked for: they are recorded in a mark (fetch.h). */
#ifndef FC_CAPTURE_AGENT_VALUES_FETCHER_H
#define FC_CAPTURE_AGENT_VALUES_FETCHER_H

struct agent_frame;

/* Of a call, before its entry is recorded. */
void agent_on_values(struct agent_frame *frame);
/* Before its exit is. */
void agent_on_result(struct agent_frame *frame);

#endif
