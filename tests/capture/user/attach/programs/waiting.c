/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that wait in every way: no wait fails with EINTR, none ends before its time. (Their
 * stops and goes may make waits longer: a time limit starts anew with a call made again.)
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/futex.h>
#include <netinet/in.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>

#include "attached.h"

enum { LIMIT_MS = 30 };

static volatile bool is_told;
static const struct timespec limit = { .tv_nsec = LIMIT_MS * 1000000 };

static struct timespec limit_from_now(clockid_t clock)
{
	struct timespec at;
	clock_gettime(clock, &at);
	at.tv_nsec += limit.tv_nsec;
	if (at.tv_nsec >= 1000000000) {
		at.tv_nsec -= 1000000000;
		at.tv_sec++;
	}
	return at;
}

static int with_limit(int fd)
{
	struct timeval limit_us = { .tv_usec = LIMIT_MS * 1000 };
	CHECK(!setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit_us, sizeof(limit_us)));
	CHECK(!setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit_us, sizeof(limit_us)));
	return fd;
}

static bool is_timeout(long got)
{
	return got == -1 && (errno == EAGAIN || errno == ETIMEDOUT);
}

/* ---- waits that end by their limit, and how each says so ---- */

static bool wait_nanosleep(void)
{
	return !nanosleep(&limit, NULL);
}

static bool wait_clock_nanosleep(void)
{
	struct timespec at = limit_from_now(CLOCK_MONOTONIC);
	return !clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}

static bool wait_poll(void)
{
	static __thread int fds[2];
	if (!fds[1])
		CHECK(!pipe(fds));
	return poll(&(struct pollfd){ .fd = fds[0], .events = POLLIN }, 1, LIMIT_MS) == 0;
}

static bool wait_ppoll(void)
{
	return ppoll(NULL, 0, &limit, NULL) == 0;
}

static bool wait_select(void)
{
	return select(0, NULL, NULL, NULL, &(struct timeval){ .tv_usec = LIMIT_MS * 1000 }) == 0;
}

static bool wait_pselect(void)
{
	sigset_t none;
	sigemptyset(&none);
	return pselect(0, NULL, NULL, NULL, &limit, &none) == 0;
}

static int epoll_of_nothing(void)
{
	static __thread int fd;
	if (!fd)
		CHECK((fd = epoll_create1(0)) > 0);
	return fd;
}

static bool wait_epoll(void)
{
	struct epoll_event event;
	return epoll_wait(epoll_of_nothing(), &event, 1, LIMIT_MS) == 0;
}

static bool wait_epoll_masked(void)
{
	struct epoll_event event;
	sigset_t child;
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	return epoll_pwait(epoll_of_nothing(), &event, 1, LIMIT_MS, &child) == 0;
}

static bool wait_futex(void)
{
	static uint32_t word;
	return is_timeout(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &limit, NULL, 0));
}

static bool wait_futex_until(void)
{
	static uint32_t word;
	struct timespec at = limit_from_now(CLOCK_MONOTONIC);
	return is_timeout(syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, 0, &at, NULL,
				  FUTEX_BITSET_MATCH_ANY));
}

static bool wait_condition(void)
{
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
	struct timespec at = limit_from_now(CLOCK_REALTIME);
	pthread_mutex_lock(&mutex);
	int got;
	/* POSIX lets it wake for nothing; it may not end for anything but the time. */
	while (!(got = pthread_cond_timedwait(&never, &mutex, &at)))
		;
	pthread_mutex_unlock(&mutex);
	return got == ETIMEDOUT;
}

static bool wait_semaphore(void)
{
	static __thread sem_t never;
	struct timespec at = limit_from_now(CLOCK_REALTIME);
	return is_timeout(sem_timedwait(&never, &at));
}

static bool wait_recv(void)
{
	static __thread int fds[2];
	char byte;
	if (!fds[1]) {
		CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, fds));
		with_limit(fds[0]);
	}
	return is_timeout(recv(fds[0], &byte, 1, 0));
}

static bool wait_read_of_socket(void)
{
	static __thread int fds[2];
	char byte;
	if (!fds[1]) {
		CHECK(!socketpair(AF_UNIX, SOCK_DGRAM, 0, fds));
		with_limit(fds[0]);
	}
	return is_timeout(read(fds[0], &byte, 1));
}

static bool wait_send(void)
{
	static __thread int fds[2];
	static const char bytes[4096];
	if (!fds[1]) {
		CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, fds));
		with_limit(fds[0]);
		while (send(fds[0], bytes, sizeof(bytes), MSG_DONTWAIT) > 0)
			;
	}
	return is_timeout(send(fds[0], bytes, 1, 0));
}

static bool wait_accept(void)
{
	static __thread int fd;
	if (!fd) {
		struct sockaddr_in any = { .sin_family = AF_INET,
					   .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
		CHECK((fd = socket(AF_INET, SOCK_STREAM, 0)) > 0);
		CHECK(!bind(fd, (struct sockaddr *)&any, sizeof(any)) && !listen(fd, 1));
		with_limit(fd);
	}
	return is_timeout(accept(fd, NULL, NULL));
}

static bool wait_semop(void)
{
	static __thread int id;
	if (!id) {
		CHECK((id = semget(IPC_PRIVATE, 1, 0600)) >= 0);
		id++;
	}
	struct sembuf down = { .sem_op = -1 };
	bool ok = is_timeout(semtimedop(id - 1, &down, 1, &limit));
	if (is_told)
		semctl(id - 1, 0, IPC_RMID);
	return ok;
}

static bool wait_signal(void)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	return is_timeout(sigtimedwait(&set, NULL, &limit));
}

static bool wait_aio(void)
{
	static __thread aio_context_t context;
	struct timespec left = limit;
	uint64_t event[4];
	if (!context && syscall(SYS_io_setup, 1, &context))
		return wait_nanosleep();
	return syscall(SYS_io_getevents, context, 1L, 1L, event, &left) == 0;
}

static bool wait_timer(void)
{
	static __thread int fd;
	uint64_t nr = 0;
	if (!fd)
		CHECK((fd = timerfd_create(CLOCK_MONOTONIC, 0)) > 0);
	CHECK(!timerfd_settime(fd, 0, &(struct itimerspec){ .it_value = limit }, NULL));
	return read(fd, &nr, 8) == 8 && nr == 1;
}

/* ---- waits for another thread, which comes after the limit ---- */

static void *write_later(void *arg)
{
	uint64_t one = 1;
	nanosleep(&limit, NULL);
	CHECK(write(*(int *)arg, &one, 8) == 8);
	return NULL;
}

static bool wait_eventfd(void)
{
	int fd = eventfd(0, 0);
	uint64_t got = 0;
	pthread_t other;
	CHECK(!pthread_create(&other, NULL, write_later, &fd));
	bool ok = read(fd, &got, 8) == 8 && got == 1;
	pthread_join(other, NULL);
	close(fd);
	return ok;
}

static bool wait_pipe(void)
{
	int fds[2];
	uint64_t got = 0;
	pthread_t other;
	CHECK(!pipe(fds) && !pthread_create(&other, NULL, write_later, &fds[1]));
	bool ok = read(fds[0], &got, 8) == 8 && got == 1;
	pthread_join(other, NULL);
	close(fds[0]);
	close(fds[1]);
	return ok;
}

static void *post_later(void *arg)
{
	nanosleep(&limit, NULL);
	sem_post(arg);
	return NULL;
}

static bool wait_post(void)
{
	sem_t sem;
	pthread_t other;
	sem_init(&sem, 0, 0);
	CHECK(!pthread_create(&other, NULL, post_later, &sem));
	bool ok = !sem_wait(&sem);
	pthread_join(other, NULL);
	return ok;
}

static void *drain_later(void *arg)
{
	static __thread char bytes[65536];
	nanosleep(&limit, NULL);
	CHECK(read(*(int *)arg, bytes, sizeof(bytes)) > 0);
	return NULL;
}

static bool wait_full_pipe(void)
{
	static const char page[4096];
	int fds[2];
	pthread_t other;
	CHECK(!pipe2(fds, O_NONBLOCK));
	while (write(fds[1], page, sizeof(page)) > 0)
		;
	CHECK(!fcntl(fds[1], F_SETFL, 0));
	CHECK(!pthread_create(&other, NULL, drain_later, &fds[0]));
	bool ok = write(fds[1], page, sizeof(page)) == sizeof(page);
	pthread_join(other, NULL);
	close(fds[0]);
	close(fds[1]);
	return ok;
}

static void *unlock_later(void *arg)
{
	nanosleep(&limit, NULL);
	CHECK(!flock(*(int *)arg, LOCK_UN));
	return NULL;
}

static bool wait_lock(void)
{
	char name[] = "/tmp/fctrace-lock-XXXXXX";
	int held = mkstemp(name), fd = open(name, O_RDWR);
	pthread_t other;
	CHECK(held >= 0 && fd >= 0 && !unlink(name) && !flock(held, LOCK_EX));
	CHECK(!pthread_create(&other, NULL, unlock_later, &held));
	bool ok = !flock(fd, LOCK_EX);
	pthread_join(other, NULL);
	close(held);
	close(fd);
	return ok;
}

static void *change_later(void *arg)
{
	nanosleep(&limit, NULL);
	close(open(arg, O_RDWR | O_CREAT | O_TRUNC, 0600));
	return NULL;
}

static bool wait_inotify(void)
{
	char name[] = "/tmp/fctrace-watch-XXXXXX", event[512];
	int file = mkstemp(name), fd = inotify_init();
	pthread_t other;
	CHECK(file >= 0 && fd >= 0 && inotify_add_watch(fd, name, IN_OPEN) >= 0);
	CHECK(!pthread_create(&other, NULL, change_later, name));
	bool ok = read(fd, event, sizeof(event)) > 0;
	pthread_join(other, NULL);
	unlink(name);
	close(file);
	close(fd);
	return ok;
}

static void *send_later(void *arg)
{
	struct {
		long type;
		char text[8];
	} message = { .type = 1 };
	nanosleep(&limit, NULL);
	CHECK(!msgsnd(*(int *)arg, &message, sizeof(message.text), 0));
	return NULL;
}

static bool wait_message(void)
{
	struct {
		long type;
		char text[8];
	} message;
	int id = msgget(IPC_PRIVATE, 0600);
	pthread_t other;
	CHECK(id >= 0 && !pthread_create(&other, NULL, send_later, &id));
	bool ok = msgrcv(id, &message, sizeof(message.text), 0, 0) == sizeof(message.text);
	pthread_join(other, NULL);
	msgctl(id, IPC_RMID, NULL);
	return ok;
}

static bool wait_child(void)
{
	int status = -1;
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	pid_t pid = fork();
	if (!pid) {
		nanosleep(&limit, NULL);
		_exit(7);
	}
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 7;
}

/* ---- all of them ---- */

static const struct way {
	const char *name;
	bool (*wait)(void);
} ways[] = {
	{ "nanosleep", wait_nanosleep },
	{ "clock_nanosleep", wait_clock_nanosleep },
	{ "poll", wait_poll },
	{ "ppoll", wait_ppoll },
	{ "select", wait_select },
	{ "pselect", wait_pselect },
	{ "epoll_wait", wait_epoll },
	{ "epoll_pwait", wait_epoll_masked },
	{ "futex", wait_futex },
	{ "futex until", wait_futex_until },
	{ "pthread_cond_timedwait", wait_condition },
	{ "sem_timedwait", wait_semaphore },
	{ "recv", wait_recv },
	{ "read of a socket", wait_read_of_socket },
	{ "send", wait_send },
	{ "accept", wait_accept },
	{ "semtimedop", wait_semop },
	{ "sigtimedwait", wait_signal },
	{ "io_getevents", wait_aio },
	{ "read of a timer", wait_timer },
	{ "read of an eventfd", wait_eventfd },
	{ "read of a pipe", wait_pipe },
	{ "sem_wait", wait_post },
	{ "write to a full pipe", wait_full_pipe },
	{ "flock", wait_lock },
	{ "read of inotify", wait_inotify },
	{ "msgrcv", wait_message },
	{ "waitpid", wait_child },
};
enum { NR_WAYS = sizeof(ways) / sizeof(ways[0]) };

static void *wait_often(void *arg)
{
	const struct way *way = arg;
	unsigned long nr = 0;
	while (!is_told) {
		uint64_t begin = now_ns();
		if (!way->wait())
			wrong("%s failed", way->name);
		/* select() counts in clock ticks of a coarser clock. */
		uint64_t ns = now_ns() - begin;
		if (ns < (LIMIT_MS - 1) * 1000000ull)
			wrong("%s ended after %lu ns", way->name, (unsigned long)ns);
		nr++;
	}
	return (void *)nr;
}

int main(void)
{
	pthread_t threads[NR_WAYS];
	unsigned long sum = 0;
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	/* Which other thread is woken for the end of a child nobody can see: docs/how-it-works.md, "The hold". */
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	for (int i = 0; i < NR_WAYS; i++)
		CHECK(!pthread_create(&threads[i], NULL, wait_often, (void *)&ways[i]));
	usleep(LIMIT_MS * 3000); /* what they set up is there */
	ready();
	/* Not is_over(): this thread waits without end. */
	CHECK(poll(&(struct pollfd){ .fd = 0, .events = POLLIN }, 1, -1) == 1);
	is_told = true;
	for (int i = 0; i < NR_WAYS; i++) {
		void *nr;
		CHECK(!pthread_join(threads[i], &nr));
		sum += (unsigned long)nr;
	}
	return well(sum);
}
