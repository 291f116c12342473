/* SPDX-License-Identifier: Apache-2.0 */
/* open_calls.h - calls that are open in a strand, when it goes on in another ring. */
#ifndef FC_CAPTURE_AGENT_STRAND_OPEN_CALLS_H
#define FC_CAPTURE_AGENT_STRAND_OPEN_CALLS_H

#include "capture/agent/strand/strand.h"

/* Only entries that are in place stay: others were left by longjmp, or are half made. */
void strand_keep_live(struct strand *s);
/* Tell a mark and what is open in a strand: of its entries those with slots above this one. */
void strand_tell_open(struct strand *s, const struct strand *of, uint64_t above,
		      enum fc_mark mark, uint64_t word);

#endif
