/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calls.c - makes system calls, each in a function that is known to make it:
 *
 *   calls one N        one() makes one getppid(), N times; fails() one open() that fails
 *   calls threads N    4 threads do so with gettid(), and their names are their numbers
 *   calls forks        a child that calls, and one that runs this program with `one 1`
 *   calls signals      a handler that calls interrupts pause()
 *   calls waits N      as `one`, when a line has come
 *   calls says N       as `one`, and says so
 *   calls timed N      as `one`, and says how many nanoseconds one and the other took together
 *   calls echoes N     a child sends back what comes over a socket, N times
 *   calls names        calls that are given names of files, beneath /tmp/fctrace-names
 *   calls addresses    calls that are given addresses of sockets; one is /tmp/fctrace-socket
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

static volatile long sink;

NOINLINE long one(void)
{
	long ret = getppid();
	sink++;
	return ret;
}

NOINLINE int fails(void)
{
	int ret = open("/no/such/file", O_RDONLY);
	sink++;
	return ret;
}

static void ones(int nr)
{
	for (int i = 0; i < nr; i++) {
		one();
		fails();
	}
}

static double seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void timed(int nr)
{
	double begin = seconds();
	ones(nr);
	printf("%.0f\n", (seconds() - begin) / nr * 1e9);
}

NOINLINE long in_thread(void)
{
	long ret = gettid();
	sink++;
	return ret;
}

static int nr_calls;

static void *thread(void *ctx)
{
	for (int i = 0; i < nr_calls; i++)
		in_thread();
	return ctx;
}

static void threads(int nr)
{
	pthread_t all[4];
	nr_calls = nr;
	for (int i = 0; i < 4; i++)
		pthread_create(&all[i], NULL, thread, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(all[i], NULL);
}

NOINLINE void in_child(void)
{
	one();
	_exit(3);
}

static void forks(const char *self)
{
	int status;
	if (!fork())
		in_child();
	wait(&status);
	if (!vfork()) {
		execl(self, self, "one", "1", (char *)NULL);
		_exit(9);
	}
	wait(&status);
}

NOINLINE void on_alarm(int sig)
{
	one();
}

static void signals(void)
{
	struct itimerval soon = { .it_value = { .tv_usec = 100000 } };
	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &soon, NULL);
	pause();
}

static void echoes(int nr)
{
	int ends[2];
	char c = 'x';
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		return;
	if (!fork()) {
		close(ends[0]);
		while (read(ends[1], &c, 1) == 1)
			sink += write(ends[1], &c, 1);
		_exit(0);
	}
	close(ends[1]);
	for (int i = 0; i < nr; i++)
		sink += write(ends[0], &c, 1) + read(ends[0], &c, 1);
	close(ends[0]);
	wait(NULL);
}

/* Errors are of no interest, but there are some. */
static void names(void)
{
	char text[16], *const none[] = { NULL };
	struct stat stat_of;
	struct statfs statfs_of;
	mkdir("/tmp/fctrace-names", 0755);
	sink += chdir("/tmp/fctrace-names");
	close(open("one", O_CREAT | O_RDWR, 0644));
	sink += link("one", "two");
	sink += symlink("two", "three");
	sink += readlink("three", text, sizeof(text));
	sink += rename("two", "four");
	sink += renameat(AT_FDCWD, "four", AT_FDCWD, "five");
	sink += linkat(AT_FDCWD, "five", AT_FDCWD, "six", 0);
	sink += stat("six", &stat_of) + lstat("three", &stat_of) + access("no such file", R_OK);
	sink += chmod("six", 0600) + truncate("six", 5) + statfs(".", &statfs_of);
	sink += execve("/no/such/program", none, none);
	sink += unlink("one") + unlink("three") + unlink("five") + unlink("six");
	sink += chdir("/") + rmdir("/tmp/fctrace-names");
}

/* Errors are of no interest here, either. */
static void addresses(void)
{
	struct sockaddr_un path = { AF_UNIX, "/tmp/fctrace-socket" }, hidden = { AF_UNIX };
	struct sockaddr_in near = { AF_INET, htons(9), { htonl(INADDR_LOOPBACK) } };
	struct sockaddr_in6 six = { AF_INET6, htons(9), 0, IN6ADDR_LOOPBACK_INIT };
	struct sockaddr *named = (struct sockaddr *)&path, *by_ip = (struct sockaddr *)&near;
	int local = socket(AF_UNIX, SOCK_STREAM, 0), other = socket(AF_UNIX, SOCK_STREAM, 0);
	int stream = socket(AF_INET, SOCK_STREAM, 0), datagram = socket(AF_INET, SOCK_DGRAM, 0);
	int newer = socket(AF_INET6, SOCK_STREAM, 0);
	memcpy(hidden.sun_path, "\0fctrace", 8);
	unlink(path.sun_path);
	sink += bind(local, named, sizeof(path)) + listen(local, 1);
	sink += bind(other, (struct sockaddr *)&hidden, 10);
	sink += connect(other, named, sizeof(path));
	sink += connect(stream, by_ip, sizeof(near));
	sink += connect(newer, (struct sockaddr *)&six, sizeof(six));
	sink += connect(stream, by_ip, 2) + connect(stream, NULL, sizeof(near));
	sink += sendto(datagram, "x", 1, 0, by_ip, sizeof(near));
	sink += sendto(other, "x", 1, 0, NULL, 0);
	unlink(path.sun_path);
}

int main(int argc, char **argv)
{
	int nr = argc > 2 ? atoi(argv[2]) : 1;
	char line[8];
	if (!strcmp(argv[1], "threads"))
		threads(nr);
	else if (!strcmp(argv[1], "forks"))
		forks(argv[0]);
	else if (!strcmp(argv[1], "signals"))
		signals();
	else if (!strcmp(argv[1], "timed"))
		timed(nr);
	else if (!strcmp(argv[1], "echoes"))
		echoes(nr);
	else if (!strcmp(argv[1], "names"))
		names();
	else if (!strcmp(argv[1], "addresses"))
		addresses();
	else if (strcmp(argv[1], "waits") || read(0, line, sizeof(line)) > 0)
		ones(nr);
	if (!strcmp(argv[1], "says"))
		printf("done %d\n", nr);
	return 0;
}
