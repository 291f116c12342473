/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signals that nobody handles come while it waits: the kernel drops them where they are sent, and no
 * wait ends before its time. (A traced process gets them, and then these calls would fail with EINTR.)
 * Only to be stopped and to go on ends some.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { AFTER_US = 10000, LIMIT_MS = 60 };

static int fds[2], epoll_fd;

static int wait_recv(void)
{
	char byte;
	return (int)recv(fds[0], &byte, 1, 0);
}

static int wait_read(void)
{
	char byte;
	return (int)read(fds[0], &byte, 1);
}

static int wait_epoll(void)
{
	struct epoll_event event;
	return epoll_wait(epoll_fd, &event, 1, LIMIT_MS);
}

static int wait_signal(void)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	return sigtimedwait(&set, NULL, &(struct timespec){ .tv_nsec = LIMIT_MS * 1000000 });
}

static char state_of(pid_t pid)
{
	char path[32], state = 0;
	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	FILE *f = fopen(path, "r");
	if (f && fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
		state = 0;
	if (f)
		fclose(f);
	return state;
}

/* It is seen in one of these states ten times in a row: whoever traces it may let it pass through others. */
static void await(pid_t pid, const char *states)
{
	for (int nr = 0; nr < 10; nr++) {
		usleep(AFTER_US / 10);
		char state = state_of(pid);
		if (!state || !strchr(states, state))
			nr = -1;
	}
}

/* It is stopped meanwhile, and goes on: that ends the wait of anybody. */
static void try_stopped(void)
{
	pid_t child = fork();
	if (!child) {
		await(getppid(), "S");
		kill(getppid(), SIGSTOP);
		await(getppid(), "Tt");
		kill(getppid(), SIGCONT);
		usleep(20 * AFTER_US); /* its end is another signal */
		_exit(0);
	}
	errno = 0;
	int got = epoll_wait(epoll_fd, &(struct epoll_event){ 0 }, 1, 1000 * LIMIT_MS);
	printf("epoll_wait, stopped: %d %s\n", got, strerror(errno));
	waitpid(child, NULL, 0);
}

static void try(const char *name, int (*wait_for)(void), int sig)
{
	pid_t child = fork();
	if (!child) {
		usleep(AFTER_US);
		if (sig)
			kill(getppid(), sig);
		_exit(0);
	}
	errno = 0;
	int got = wait_for();
	printf("%s, %s: %d %s\n", name, sig ? strsignal(sig) : "its child ends", got,
	       strerror(errno));
	waitpid(child, NULL, 0);
}

int main(void)
{
	static const struct {
		const char *name;
		int (*wait_for)(void);
	} waits[] = {
		{ "recv", wait_recv },
		{ "read", wait_read },
		{ "epoll_wait", wait_epoll },
		{ "sigtimedwait", wait_signal },
	};
	const struct timeval limit = { .tv_usec = LIMIT_MS * 1000 };
	epoll_fd = epoll_create1(0);
	if (epoll_fd < 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, fds) ||
	    setsockopt(fds[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)))
		return 1;
	signal(SIGUSR1, SIG_IGN);
	for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++) {
		try(waits[i].name, waits[i].wait_for, 0);
		try(waits[i].name, waits[i].wait_for, SIGUSR1);
		try(waits[i].name, waits[i].wait_for, SIGWINCH);
		try(waits[i].name, waits[i].wait_for, SIGCONT);
	}
	try_stopped();
	return 0;
}
