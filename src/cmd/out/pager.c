/* SPDX-License-Identifier: Apache-2.0 */
/* pager.c - starts the pager, and waits for its end. */
#include "cmd/out/pager.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/out/say.h"

static const char *command; /* NULL: there is to be no pager */
static pid_t pager;	    /* 0: it was not started, or it has ended */

/* Programs of a terminal that can do nothing but print would ask whether that is meant. */
static bool is_dumb(void)
{
	const char *term = getenv("TERM");

	return !term || !*term || !strcmp(term, "dumb");
}

static const char *choose(void)
{
	const char *own = getenv("FCTRACE_PAGER"), *word = own ? own : getenv("PAGER");

	if (!own && is_dumb())
		return NULL;
	if (word)
		return *word && strcmp(word, "cat") ? word : NULL;
	if (!access("/usr/bin/less", X_OK) || !access("/bin/less", X_OK))
		return "less -FRSX";
	return NULL;
}

static void run_pager(const int pipe_fds[2])
{
	dup2(pipe_fds[0], STDIN_FILENO);
	close(pipe_fds[0]);
	close(pipe_fds[1]);
	setenv("LESS", "FRSX", false);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

void fc_pager_allow(void)
{
	command = isatty(STDOUT_FILENO) ? choose() : NULL;
	fc_say_hold(command);
}

/* Ctrl-C is for the pager, too: nothing more is read, and the pager stays until it is left. */
void fc_pager_start(void (*on_interrupt)(int sig))
{
	int fds[2];

	if (!command || pager || pipe(fds))
		return;
	fc_say_allow_passing(false);
	pager = fork();
	if (!pager)
		run_pager(fds);
	if (pager > 0) {
		dup2(fds[1], STDOUT_FILENO);
		sigaction(SIGINT,
			  &(struct sigaction){ .sa_handler = on_interrupt,
					       .sa_flags = SA_RESTART },
			  NULL);
	}
	close(fds[0]);
	close(fds[1]);
}

bool fc_pager_wait(void)
{
	enum { CANNOT_RUN = 127 }; /* the shell's (POSIX, sh: EXIT STATUS) */
	int status = 0;

	if (pager > 0) {
		close(STDOUT_FILENO);
		while (waitpid(pager, &status, 0) < 0 && errno == EINTR)
			;
	}
	bool ret = pager <= 0 || !WIFEXITED(status) || WEXITSTATUS(status) != CANNOT_RUN;
	fc_say_hold(false);
	if (!ret)
		fc_say("the pager cannot be run: %s; --no-pager does without", command);
	command = NULL;
	pager = 0;
	return ret;
}
