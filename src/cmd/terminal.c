/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/terminal.h"

#include <curses.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#include "base/fail.h"

/* What makes it as it was: all that a signal's handler needs. */
static struct {
	volatile sig_atomic_t is_changed;
	struct termios before;
	char bytes[256];
	size_t nr;
} rescue;

static const int crashes[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT };
enum { NR_CRASHES = sizeof(crashes) / sizeof(crashes[0]) };

static int take_byte(int c)
{
	if (rescue.nr < sizeof(rescue.bytes))
		rescue.bytes[rescue.nr++] = (char)c;
	return c;
}

/* The strings that end the other screen, the colours and the hiding of the cursor. */
static void prepare_rescue(void)
{
	static const char *const names[] = { "sgr0", "cnorm", "rmkx", "rmcup" };

	rescue.nr = 0;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *text = tigetstr(names[i]);
		if (text && text != (const char *)-1)
			tputs(text, 1, take_byte);
	}
	take_byte('\r');
}

void fc_terminal_rescue(void)
{
	if (!rescue.is_changed)
		return;
	rescue.is_changed = 0;
	tcsetattr(STDIN_FILENO, TCSANOW, &rescue.before);
	if (write(STDOUT_FILENO, rescue.bytes, rescue.nr) < 0)
		return; /* nobody is there to see it */
}

static void on_crash(int sig)
{
	fc_terminal_rescue();
	raise(sig); /* SA_RESETHAND: as if there were no handler */
}

static void catch_crashes(bool is_on)
{
	struct sigaction action = { .sa_handler = is_on ? on_crash : SIG_DFL,
				    .sa_flags = is_on ? SA_RESETHAND | SA_NODEFER : 0 };

	for (size_t i = 0; i < NR_CRASHES; i++)
		sigaction(crashes[i], &action, NULL);
}

int fc_terminal_check(void)
{
	const char *term = getenv("TERM");
	int err = 0;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) ||
	    tcgetpgrp(STDOUT_FILENO) != getpgrp())
		return fc_fail(ENOTTY, "this is not a terminal; -b shows plain text");
	if (!term || !*term)
		return fc_fail(ENOTSUP, "$TERM does not say which terminal this is; -b shows "
					"plain text");
	if (setupterm(NULL, STDOUT_FILENO, &err) != OK)
		return fc_fail(ENOTSUP,
			       "the terminal \"%s\" ($TERM) is not known here; -b shows plain "
			       "text",
			       term);
	bool can_move = cursor_address;
	del_curterm(cur_term);
	if (!can_move)
		return fc_fail(ENOTSUP,
			       "the terminal \"%s\" ($TERM) cannot move its cursor; -b shows "
			       "plain text",
			       term);
	return 0;
}

void fc_terminal_keep(void)
{
	tcgetattr(STDIN_FILENO, &rescue.before);
}

void fc_terminal_changed(void)
{
	prepare_rescue();
	rescue.is_changed = 1;
	catch_crashes(true);
}

void fc_terminal_restored(void)
{
	tcsetattr(STDIN_FILENO, TCSADRAIN, &rescue.before);
	rescue.is_changed = 0;
	catch_crashes(false);
}
