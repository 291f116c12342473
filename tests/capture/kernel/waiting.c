/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waiting.c - is off the CPU for known reasons, each in a function of its own, and says what it knows:
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
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

static volatile long sink;
static int ends[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int has_lock;

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
	int pid = fork();
	if (!pid) {
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

int main(void)
{
	setvbuf(stdout, NULL, _IONBF, 0);
	if (pipe(ends))
		return 1;
	naps();
	let_read();
	let_lock();
	let_stop();
	let_work();
	return 0;
}
