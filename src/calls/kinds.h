/* SPDX-License-Identifier: Apache-2.0 */
/* kinds.h - the words by which queries and exports tell kinds; those of marks: trace/mark.h. */
#ifndef FC_CALLS_KINDS_H
#define FC_CALLS_KINDS_H

#include "calls/call.h"

/* How a call ended (enum fc_left): "return", "tail"… */
const char *fc_left_word(int left);
/* The word for what happened to a process or a thread (enum fc_life): "exec"…; NULL: unknown. */
const char *fc_life_word(int life);
/* The word for a kind of stack (enum fc_strand_kind): "thread"…; "unknown": of a later version. */
const char *fc_strand_word(int kind);
/* How a function was hooked, or not (enum fc_how): "entry only"… */
const char *fc_how_word(int how);

#endif
