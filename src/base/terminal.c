/* SPDX-License-Identifier: Apache-2.0 */
/* terminal.c - saves the terminal's state, and restores it on any end. */
#include "base/terminal.h"

#include <curses.h>
#include <errno.h>
#include <stdlib.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#include "base/crash.h"
#include "base/fail.h"
#include "base/guard.h"

/* What makes it as it was: all that a signal's handler needs. */
static struct {
	volatile sig_atomic_t is_changed;
	struct termios before;
	struct sigaction crash[FC_NR_CRASHES]; /* as a sanitizer wants them */
	char bytes[256];
	size_t nr;
} rescue;

static int take_byte(int c)
{
	if (rescue.nr < sizeof(rescue.bytes))
		rescue.bytes[rescue.nr++] = (char)c;
	return c;
}

/* The strings that end the other screen, the colours and the hiding of the cursor. */
static void prepare_rescue(void)
{
	static const char *const names[] = { "sgr0", "op", "cnorm", "rmkx", "rmcup" };

	rescue.nr = 0;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *text = tigetstr(names[i]);
		if (text && text != (const char *)-1)
			tputs(text, 1, take_byte);
	}
	take_byte('\r');
}

/* First its settings: a terminal that is held up takes no text. */
void fc_terminal_rescue(void)
{
	if (!rescue.is_changed)
		return;
	rescue.is_changed = 0;
	tcsetattr(STDIN_FILENO, TCSANOW, &rescue.before);
	if (write(STDOUT_FILENO, rescue.bytes, rescue.nr) < 0)
		return; /* nobody is there to see it */
}

static void on_crash(int sig, siginfo_t *info, void *context)
{
	if (sig == SIGBUS && info->si_code > 0 && fc_guard_mend(info->si_addr))
		return;
	fc_terminal_rescue();
	signal(sig, SIG_DFL);
	raise(sig);
}

static void catch_crashes(void)
{
	struct sigaction action = { .sa_sigaction = on_crash,
				    .sa_flags = SA_SIGINFO | SA_NODEFER };

	for (size_t i = 0; i < FC_NR_CRASHES; i++)
		sigaction(fc_crashes[i], &action, &rescue.crash[i]);
}

static void leave_crashes(void)
{
	for (size_t i = 0; i < FC_NR_CRASHES; i++)
		sigaction(fc_crashes[i], &rescue.crash[i], NULL);
}

int fc_terminal_check(const char *instead)
{
	const char *term = getenv("TERM");
	int err = 0;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return fc_fail(ENOTTY, "std%s is not a terminal; %s",
			       isatty(STDIN_FILENO) ? "out" : "in", instead);
	if (!term || !*term)
		return fc_fail(
			ENOTSUP,
			"$TERM does not say which terminal this is; TERM=xterm is a good "
			"guess, and %s",
			instead);
	if (setupterm(NULL, STDOUT_FILENO, &err) != OK)
		return fc_fail(ENOTSUP,
			       "the terminal \"%s\" ($TERM) is not known here; TERM=xterm is a "
			       "good guess, and %s",
			       term, instead);
	bool can_move = cursor_address;
	del_curterm(cur_term);
	if (!can_move)
		return fc_fail(ENOTSUP,
			       "the terminal \"%s\" ($TERM) cannot move its cursor; %s", term,
			       instead);
	return 0;
}

void fc_terminal_keep(void)
{
	tcgetattr(STDIN_FILENO, &rescue.before);
}

void fc_terminal_changed(void)
{
	static bool is_registered;

	prepare_rescue();
	rescue.is_changed = 1;
	catch_crashes();
	if (!is_registered)
		atexit(fc_terminal_rescue);
	is_registered = true;
}

void fc_terminal_restored(void)
{
	tcsetattr(STDIN_FILENO, TCSADRAIN, &rescue.before);
	rescue.is_changed = 0;
	leave_crashes();
}
