/* SPDX-License-Identifier: Apache-2.0 */
/* screen.c - draws text with curses. */
#include "show/tui/screen.h"

#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

#define NCURSES_WIDECHAR 1
#include <curses.h>

#include "base/ending.h"
#include "base/fail.h"
#include "base/printable.h"
#include "base/terminal.h"

static SCREEN *screen;

/* ---- life ---- */

static void choose_colors(void)
{
	const char *no_color = getenv("NO_COLOR");

	if ((no_color && *no_color) || !has_colors() || start_color() != OK)
		return;
	use_default_colors();
	init_pair(1, COLOR_BLACK, COLOR_CYAN);
	init_pair(2, COLOR_RED, -1);
}

int fc_screen_begin(void)
{
	fc_terminal_keep();
	screen = newterm(NULL, stdout, stdin);
	if (!screen)
		return fc_fail(ENOTSUP, "TERM=%s: such a terminal cannot be used",
			       getenv("TERM"));
	fc_terminal_changed();
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	set_escdelay(25);
	curs_set(0);
	return 0;
}

void fc_screen_end(void)
{
	endwin();
	fc_terminal_restored();
	delscreen(screen);
	screen = NULL;
}

int fc_screen_open(void)
{
	int err = fc_terminal_check("fctrace replay and fctrace report print");

	if (err)
		return err;
	setlocale(LC_CTYPE, "");
	err = fc_screen_begin();
	if (err)
		return err;
	fc_ending_catch();
	choose_colors();
	return 0;
}

void fc_screen_close(void)
{
	if (!screen)
		return;
	fc_screen_end();
	fc_ending_leave();
}

int fc_screen_height(void)
{
	return LINES;
}

int fc_screen_width(void)
{
	return COLS;
}

/* ---- to draw ---- */

static attr_t attr_of(enum fc_look look)
{
	switch (look) {
	case FC_LOOK_BAR:
		return A_REVERSE;
	case FC_LOOK_ACTIVE:
		return A_BOLD;
	case FC_LOOK_HEAD:
		return A_BOLD;
	case FC_LOOK_SELECTED:
		return A_REVERSE | A_BOLD;
	case FC_LOOK_WARNING:
		return A_BOLD | (has_colors() ? COLOR_PAIR(2) : 0);
	case FC_LOOK_FAINT:
		return A_DIM;
	default:
		return A_NORMAL;
	}
}

void fc_screen_clear(void)
{
	erase();
}

/* The next character of text, and how many bytes it takes. */
static size_t next_char(const char *text, size_t len, wchar_t *ret)
{
	size_t nr = fc_utf8_len(text, len);
	char one[8] = { 0 };

	memcpy(one, text, nr ? nr : 1);
	fc_make_printable(one, nr ? nr : 1);
	mbstate_t state = { 0 };
	bool is_shown = mbrtowc(ret, one, nr ? nr : 1, &state) == (nr ? nr : 1) &&
			wcwidth(*ret) >= 0 && (one[0] != '?' || nr < 2);
	if (!is_shown)
		*ret = L'?';
	return nr ? nr : 1;
}

int fc_screen_put(int row, int column, int width, enum fc_look look, const char *text)
{
	size_t len = strlen(text);
	int used = 0;
	wchar_t c;

	if (row < 0 || row >= LINES || column >= COLS || width <= 0)
		return 0;
	if (width > COLS - column)
		width = COLS - column;
	attrset(attr_of(look));
	move(row, column);
	while (len) {
		size_t nr = next_char(text, len, &c);
		int columns = wcwidth(c);
		if (used + columns > width)
			break;
		addnwstr(&c, 1);
		used += columns;
		text += nr;
		len -= nr;
	}
	int taken = used;
	for (; used < width; used++)
		addch(' ');
	attrset(A_NORMAL);
	return taken;
}

void fc_screen_cursor(int row, int column)
{
	curs_set(column >= 0);
	if (column >= 0)
		move(row, column);
}

void fc_screen_show(void)
{
	refresh();
}

/* ---- keys ---- */

static int key_of(int code)
{
	switch (code) {
	case KEY_UP:
		return FC_KEY_UP;
	case KEY_DOWN:
		return FC_KEY_DOWN;
	case KEY_LEFT:
		return FC_KEY_LEFT;
	case KEY_RIGHT:
		return FC_KEY_RIGHT;
	case KEY_PPAGE:
		return FC_KEY_PAGE_UP;
	case KEY_NPAGE:
		return FC_KEY_PAGE_DOWN;
	case KEY_HOME:
		return FC_KEY_HOME;
	case KEY_END:
		return FC_KEY_END;
	case KEY_ENTER:
		return FC_KEY_ENTER;
	case KEY_BACKSPACE:
		return FC_KEY_BACKSPACE;
	case KEY_F(1):
		return FC_KEY_HELP;
	case KEY_BTAB:
		return FC_KEY_BACK_TAB;
	case KEY_RESIZE:
		return FC_KEY_RESIZE;
	default:
		return FC_KEY_OTHER;
	}
}

static int char_of(wint_t c)
{
	switch (c) {
	case '\r':
	case '\n':
		return FC_KEY_ENTER;
	case 127:
	case '\b':
		return FC_KEY_BACKSPACE;
	case '\t':
		return FC_KEY_TAB;
	default:
		return c ? (int)c : FC_KEY_OTHER;
	}
}

static int wait_for_key(int timeout_ms)
{
	struct pollfd fd = { .fd = STDIN_FILENO, .events = POLLIN };
	int nr = poll(&fd, 1, timeout_ms);

	/* Nobody is there any more. */
	if (nr > 0 && fd.revents & (POLLHUP | POLLERR | POLLNVAL) && !fc_ending_signal())
		fc_ending_hang_up();
	return nr;
}

int fc_screen_key(int timeout_ms)
{
	wint_t c = 0;

	/* A signal may come just before it is waited for: so never for long. */
	if (!fc_ending_signal())
		wait_for_key(timeout_ms < 0 || timeout_ms > 250 ? 250 : timeout_ms);
	if (fc_ending_signal())
		return FC_KEY_NONE;
	timeout(0);
	int kind = get_wch(&c);
	if (kind == KEY_CODE_YES)
		return key_of((int)c);
	return kind == OK ? char_of(c) : FC_KEY_NONE;
}

bool fc_screen_has_key(void)
{
	return fc_ending_signal() || wait_for_key(0) > 0;
}

int fc_screen_signal(void)
{
	return fc_ending_signal();
}
