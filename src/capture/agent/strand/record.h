/* SPDX-License-Identifier: Apache-2.0 */
/* record.h - records into a strand's ring, and the room for them. */
#ifndef FC_CAPTURE_AGENT_STRAND_RECORD_H
#define FC_CAPTURE_AGENT_STRAND_RECORD_H

#include "capture/agent/strand/strand.h"

/* Room for nr words below the limit; waits for it unless told to drop. False: drop. */
bool strand_make_room(struct strand *s, uint32_t nr);
/* Write a record; there is room, but that a signal's handler may have taken it. */
void strand_record(struct strand *s, uint32_t func, enum fc_kind kind);
/* The same if has_room; else it is lost. */
void strand_record_if(struct strand *s, bool has_room, uint32_t func, enum fc_kind kind);
/*
 * Write a mark, and make room for it, as often as a signal's handler takes it. False: there is none,
 * and none will come.
 */
bool strand_tell(struct strand *s, enum fc_mark type, const uint64_t *value,
		 uint32_t nr_values);
/* The target has waited for fctrace since then: say so, if there is room. */
void strand_tell_waited(struct strand *s, uint64_t since);
/* Is the word at this place of the ring an interrupted stub's, of an earlier round? */
bool strand_is_held(const struct strand *s, uint64_t place);

#endif
