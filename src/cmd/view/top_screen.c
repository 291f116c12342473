/* SPDX-License-Identifier: Apache-2.0 */
/* top_screen.c - draws frames of fctrace top on a terminal, and handles its keys. */
#include "cmd/view/top_screen.h"

#include <curses.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/printable.h"
#include "cmd/view/top_text.h"
#include "show/tui/screen.h"

enum {
	WAIT_MS = 50,
	HEAD_LINES = 3, /* head, state, titles */
	MAX_PATTERN = 64,
};

struct fc_top_screen {
	char *what;
	enum fc_top_key key;
	bool by_thread, has_times;
	bool is_paused, is_help;
	bool is_typing; /* a pattern */
	char pattern[MAX_PATTERN];
	size_t scroll;
	struct fc_top_frame *shown;  /* sorted */
	struct fc_top_frame *newest; /* while it is paused */
	bool is_stale;		     /* to be drawn again */
};

/* ---- the terminal ---- */

/*
 * Ctrl-C stays: it lets go. Ctrl-Z and Ctrl-S would stop fctrace while programs wait for it to
 * see to them.
 */
static void set_keys(void)
{
	struct termios keys;

	nodelay(stdscr, TRUE);
	if (tcgetattr(STDIN_FILENO, &keys))
		return;
	keys.c_cc[VSUSP] = _POSIX_VDISABLE;
	keys.c_iflag &= ~(tcflag_t)IXON;
	tcsetattr(STDIN_FILENO, TCSANOW, &keys);
	def_prog_mode();
}

struct fc_top_screen *fc_top_screen_create(const struct fc_top_settings *settings,
					   const char *what, bool has_times)
{
	struct fc_top_screen *screen = fc_alloc(sizeof(*screen));

	if (fc_screen_begin()) {
		fc_fail(ENOTSUP, "the terminal cannot be drawn on; -b shows plain text");
		free(screen);
		return NULL;
	}
	set_keys();
	screen->what = fc_strdup(what);
	fc_make_printable(screen->what, strlen(screen->what));
	screen->has_times = has_times;
	screen->by_thread = settings->by_thread;
	screen->key = settings->has_key || has_times ? settings->key : FC_TOP_BY_CALLS;
	screen->is_stale = true;
	return screen;
}

void fc_top_screen_destroy(struct fc_top_screen *screen)
{
	if (!screen)
		return;
	fc_screen_end();
	fc_top_frame_destroy(screen->shown);
	fc_top_frame_destroy(screen->newest);
	free(screen->what);
	free(screen);
}

/* ---- frames ---- */

void fc_top_screen_give(struct fc_top_screen *screen, struct fc_top_frame *frame)
{
	struct fc_top_frame **to = screen->is_paused ? &screen->newest : &screen->shown;

	fc_top_frame_destroy(*to);
	*to = frame;
	fc_top_frame_sort(frame, screen->key);
	screen->is_stale = true;
}

struct fc_top_frame *fc_top_screen_last(const struct fc_top_screen *screen)
{
	return screen->newest ? screen->newest : screen->shown;
}

enum fc_top_key fc_top_screen_key(const struct fc_top_screen *screen)
{
	return screen->key;
}

bool fc_top_screen_is_by_thread(const struct fc_top_screen *screen)
{
	return screen->by_thread;
}

static void set_paused(struct fc_top_screen *screen, bool is_paused)
{
	screen->is_paused = is_paused;
	if (is_paused || !screen->newest)
		return;
	fc_top_frame_destroy(screen->shown);
	screen->shown = fc_take(screen->newest);
}

static void sort_by(struct fc_top_screen *screen, enum fc_top_key key)
{
	bool is_known = screen->has_times || key == FC_TOP_BY_CALLS || key == FC_TOP_BY_NAME;

	if (!is_known)
		return;
	screen->key = key;
	screen->scroll = 0;
	if (screen->shown)
		fc_top_frame_sort(screen->shown, key);
	if (screen->newest)
		fc_top_frame_sort(screen->newest, key);
}

/* ---- drawing ---- */

static bool is_matched(const struct fc_top_screen *screen, const struct fc_name *name)
{
	return !*screen->pattern || strcasestr(name->name, screen->pattern) ||
	       strcasestr(name->module, screen->pattern);
}

static int module_width(void)
{
	return COLS < 100 ? 8 : 24;
}

static void draw_row(int y, const struct fc_top_row *row, bool has_times)
{
	char text[FC_TOP_MAX_TEXT];
	int modules = module_width(), names = COLS - FC_TOP_NUMBERS - modules - 1;

	fc_top_row_text(row, has_times, text);
	fc_screen_put(y, 0, COLS, FC_LOOK_PLAIN, text);
	if (names < 1)
		return;
	fc_screen_put(y, FC_TOP_NUMBERS, names, FC_LOOK_PLAIN, row->name.name);
	fc_screen_put(y, COLS - modules, modules, FC_LOOK_PLAIN, row->name.module);
}

static void draw_thread(int y, const struct fc_top_thread *thread)
{
	char text[FC_TOP_MAX_TEXT];

	fc_top_thread_text(thread, text);
	fc_screen_put(y, 0, COLS, FC_LOOK_PLAIN, text);
	int at = (int)strlen(fc_top_titles(true));
	if (thread->has_name && at < COLS)
		fc_screen_put(y, at, COLS - at, FC_LOOK_PLAIN, thread->name.name);
}

static void draw_titles(const struct fc_top_screen *screen)
{
	int y = HEAD_LINES - 1;

	fc_screen_put(y, 0, COLS, FC_LOOK_BAR, fc_top_titles(screen->by_thread));
	int at = (int)strlen(fc_top_titles(screen->by_thread));
	if (at < COLS)
		fc_screen_put(y, at, COLS - at, FC_LOOK_BAR, "FUNCTION");
	if (!screen->by_thread && COLS - module_width() > at)
		fc_screen_put(y, COLS - module_width(), module_width(), FC_LOOK_BAR, "MODULE");
}

static int nr_lines(void)
{
	return LINES > HEAD_LINES + 1 ? LINES - HEAD_LINES - 1 : 0;
}

static size_t nr_rows(const struct fc_top_screen *screen)
{
	size_t nr = 0;

	if (!screen->shown)
		return 0;
	if (screen->by_thread)
		return screen->shown->threads.nr;
	fc_vec_each (&screen->shown->rows, row)
		nr += is_matched(screen, &row->name);
	return nr;
}

static void draw_rows(const struct fc_top_screen *screen)
{
	size_t skip = screen->scroll;
	int y = HEAD_LINES, end = HEAD_LINES + nr_lines();

	fc_vec_each (&screen->shown->rows, row) {
		if (y == end)
			return;
		if (!is_matched(screen, &row->name))
			continue;
		if (skip)
			skip--;
		else
			draw_row(y++, row, screen->has_times);
	}
}

static void draw_threads(const struct fc_top_screen *screen)
{
	int end = HEAD_LINES + nr_lines();
	size_t i = screen->scroll;

	for (int y = HEAD_LINES; y < end && i < screen->shown->threads.nr; y++, i++)
		draw_thread(y, &screen->shown->threads.at[i]);
}

static void draw_state(const struct fc_top_screen *screen)
{
	char text[FC_TOP_MAX_TEXT], marks[FC_TOP_MAX_TEXT] = "";
	size_t nr = nr_rows(screen), from = nr ? screen->scroll + 1 : 0;
	size_t to = screen->scroll + (size_t)nr_lines();

	if (screen->shown)
		fc_top_marks(screen->shown, marks);
	snprintf(text, sizeof(text), "by %s  %zu-%zu of %zu%s%s%s%s%.100s",
		 fc_top_key_name(screen->key), from, to < nr ? to : nr, nr,
		 screen->by_thread || !*screen->pattern ? "" : "  with ",
		 screen->by_thread ? "" : screen->pattern, screen->is_paused ? "  PAUSED" : "",
		 screen->has_times ? "" : "  counts only", marks);
	fc_screen_put(1, 0, COLS, FC_LOOK_PLAIN, text);
}

static void draw_foot(const struct fc_top_screen *screen, const char *note)
{
	static const char keys[] = "h help  q quit  s self  c calls  t total  a avg  m max  "
				   "n name  H threads";
	char text[FC_TOP_MAX_TEXT];

	if (screen->is_typing) {
		snprintf(text, sizeof(text), "only names with: %s_", screen->pattern);
		note = text;
	}
	fc_screen_put(LINES - 1, 0, COLS - 1, FC_LOOK_FAINT, *note ? note : keys);
}

static void draw_help(void)
{
	static const char *const lines[] = {
		"s  by self time: in the function itself      h ?  this help, and back",
		"t  by total time: and in what it called      q    quit: the program goes on",
		"c  by calls a second                         p    pause, and go on (space, "
		"too)",
		"a  by the average of a call                  H    threads, and back",
		"m  by the longest call                       /    only names with this text",
		"n  by name                                   arrows, page keys, home, end: "
		"move",
		"",
		"TOTAL%, SELF%  time in the interval, as a share of one thread's time",
		"AVG            of the calls that ended in the interval",
		"MAX            the longest of these; with +: has not ended yet",
		"CALLS          since fctrace has come",
		"cnt            calls are only counted, to stay within the budget",
		"out            unhooked for the same reason: calls are not seen",
		"ent            only the entry of this function is seen",
		"~              reckoned from what was seen before, or part of the time",
		"",
		"Self time includes what the function called that is cnt, out or not hooked.",
		"A call that was open when fctrace came is not seen: it has no row.",
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		fc_screen_put(HEAD_LINES + (int)i, 1, COLS - 1, FC_LOOK_PLAIN, lines[i]);
}

static void draw(struct fc_top_screen *screen, const char *note)
{
	char head[FC_TOP_MAX_TEXT] = "waiting for the first numbers";
	fc_auto_free char *line = NULL;

	erase();
	if (screen->shown)
		fc_top_head(screen->shown, head);
	line = fc_asprintf("fctrace top  %s  %s", screen->what, head);
	fc_screen_put(0, 0, COLS, FC_LOOK_HEAD, line);
	draw_state(screen);
	if (screen->is_help) {
		draw_help();
	} else {
		draw_titles(screen);
		if (screen->shown && screen->by_thread)
			draw_threads(screen);
		else if (screen->shown)
			draw_rows(screen);
	}
	draw_foot(screen, note);
	refresh();
	screen->is_stale = false;
}

/* ---- keys ---- */

static void scroll_to(struct fc_top_screen *screen, long at)
{
	long nr = (long)nr_rows(screen), most = nr > nr_lines() ? nr - nr_lines() : 0;

	screen->scroll = (size_t)(at < 0 ? 0 : at > most ? most : at);
}

static bool scroll_by_key(struct fc_top_screen *screen, int key)
{
	long at = (long)screen->scroll;

	switch (key) {
	case KEY_UP:
		at--;
		break;
	case KEY_DOWN:
		at++;
		break;
	case KEY_PPAGE:
		at -= nr_lines();
		break;
	case KEY_NPAGE:
		at += nr_lines();
		break;
	case KEY_HOME:
		at = 0;
		break;
	case KEY_END:
		at = (long)nr_rows(screen);
		break;
	default:
		return false;
	}
	scroll_to(screen, at);
	return true;
}

static bool sort_by_key(struct fc_top_screen *screen, int key)
{
	static const struct {
		int key;
		enum fc_top_key by;
	} keys[] = { { 's', FC_TOP_BY_SELF },  { 'c', FC_TOP_BY_CALLS },
		     { 't', FC_TOP_BY_TOTAL }, { 'a', FC_TOP_BY_AVG },
		     { 'm', FC_TOP_BY_MAX },   { 'n', FC_TOP_BY_NAME } };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (keys[i].key != key)
			continue;
		sort_by(screen, keys[i].by);
		return true;
	}
	return false;
}

/* Enter takes the pattern, Esc drops it. */
static void type(struct fc_top_screen *screen, int key)
{
	size_t len = strlen(screen->pattern);

	if (key == '\r' || key == '\n' || key == KEY_ENTER)
		screen->is_typing = false;
	else if (key == 27)
		*screen->pattern = 0, screen->is_typing = false;
	else if ((key == KEY_BACKSPACE || key == 127 || key == '\b') && len)
		screen->pattern[len - 1] = 0;
	else if (key >= ' ' && key < 127 && len + 1 < MAX_PATTERN)
		screen->pattern[len] = (char)key;
	screen->scroll = 0;
}

/* False: quit. */
static bool on_key(struct fc_top_screen *screen, int key)
{
	screen->is_stale = true;
	if (key == KEY_RESIZE) {
		scroll_to(screen, (long)screen->scroll);
	} else if (screen->is_typing) {
		type(screen, key);
	} else if (key == 'q' || key == 'Q') {
		return false;
	} else if (key == 'h' || key == '?' || key == KEY_F(1)) {
		screen->is_help = !screen->is_help;
	} else if (screen->is_help) {
		screen->is_help = false;
	} else if (key == 'p' || key == ' ') {
		set_paused(screen, !screen->is_paused);
	} else if (key == 'H' && screen->has_times) {
		screen->by_thread = !screen->by_thread;
		screen->scroll = 0;
	} else if (key == '/') {
		screen->is_typing = true;
		*screen->pattern = 0;
	} else if (!scroll_by_key(screen, key)) {
		sort_by_key(screen, key);
	}
	return true;
}

/* The terminal's own word: its signal may have come to another thread. */
static void take_size(struct fc_top_screen *screen)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_row || !size.ws_col ||
	    (size.ws_row == LINES && size.ws_col == COLS))
		return;
	resizeterm(size.ws_row, size.ws_col);
	clearok(stdscr, TRUE);
	on_key(screen, KEY_RESIZE);
}

bool fc_top_screen_run(struct fc_top_screen *screen, const char *note)
{
	struct pollfd keys = { .fd = STDIN_FILENO, .events = POLLIN };

	take_size(screen);
	if (screen->is_stale)
		draw(screen, note);
	if (poll(&keys, 1, WAIT_MS) <= 0)
		return true;
	if (keys.revents & (POLLHUP | POLLERR | POLLNVAL))
		return false;
	for (int key = getch(); key != ERR; key = getch())
		if (!on_key(screen, key))
			return false;
	return true;
}
