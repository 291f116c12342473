/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pager.h - what is written to a terminal goes through a pager.
 *
 * Sentences on stderr wait until it has ended: it has the screen. It is $FCTRACE_PAGER, else $PAGER, else less -FRSX, which shows what fits a screen without
 * further ado. "cat" or an empty text stands for none. A terminal that can only print (TERM=dumb) has one only if
 * FCTRACE_PAGER says so.
 */
#ifndef FC_CMD_OUT_PAGER_H
#define FC_CMD_OUT_PAGER_H

#include <stdbool.h>

/* Allow it, for what is written from here on; and sentences wait, until fc_pager_wait(). */
void fc_pager_allow(void);
/*
 * Before anything is written: if it is allowed, stdout is a terminal and there is a pager, it reads stdout from here on.
 * on_interrupt: called by the signal of Ctrl-C.
 */
void fc_pager_start(void (*on_interrupt)(int sig));
/* No more comes: wait until the user has seen enough. False, with a sentence: it cannot be run. */
bool fc_pager_wait(void);

#endif
