/* SPDX-License-Identifier: Apache-2.0 */
/* terminal.h - a terminal that curses draws on, and how it becomes as it was, whatever happens. */
#ifndef FC_CMD_TERMINAL_H
#define FC_CMD_TERMINAL_H

/* Can stdin and stdout be drawn on? -ENOTTY, -ENOTSUP with a sentence. */
int fc_terminal_check(void);

/*
 * Around curses: before newterm(), behind it, and behind endwin(). In between a crash makes the
 * terminal as it was.
 */
void fc_terminal_keep(void);
void fc_terminal_changed(void);
void fc_terminal_restored(void);

/* Make it as it was where the thread that draws is held up. Any thread, a signal's handler. */
void fc_terminal_rescue(void);

#endif
