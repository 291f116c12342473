/* SPDX-License-Identifier: Apache-2.0 */
/* calls.c - system calls of each kind that is special: of threads, of children, in handlers, again after one. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t nr_handled;

static void handle(int sig)
{
	struct stat st;
	nr_handled++;
	stat("/in/a/handler", &st);
}

static void *thread(void *arg)
{
	char c;
	int *ends = arg;
	mkdir("/nowhere/of/thread", 0700);
	return (void *)(intptr_t)read(ends[0], &c, 1);
}

static void alarm_in(int flags, int ms)
{
	struct sigaction action = { .sa_handler = handle, .sa_flags = flags };
	struct itimerval timer = { .it_value.tv_usec = ms * 1000 };
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
}

static void in_threads(void)
{
	int ends[2];
	pthread_t other;
	void *result;
	if (pipe(ends) || pthread_create(&other, NULL, thread, ends))
		abort();
	usleep(1000);
	if (write(ends[1], "x", 1) != 1)
		abort();
	usleep(20000); /* it has ended, and is not waited for */
	pthread_join(other, &result);
	printf("thread: %ld\n", (long)(intptr_t)result);
}

static void in_children(void)
{
	char *argv[] = { "true", NULL }, *env[] = { NULL };
	int status;
	pid_t pid = fork();
	if (!pid) {
		rmdir("/nowhere/of/child");
		_exit(3);
	}
	waitpid(pid, &status, 0);
	printf("fork: %d\n", WEXITSTATUS(status));
	pid = vfork();
	if (!pid) {
		syscall(SYS_rmdir, "/nowhere/of/vfork");
		_exit(4);
	}
	waitpid(pid, &status, 0);
	printf("vfork: %d\n", WEXITSTATUS(status));
	if (posix_spawn(&pid, "/bin/true", NULL, NULL, argv, env))
		abort();
	waitpid(pid, &status, 0);
	printf("spawn: %d\n", WEXITSTATUS(status));
}

static void in_handlers(void)
{
	int ends[2];
	char c;
	if (pipe(ends))
		abort();
	alarm_in(0, 20); /* the call fails */
	errno = 0;
	long got = read(ends[0], &c, 1);
	printf("interrupted: %ld, %s, %d\n", got, strerror(errno), (int)nr_handled);
	alarm_in(SA_RESTART, 20); /* the call is made again */
	pid_t pid = fork();
	if (!pid) {
		usleep(60000);
		_exit(write(ends[1], "y", 1) != 1);
	}
	got = read(ends[0], &c, 1);
	printf("again: %ld, %c, %d\n", got, c, (int)nr_handled);
	waitpid(pid, NULL, 0);
	struct timespec time = { 0, 40000000 };
	alarm_in(0, 10);
	got = nanosleep(&time, &time);
	printf("slept: %ld\n", got);
}

/* Names as long as they may be, and buffers in pieces. */
static void long_ones(void)
{
	static char from[4000] = "/", to[3000] = "/";
	int ends[2];
	char first[10], second[50];
	struct iovec pieces[2] = { { first, sizeof(first) }, { second, sizeof(second) } };
	for (size_t i = 1; i < sizeof(from) - 1; i++)
		from[i] = i % 50 ? 'a' + i % 26 : '/';
	memset(to + 1, 'b', sizeof(to) - 2);
	open(from, O_RDONLY);
	rename(from, to);
	if (pipe(ends) || write(ends[1], "abcdefghijklmn", 14) != 14)
		abort();
	printf("in pieces: %ld\n", (long)readv(ends[0], pieces, 2));
}

int main(void)
{
	long nothing = syscall(4000, 1, 2, 3);
	printf("no such call: %ld, %s\n", nothing, strerror(errno));
	open("/nowhere/at/all", O_RDONLY | O_CLOEXEC);
	rename("/nowhere/from", "/nowhere/to");
	symlink("target", "/nowhere/link");
	open((char *)8, O_RDONLY);
	void *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	munmap(page, 4096);
	long_ones();
	in_threads();
	in_children();
	in_handlers();
	fflush(stdout);
	return 7;
}
