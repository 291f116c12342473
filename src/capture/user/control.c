/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/user/control.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"

enum {
	CLIENT_MS = 1000,  /* to say what it wants, where others wait; */
	ALONE_MS = 10000,  /* else a busy machine has as long */
	TRACER_MS = 5000,  /* to come to it */
	DONE_MS = 1000,	   /* until what was asked for is in force */
	ANSWER_MS = 30000, /* that a client waits */
	BACKLOG = 8,
};

enum stage {
	IDLE = 0,
	ASKED,
	TAKEN,
	ANSWERED,
};

struct fc_control {
	pthread_t thread;
	pid_t tracer;
	int fd, stop_fd;

	pthread_mutex_t lock; /* of all below */
	pthread_cond_t changed;
	bool is_stopping;
	enum stage stage;
	struct fc_request request;
	int status;
	char *answer;
	bool (*is_done)(void *ctx); /* NULL: what is answered is done */
	void *ctx;
};

/* An abstract name: it goes with the socket (unix(7)). */
static socklen_t name_of(int pid, struct sockaddr_un *ret)
{
	*ret = (struct sockaddr_un){ .sun_family = AF_UNIX };
	int n = snprintf(ret->sun_path + 1, sizeof(ret->sun_path) - 1, "fctrace.%d", pid);
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + n);
}

/* ---- a client ---- */

static void reply(int client, int status, const char *text)
{
	char bytes[FC_ANSWER_MAX];
	int n = snprintf(bytes, sizeof(bytes), "%d%s", status, text);
	size_t size = n < (int)sizeof(bytes) ? (size_t)n : sizeof(bytes) - 1;
	/* A client that has gone, or takes nothing, is none of our business. */
	if (send(client, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
		return;
}

static bool is_friend(int client)
{
	struct ucred cred;
	socklen_t size = sizeof(cred);
	return !getsockopt(client, SOL_SOCKET, SO_PEERCRED, &cred, &size) &&
	       (cred.uid == geteuid() || cred.uid == 0);
}

/* True: there is something to read. */
static bool wait_for(const struct fc_control *control, int fd, int ms)
{
	struct pollfd either[] = { { .fd = fd, .events = POLLIN },
				   { .fd = control->stop_fd, .events = POLLIN } };
	int nr;
	do
		nr = poll(either, 2, ms);
	while (nr < 0 && errno == EINTR);
	return nr > 0 && !either[1].revents && either[0].revents;
}

/* Does another client want to be heard? */
static bool has_next(const struct fc_control *control)
{
	struct pollfd next = { .fd = control->fd, .events = POLLIN };
	return poll(&next, 1, 0) > 0;
}

static bool wait_for_request(const struct fc_control *control, int client)
{
	int ms = 0;
	bool is_there;
	do {
		is_there = wait_for(control, client, CLIENT_MS);
		ms += CLIENT_MS;
	} while (!is_there && ms < ALONE_MS && !has_next(control));
	return is_there;
}

/* -errno with a sentence. */
static int read_request(const struct fc_control *control, int client, struct fc_request *ret)
{
	fc_auto_free char *bytes = fc_alloc(FC_REQUEST_MAX + 1);
	if (!wait_for_request(control, client))
		return fc_fail(ETIMEDOUT, "no request came");
	/* One byte more: a message that is too long shows. */
	ssize_t n = recv(client, bytes, FC_REQUEST_MAX + 1, MSG_DONTWAIT);
	if (n <= 0)
		return fc_fail(EINVAL, "no request came");
	return fc_request_parse(bytes, (size_t)n, ret);
}

static struct timespec after_ms(int ms)
{
	struct timespec at;
	clock_gettime(CLOCK_MONOTONIC, &at);
	at.tv_nsec += (long)(ms % 1000) * 1000000;
	at.tv_sec += ms / 1000 + at.tv_nsec / 1000000000;
	at.tv_nsec %= 1000000000;
	return at;
}

/* Under the lock. */
static void wait_until_done(struct fc_control *control)
{
	enum { STEP_MS = 2 };
	for (int ms = 0; ms < DONE_MS && control->is_done && !control->is_stopping &&
			 !control->is_done(control->ctx);
	     ms += STEP_MS) {
		struct timespec until = after_ms(STEP_MS);
		pthread_cond_timedwait(&control->changed, &control->lock, &until);
	}
}

/* Once the tracer has taken it, its answer is waited for; before, not for long. */
static void hand_over(struct fc_control *control, int client, const struct fc_request *request)
{
	struct timespec until = after_ms(TRACER_MS);
	pthread_mutex_lock(&control->lock);
	control->request = *request;
	control->stage = ASKED;
	syscall(SYS_tgkill, getpid(), control->tracer, SIGUSR1);
	int err = 0;
	while (control->stage == ASKED && !control->is_stopping && !err)
		err = pthread_cond_timedwait(&control->changed, &control->lock, &until);
	while (control->stage == TAKEN)
		pthread_cond_wait(&control->changed, &control->lock);
	if (control->stage == ANSWERED)
		wait_until_done(control);
	if (control->stage == ANSWERED)
		reply(client, control->status, control->answer);
	else
		reply(client, 1,
		      control->is_stopping ? "the session ends just now"
					   : "fctrace is busy and does not answer; try again");
	control->stage = IDLE;
	free(fc_take(control->answer));
	control->request = (struct fc_request){ 0 };
	control->is_done = NULL;
	pthread_mutex_unlock(&control->lock);
}

static void serve(struct fc_control *control, int client)
{
	struct fc_request request;
	if (!is_friend(client)) {
		fc_auto_free char *text = fc_asprintf(
			"refused: only user %u, who runs this fctrace, and root may tell it "
			"what to do",
			(unsigned)geteuid());
		reply(client, 1, text);
		return;
	}
	if (read_request(control, client, &request)) {
		reply(client, 2, fc_fail_text());
		return;
	}
	hand_over(control, client, &request);
	fc_request_deinit(&request);
}

static void *control_thread(void *ctx)
{
	struct fc_control *control = ctx;
	for (;;) {
		bool has_client = wait_for(control, control->fd, -1);
		pthread_mutex_lock(&control->lock);
		bool is_stopping = control->is_stopping;
		pthread_mutex_unlock(&control->lock);
		if (is_stopping)
			return NULL;
		fc_auto_close int client =
			has_client ? accept4(control->fd, NULL, NULL, SOCK_CLOEXEC) : -1;
		if (client >= 0)
			serve(control, client);
	}
}

/* ---- its life ---- */

static int listen_as(int pid)
{
	struct sockaddr_un name;
	socklen_t size = name_of(pid, &name);
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd >= 0 && !bind(fd, (struct sockaddr *)&name, size) && !listen(fd, BACKLOG))
		return fd;
	int err = errno;
	if (fd >= 0)
		close(fd);
	return fc_fail(err, "fctrace ctl will not find this session: its socket: %s",
		       strerror(err));
}

static int start_thread(struct fc_control *control)
{
	pthread_condattr_t attr;
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&control->changed, &attr);
	pthread_condattr_destroy(&attr);
	pthread_mutex_init(&control->lock, NULL);
	return pthread_create(&control->thread, NULL, control_thread, control);
}

int fc_control_start(struct fc_control **ret)
{
	int fd = listen_as(getpid());
	if (fd < 0)
		return fd;
	struct fc_control *control = fc_alloc(sizeof(*control));
	control->fd = fd;
	control->tracer = gettid();
	control->stop_fd = eventfd(0, EFD_CLOEXEC);
	int err = control->stop_fd < 0 ? errno : start_thread(control);
	if (!err) {
		*ret = control;
		return 0;
	}
	if (control->stop_fd >= 0)
		close(control->stop_fd);
	close(fd);
	free(control);
	return fc_fail(err, "fctrace ctl will not find this session: %s", strerror(err));
}

void fc_control_stop(struct fc_control *control)
{
	uint64_t one = 1;
	if (!control)
		return;
	pthread_mutex_lock(&control->lock);
	control->is_stopping = true;
	pthread_cond_broadcast(&control->changed);
	pthread_mutex_unlock(&control->lock);
	if (write(control->stop_fd, &one, sizeof(one)) == sizeof(one))
		pthread_join(control->thread, NULL);
	close(control->fd);
	close(control->stop_fd);
	pthread_cond_destroy(&control->changed);
	pthread_mutex_destroy(&control->lock);
	free(control);
}

const struct fc_request *fc_control_next(struct fc_control *control)
{
	if (!control)
		return NULL;
	pthread_mutex_lock(&control->lock);
	bool is_there = control->stage == ASKED;
	if (is_there)
		control->stage = TAKEN;
	pthread_mutex_unlock(&control->lock);
	return is_there ? &control->request : NULL;
}

void fc_control_answer(struct fc_control *control, int status, const char *text)
{
	pthread_mutex_lock(&control->lock);
	control->status = status;
	control->answer = fc_strdup(text);
	control->stage = ANSWERED;
	pthread_cond_broadcast(&control->changed);
	pthread_mutex_unlock(&control->lock);
}

void fc_control_answer_when(struct fc_control *control, const char *text,
			    bool (*is_done)(void *ctx), void *ctx)
{
	pthread_mutex_lock(&control->lock);
	control->is_done = is_done;
	control->ctx = ctx;
	pthread_mutex_unlock(&control->lock);
	fc_control_answer(control, 0, text);
}

/* ---- the other side ---- */

/* Anybody may take a name: is it the process that is meant? */
static bool is_process(int fd, int pid, bool is_own)
{
	struct ucred cred;
	socklen_t size = sizeof(cred);
	return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &size) && cred.pid == pid &&
	       (!is_own || cred.uid == geteuid());
}

int fc_control_ask(int controller, bool is_own, const char *bytes, size_t size, int *status,
		   char **answer)
{
	struct sockaddr_un name;
	socklen_t name_size = name_of(controller, &name);
	struct timeval patience = { .tv_sec = ANSWER_MS / 1000 };
	fc_auto_close int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return fc_fail(errno, "cannot make a socket: %s", strerror(errno));
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	if (connect(fd, (struct sockaddr *)&name, name_size) ||
	    !is_process(fd, controller, is_own))
		return fc_fail(ECONNREFUSED,
			       "fctrace (process %d) does not listen: it begins or ends just "
			       "now, traces by --backend=step, or lives in another network "
			       "namespace",
			       controller);
	fc_auto_free char *text = fc_alloc(FC_ANSWER_MAX + 1);
	bool is_sent = send(fd, bytes, size, MSG_NOSIGNAL) == (ssize_t)size;
	int err = errno;
	/* It may have refused before it was asked. */
	ssize_t n = recv(fd, text, FC_ANSWER_MAX, 0);
	if (n < 0 && errno == ECONNRESET) /* unread, that is; its words come behind */
		n = recv(fd, text, FC_ANSWER_MAX, 0);
	if (n > 0 && text[0] >= '0' && text[0] <= '9') {
		*status = text[0] - '0';
		*answer = fc_strdup(text + 1);
		return 0;
	}
	if (!is_sent)
		return fc_fail(err, "cannot ask fctrace (process %d): %s", controller,
			       strerror(err));
	return fc_fail(ETIMEDOUT, "fctrace (process %d) gave no answer", controller);
}
