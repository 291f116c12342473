// SPDX-License-Identifier: Apache-2.0
/*
 * stops HOW: is stopped by Ctrl-Z and goes on, and writes to a file "ticks" whenever it runs. How: "default";
 * "handled", and stops itself; "raw", the same with a terminal that is in raw mode while it runs;
 * "child", which has one that does the same; "daemon", whose child is in a session of its own and
 * makes children; "itself", which sends itself SIGTSTP, and "itself-stop", SIGSTOP; "busy", which calls on
 * and on.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

static struct termios before, raw;
static int is_raw, ticks;
static volatile int sink;

static void say(const char *text)
{
	if (write(1, text, strlen(text)) < 0)
		_exit(1);
}

static void stop(int sig)
{
	sigset_t set;
	if (is_raw)
		tcsetattr(0, TCSADRAIN, &before);
	say("handled\n");
	signal(sig, SIG_DFL);
	raise(sig);
	sigemptyset(&set);
	sigaddset(&set, sig);
	sigprocmask(SIG_UNBLOCK, &set, NULL); /* here it stops */
	signal(sig, stop);
	if (is_raw)
		tcsetattr(0, TCSADRAIN, &raw);
	say("back\n");
}

NOINLINE int leaf(int n)
{
	return n * 3 + sink;
}

NOINLINE void tick(const char *text)
{
	sink += leaf(1);
	if (write(ticks, text, 1) < 0)
		_exit(1);
	usleep(5000);
}

static void have_children(void)
{
	setsid();
	for (;;) {
		pid_t pid = fork();
		if (!pid)
			_exit(0);
		waitpid(pid, NULL, 0);
		for (int i = 0; i < 1000; i++)
			sink += leaf(i);
		tick("d");
	}
}

static void make_raw(void)
{
	tcgetattr(0, &before);
	raw = before;
	cfmakeraw(&raw);
	raw.c_lflag |= ISIG;
	raw.c_oflag |= OPOST;
	tcsetattr(0, TCSADRAIN, &raw);
	is_raw = 1;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "default";
	char text[100];
	sigset_t ttou;
	ticks = open("ticks", O_CREAT | O_WRONLY | O_APPEND, 0666);
	sigemptyset(&ttou);
	sigaddset(&ttou, SIGTTOU);
	if (!strcmp(how, "raw"))
		make_raw();
	if (!strcmp(how, "daemon") && !fork())
		have_children();
	if (!strcmp(how, "child")) {
		sigprocmask(SIG_BLOCK, &ttou, NULL);
		fork();
	}
	if (!strcmp(how, "handled") || is_raw)
		signal(SIGTSTP, stop);
	snprintf(text, sizeof(text), "pid=%d.\n", getpid());
	say(text);
	if (!strncmp(how, "itself", 6)) {
		kill(getpid(), strcmp(how, "itself-stop") ? SIGTSTP : SIGSTOP);
		say("back\n");
	}
	while (!strcmp(how, "busy"))
		sink += leaf(1);
	for (;;)
		tick("t");
}
