/* SPDX-License-Identifier: Apache-2.0 */
/*
 * screen.h - the terminal: opened, drawn on, read from, and left as it was, whatever happens.
 *
 * Text may come from anywhere: what could steer the terminal, or cannot be shown in the user's
 * locale, is shown as '?'.
 */
#ifndef FC_SHOW_TUI_SCREEN_H
#define FC_SHOW_TUI_SCREEN_H

#include <stdbool.h>

/*
 * -ENOTTY: stdin or stdout is no terminal. -ENOTSUP: $TERM is not known, or cannot do what is
 * needed. Each with a sentence.
 */
int fc_screen_open(void);
void fc_screen_close(void);
/* The same for who sees to signals, to what the terminal can, and to keys by itself. */
int fc_screen_begin(void);
void fc_screen_end(void);

int fc_screen_height(void);
int fc_screen_width(void);

enum fc_look {
	FC_LOOK_PLAIN = 0,
	FC_LOOK_BAR,	  /* titles, the status line */
	FC_LOOK_ACTIVE,	  /* among titles the one that is seen */
	FC_LOOK_HEAD,	  /* above columns */
	FC_LOOK_SELECTED, /* the row that the user is on */
	FC_LOOK_WARNING,
	FC_LOOK_FAINT,
};

void fc_screen_clear(void);
/* Text from (row, column) on, cut or filled up to width columns. Returns how many it takes. */
int fc_screen_put(int row, int column, int width, enum fc_look look, const char *text);
void fc_screen_show(void);
/* column < 0: no cursor is seen. */
void fc_screen_cursor(int row, int column);

enum fc_key {
	FC_KEY_NONE = 0,
	/* A character is itself; these are beyond all characters. */
	FC_KEY_UP = 0x200000,
	FC_KEY_DOWN,
	FC_KEY_LEFT,
	FC_KEY_RIGHT,
	FC_KEY_PAGE_UP,
	FC_KEY_PAGE_DOWN,
	FC_KEY_HOME,
	FC_KEY_END,
	FC_KEY_ENTER,
	FC_KEY_BACKSPACE,
	FC_KEY_HELP,
	FC_KEY_TAB,
	FC_KEY_BACK_TAB,
	FC_KEY_RESIZE,
	FC_KEY_OTHER,
	FC_KEY_ESCAPE = 27,
};

/* Wait for a key for so long; < 0: for ever. FC_KEY_NONE: none came, or a signal did. */
int fc_screen_key(int timeout_ms);
/* Does a key wait to be read? */
bool fc_screen_has_key(void);
/* A signal that asks to end has come: which; 0: none. */
int fc_screen_signal(void);

#endif
