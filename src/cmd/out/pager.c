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

#include "cmd/out/output.h"
#include "cmd/out/say.h"

static pid_t pager; /* 0: none */

static const char *choose(void)
{
	const char *words[] = { getenv("FCTRACE_PAGER"), getenv("PAGER") };

	for (size_t i = 0; i < 2; i++) {
		if (words[i])
			return *words[i] && strcmp(words[i], "cat") ? words[i] : NULL;
	}
	if (!access("/usr/bin/less", X_OK) || !access("/bin/less", X_OK))
		return "less -FRSX";
	return NULL;
}

/* Ctrl-C is for the pager, too: nothing more is read, and the pager stays until it is left. */
static void on_interrupt(int sig)
{
	fc_output_stop();
}

static void run_pager(const char *command, const int pipe_fds[2])
{
	dup2(pipe_fds[0], STDIN_FILENO);
	close(pipe_fds[0]);
	close(pipe_fds[1]);
	setenv("LESS", "FRSX", false);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

void fc_pager_start(void)
{
	const char *command = isatty(STDOUT_FILENO) ? choose() : NULL;
	int fds[2];

	if (!command || pipe(fds))
		return;
	fc_say_allow_passing(false);
	pager = fork();
	if (!pager)
		run_pager(command, fds);
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

void fc_pager_wait(void)
{
	if (pager <= 0)
		return;
	close(STDOUT_FILENO);
	while (waitpid(pager, NULL, 0) < 0 && errno == EINTR)
		;
	pager = 0;
}
