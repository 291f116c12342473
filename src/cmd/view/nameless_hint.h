/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nameless_hint.h - one line behind a table in which functions have no name: of which file they
 * are, how many, and where to get their names.
 */
#ifndef FC_CMD_VIEW_NAMELESS_HINT_H
#define FC_CMD_VIEW_NAMELESS_HINT_H

#include <stdio.h>

#include "calls/names.h"
#include "trace/reader.h"

/* Which functions without a name were shown. Zeroed but for the first. */
struct fc_nameless_shown {
	struct fc_reader *reader;
	struct fc_namer namer;
	uint8_t *bits; /* by function id; NULL: none was */
};

/* The namer of the trace; each function that it is asked for counts as shown. */
struct fc_namer fc_nameless_namer(struct fc_nameless_shown *shown);
void fc_nameless_note(struct fc_nameless_shown *shown, uint32_t func);

/*
 * Print the line to stderr, if that is a terminal, behind what is still to be written to out, and
 * forget what was shown.
 */
void fc_nameless_say(struct fc_nameless_shown *shown, FILE *out);

#endif
