/* SPDX-License-Identifier: Apache-2.0 */
/* inmate.c - starts a process in the jail, and exchanges messages with it, with time limits. */
#include "dwarf/inmate.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WAITED_FOR = 8 }; /* times the CPU time that it may take: others work, too */

static atomic_int nr_inmates;

static void close_both(const int fds[2])
{
	close(fds[0]);
	close(fds[1]);
}

/* Both ends of what is asked through, and of what tells it that nobody is left who asks. */
static int make_ends(int asked[2], int life[2])
{
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, asked))
		return -errno;
	if (!pipe2(life, O_CLOEXEC))
		return 0;
	int err = -errno;
	close_both(asked);
	return err;
}

static _Noreturn void live(const struct fc_jail *jail, const int asked[2], const int life[2],
			   void (*work)(const void *ctx), const void *ctx)
{
	close(life[1]);
	if (fc_jail_enter(jail, asked[1], life[0]))
		fc_jail_leave(FC_INMATE_NO_JAIL);
	work(ctx);
	fc_jail_leave(0);
}

static int start(struct fc_inmate *inmate, const struct fc_jail *jail,
		 void (*work)(const void *ctx), const void *ctx)
{
	int asked[2], life[2], err = make_ends(asked, life);

	if (err)
		return err;
	pid_t pid = fork();
	if (!pid)
		live(jail, asked, life, work, ctx);
	if (pid < 0) {
		err = -errno;
		close_both(asked);
		close_both(life);
		return err;
	}
	close(asked[1]);
	close(life[0]);
	*inmate = (struct fc_inmate){ pid, asked[0], life[1],
				      (int)jail->cpu_s * 1000 * WAITED_FOR };
	return 0;
}

int fc_inmate_start(struct fc_inmate *inmate, const struct fc_jail *jail,
		    void (*work)(const void *ctx), const void *ctx)
{
	int err = atomic_fetch_add(&nr_inmates, 1) < FC_INMATES ? start(inmate, jail, work, ctx)
								: -EBUSY;

	if (err)
		atomic_fetch_sub(&nr_inmates, 1);
	return err;
}

ssize_t fc_inmate_ask(const struct fc_inmate *inmate, const void *question, size_t size,
		      void *answer, size_t room)
{
	struct pollfd poll_fd = { .fd = inmate->fd, .events = POLLIN };
	int nr;

	if (send(inmate->fd, question, size, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
		return 0;
	while ((nr = poll(&poll_fd, 1, inmate->wait_ms)) < 0 && errno == EINTR)
		;
	if (nr <= 0)
		return -ETIMEDOUT;
	ssize_t got = recv(inmate->fd, answer, room, MSG_TRUNC | MSG_DONTWAIT);
	return got > 0 ? got : 0;
}

/* Were SIGCHLD ignored, its number might be another's by now. */
static bool is_running(pid_t pid)
{
	siginfo_t info = { 0 };

	return !waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) && !info.si_pid;
}

/*
 * One that has ended keeps its status. The pipe's end ends it where root may send no signals to
 * others; the signal, one that is stopped.
 */
int fc_inmate_end(struct fc_inmate *inmate)
{
	int status = 0;

	if (inmate->pid <= 0)
		return 0;
	close(inmate->fd);
	close(inmate->life);
	if (is_running(inmate->pid))
		kill(inmate->pid, SIGKILL);
	while (waitpid(inmate->pid, &status, 0) < 0 && errno == EINTR)
		;
	atomic_fetch_sub(&nr_inmates, 1);
	*inmate = (struct fc_inmate){ 0 };
	return status;
}
