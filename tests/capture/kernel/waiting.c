/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waiting.c - is off the CPU for known reasons, each in a function of its own, and says what it knows; with
 * an argument it only naps:
 *
 *   naps()     a timer wakes it after 50 ms
 *   reads()    a child wakes it that writes to a pipe
 *   locks()    a thread wakes it that gives a lock away
 *   stops()    stops itself; a child lets it go on
 *   works()    computes for 200 ms of CPU time, as a child on the same CPU does
 *
 *   child 812
 *   thread 813
 *   child 814
 *   works 200301 us
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

static volatile long sink;
static int ends[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int has_lock;

/* Until a thread is where /proc says so of it: "0 " in its file syscall, say, or "T" in its file stat. */
static void wait_until(int tid, const char *file, const char *kinds, size_t size)
{
	char path[64], text[256];
	bool is_there = false;
	snprintf(path, sizeof(path), "/proc/%d/%s", tid, file);
	while (!is_there) {
		int fd = open(path, O_RDONLY);
		ssize_t nr = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);
		text[nr > 0 ? nr : 0] = '\0';
		close(fd);
		char *name_end = strrchr(text, ')'), *at = name_end ? name_end + 2 : text;
		for (const char *kind = kinds; *kind && !is_there; kind += size)
			is_there = !strncmp(at, kind, size);
		usleep(1000);
	}
}

static void wait_until_calls(int tid, long number)
{
	char kind[32];
	int size = snprintf(kind, sizeof(kind), "%ld ", number);
	wait_until(tid, "syscall", kind, (size_t)size);
}

NOINLINE void naps(void)
{
	usleep(50000);
	sink++;
}

NOINLINE void reads(void)
{
	char c;
	sink += read(ends[0], &c, 1);
}

static void let_read(void)
{
	int parent = getpid(), pid = fork();
	if (!pid) {
		wait_until_calls(parent, SYS_read);
		usleep(60000);
		_exit(write(ends[1], "x", 1) != 1);
	}
	printf("child %d\n", pid);
	reads();
	wait(NULL);
}

NOINLINE void locks(void)
{
	pthread_mutex_lock(&lock);
	sink++;
	pthread_mutex_unlock(&lock);
}

static void *holds(void *ctx)
{
	pthread_mutex_lock(&lock);
	printf("thread %d\n", gettid());
	has_lock = 1;
	wait_until_calls(getpid(), SYS_futex);
	usleep(60000);
	pthread_mutex_unlock(&lock);
	return ctx;
}

static void let_lock(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, holds, NULL);
	while (!has_lock)
		usleep(1000);
	locks();
	pthread_join(thread, NULL);
}

NOINLINE void stops(void)
{
	raise(SIGSTOP);
	sink++;
}

static void let_stop(void)
{
	int parent = getpid(), pid = fork();
	if (!pid) {
		wait_until(parent, "stat", "Tt", 1);
		usleep(60000);
		_exit(kill(parent, SIGCONT) != 0);
	}
	printf("child %d\n", pid);
	stops();
	wait(NULL);
}

static long cpu_us(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

NOINLINE long works(void)
{
	long begin = cpu_us(), now;
	do {
		for (int i = 0; i < 20000; i++)
			sink++;
		now = cpu_us();
	} while (now - begin < 200000);
	return now - begin;
}

static void let_work(void)
{
	cpu_set_t one;
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
	int pid = fork();
	if (!pid) {
		works();
		_exit(0);
	}
	printf("works %ld us\n", works());
	wait(NULL);
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IONBF, 0);
	if (pipe(ends))
		return 1;
	naps();
	if (argc > 1)
		return 0;
	let_read();
	let_lock();
	let_stop();
	let_work();
	return 0;
}
