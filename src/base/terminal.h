/* SPDX-License-Identifier: Apache-2.0 */
/*
 * terminal.h - a terminal that curses draws on, and how it becomes as it was, whatever happens.
 *
 * There is one: stdin and stdout.
 */
#ifndef FC_BASE_TERMINAL_H
#define FC_BASE_TERMINAL_H

/*
 * Can stdin and stdout be drawn on? -ENOTTY, -ENOTSUP with a sentence; instead says what to do
 * then: "-b shows plain text".
 */
int fc_terminal_check(const char *instead);

/*
 * Around curses: before newterm(), behind it, and behind endwin(). In between exit() from anywhere
 * and a crash make the terminal as it was.
 */
void fc_terminal_keep(void);
void fc_terminal_changed(void);
void fc_terminal_restored(void);

/* Make it as it was where the thread that draws is held up. Any thread, a signal's handler. */
void fc_terminal_rescue(void);

#endif
