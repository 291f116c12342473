/* SPDX-License-Identifier: Apache-2.0 */
/* load.h - words of the program's stacks, which may not be there. */
#ifndef FC_CAPTURE_AGENT_STRAND_LOAD_H
#define FC_CAPTURE_AGENT_STRAND_LOAD_H

#include "capture/agent/strand/strand.h"

/* Of the stack that a call has its return address on at slot: from there to here all can be loaded. */
uint64_t load_end(const struct strand *s, uint64_t slot);
/*
 * A word of the strand's stack. False: it is not there any more; or, in quiet, nobody knows whether it is.
 * The thread is in a call with its return address at slot; 0: where that is does not matter.
 */
bool load_word(const struct strand *s, uint64_t slot, uint64_t at, uint64_t *ret);
/* The same of several, all or none. */
bool load_words(const struct strand *s, uint64_t slot, uint64_t at, uint64_t *ret, uint32_t nr);
/* To where a word was loaded from just now. */
void store_word(const struct strand *s, uint64_t slot, uint64_t at, uint64_t value);

#endif
