/* SPDX-License-Identifier: Apache-2.0 */
/* tee.h - a sink that tells two others, so that a trace is read once for both. */
#ifndef FC_CALLS_TEE_H
#define FC_CALLS_TEE_H

#include "calls/call.h"

struct fc_tee {
	struct fc_call_sink sink;
	struct fc_call_sink *to[2];
};

/* Both outlive it. */
void fc_tee_init(struct fc_tee *tee, struct fc_call_sink *first, struct fc_call_sink *second);

#endif
