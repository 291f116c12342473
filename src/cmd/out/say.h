/* SPDX-License-Identifier: Apache-2.0 */
/* say.h - one line to the user on stderr, and what fctrace's own exit statuses mean. */
#ifndef FC_CMD_OUT_SAY_H
#define FC_CMD_OUT_SAY_H

#include <stdbool.h>

enum fc_exit {
	FC_STATUS_OK = 0,
	FC_STATUS_NO = 1,	/* asked for something that is not there; output not written */
	FC_STATUS_USAGE = 2,	/* fctrace was called wrongly */
	FC_STATUS_UNUSABLE = 3, /* the trace cannot be read at all */
	FC_STATUS_INCOMPLETE = 4,    /* the trace was read, but some of it is missing */
	FC_STATUS_FAILED = 125,	     /* fctrace itself failed */
	FC_STATUS_NOT_PROGRAM = 126, /* found, but cannot be run */
	FC_STATUS_NOT_FOUND = 127,
};

/* "fctrace: " and the sentence, as one line in one write. */
__attribute__((format(printf, 1, 2))) void fc_say(const char *fmt, ...);

/*
 * Text that stays in the terminal's last line until the next one, or until NULL, comes; nothing
 * where stderr is no terminal, or sentences go elsewhere.
 */
void fc_say_passing(const char *text);

/* False: no such text until true, as something else is on the terminal now. */
void fc_say_allow_passing(bool is_allowed);

/* True: sentences wait until false, and are then said in their order. */
void fc_say_hold(bool is_held);

/*
 * Sentences go there from now on, without the line's end, whichever thread says them; NULL: to
 * stderr again.
 */
void fc_say_divert(void (*take)(void *ctx, const char *line), void *ctx);

#endif
