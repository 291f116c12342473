/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/screen_guard.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include <curses.h>
#include <term.h>

#include "base/fail.h"

/* What brings the terminal back, prepared for when nothing else can be trusted. */
static struct {
	bool is_open;
	struct termios termios;
	char text[256];
	size_t len;
} restore;

static volatile sig_atomic_t ended_by;

static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
static const int crashing[] = { SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL };
#define NR(array) (sizeof(array) / sizeof((array)[0]))

/* ---- to bring it back ---- */

static void restore_now(void)
{
	if (!restore.is_open)
		return;
	restore.is_open = false;
	ssize_t nr = write(STDOUT_FILENO, restore.text, restore.len);
	(void)nr;
	tcsetattr(STDIN_FILENO, TCSANOW, &restore.termios);
}

static void on_crash(int sig)
{
	restore_now();
	signal(sig, SIG_DFL);
	raise(sig);
}

static void on_end(int sig)
{
	ended_by = sig;
}

static void add_restore(const char *name)
{
	const char *text = tigetstr(name);

	if (!text || text == (char *)-1 || restore.len + strlen(text) > sizeof(restore.text))
		return;
	memcpy(restore.text + restore.len, text, strlen(text));
	restore.len += strlen(text);
}

static void prepare_restore(void)
{
	static const char *const names[] = { "sgr0", "op", "cnorm", "rmkx", "rmcup" };
	static bool is_registered;

	restore.len = 0;
	for (size_t i = 0; i < NR(names); i++)
		add_restore(names[i]);
	restore.is_open = true;
	if (!is_registered)
		atexit(restore_now);
	is_registered = true;
}

static void catch_signals(void)
{
	struct sigaction end = { .sa_handler = on_end }, was;
	struct sigaction crash = { .sa_handler = on_crash };

	for (size_t i = 0; i < NR(ending); i++) {
		/* As nohup left it. */
		if (!sigaction(ending[i], NULL, &was) && was.sa_handler != SIG_IGN)
			sigaction(ending[i], &end, NULL);
	}
	for (size_t i = 0; i < NR(crashing); i++)
		sigaction(crashing[i], &crash, NULL);
}

static void leave_signals(void)
{
	for (size_t i = 0; i < NR(ending); i++)
		signal(ending[i], SIG_DFL);
	for (size_t i = 0; i < NR(crashing); i++)
		signal(crashing[i], SIG_DFL);
}

int fc_guard_check(void)
{
	const char *term = getenv("TERM");
	int err = 0;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return fc_fail(ENOTTY,
			       "std%s is not a terminal; fctrace replay and fctrace "
			       "report print",
			       isatty(STDIN_FILENO) ? "out" : "in");
	if (!term || !*term)
		return fc_fail(ENOTSUP, "the type of this terminal is not known: TERM is not "
					"set; TERM=xterm is a good guess");
	if (setupterm(NULL, STDOUT_FILENO, &err) != OK)
		return fc_fail(ENOTSUP,
			       "TERM=%s: no such type of terminal is known here; "
			       "TERM=xterm is a good guess",
			       term);
	const char *cup = tigetstr("cup");
	if (!cup || cup == (char *)-1)
		return fc_fail(ENOTSUP,
			       "TERM=%s: such a terminal cannot move its cursor; fctrace "
			       "replay and fctrace report print",
			       term);
	return 0;
}

void fc_guard_save(void)
{
	tcgetattr(STDIN_FILENO, &restore.termios);
}

void fc_guard_guard(void)
{
	prepare_restore();
	catch_signals();
}

void fc_guard_unguard(void)
{
	restore.is_open = false;
	leave_signals();
}

int fc_guard_signal(void)
{
	return ended_by;
}

void fc_guard_hang_up(void)
{
	ended_by = SIGHUP;
}
