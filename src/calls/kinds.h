/* SPDX-License-Identifier: Apache-2.0 */
/* kinds.h - the words by which queries and exports tell kinds. */
#ifndef FC_CALLS_KINDS_H
#define FC_CALLS_KINDS_H

#include "calls/call.h"

/* How a call ended (enum fc_left): "return", "tail"… */
const char *fc_left_word(int left);
/* What happened to a process or a thread (enum fc_life): "exec"…; NULL: nothing known. */
const char *fc_life_word(int life);
/* What a mark says (enum fc_mark): "lost"…; NULL for those that are of the format alone. */
const char *fc_mark_word(int mark);

#endif
