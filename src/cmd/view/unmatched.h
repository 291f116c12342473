/* SPDX-License-Identifier: Apache-2.0 */
/* unmatched.h - an option's pattern that no function matches which was called. */
#ifndef FC_CMD_VIEW_UNMATCHED_H
#define FC_CMD_VIEW_UNMATCHED_H

#include "trace/reader.h"

/* Say so, with the trace's functions that are called most like it. */
void fc_unmatched_say(const char *option, const char *glob, struct fc_reader *reader);

#endif
