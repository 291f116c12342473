/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pager.h - what is written to a terminal goes through a pager.
 *
 * It is $FCTRACE_PAGER, else $PAGER, else less -FRSX, which shows what fits a screen without
 * further ado. "cat" or an empty text stands for none.
 */
#ifndef FC_CMD_OUT_PAGER_H
#define FC_CMD_OUT_PAGER_H

/* If stdout is a terminal and there is a pager: it reads stdout from here on. */
void fc_pager_start(void);
/* No more comes: wait until the user has seen enough. */
void fc_pager_wait(void);

#endif
