/* SPDX-License-Identifier: Apache-2.0 */
/* watch.h - calls of stubs that are watched (--dump-on), whose entry or exit was recorded just now. */
#ifndef FC_CAPTURE_AGENT_WATCH_H
#define FC_CAPTURE_AGENT_WATCH_H

#include "capture/agent/strand/strand.h"

/* Which watch + 1 the stub of a call is under; 0: none. */
uint32_t watch_of(uint64_t stub);
/* func: the call's function; slot: where its return address is. */
void watch_entry(struct strand *s, uint32_t watch, uint32_t func, uint64_t slot);
void watch_exit(struct strand *s, uint32_t watch, uint32_t func, uint64_t slot);
/* Of a stub without an exit, whose watch is looked for here. */
void watch_entry_only(struct strand *s, uint64_t stub, uint32_t func);

#endif
