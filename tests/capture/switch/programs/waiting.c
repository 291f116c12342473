/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waiting WHAT [ROUNDS] - waits in each of some functions, and says what it took: for each call of these a
 * line "FUNCTION WALL CPU", in ns of CLOCK_MONOTONIC and of the thread's own CPU clock.
 *
 *	all      naps, waits for a lock, a pipe and a child, and works
 *	threads  the same in four threads at once
 *	shared   two threads work on one CPU
 *	signals  naps and works, and a timer comes 200 times a second meanwhile
 *	ready    says "ready", then naps until its input ends
 *	thread   executes itself from another thread than its first: waiting all
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

static long rounds = 5;
static const char *self;
static pthread_mutex_t printing = PTHREAD_MUTEX_INITIALIZER;
static volatile long sink;

static uint64_t now(clockid_t clock)
{
	struct timespec time;
	clock_gettime(clock, &time);
	return time.tv_sec * 1000000000ull + time.tv_nsec;
}

static void sleep_ms(long ms)
{
	struct timespec left = { .tv_nsec = ms * 1000000 };
	while (nanosleep(&left, &left))
		;
}

NOINLINE void naps(void)
{
	sleep_ms(20);
	sink++;
}

NOINLINE void works(void)
{
	uint64_t end = now(CLOCK_THREAD_CPUTIME_ID) + 20000000;
	while (now(CLOCK_THREAD_CPUTIME_ID) < end)
		for (int i = 0; i < 10000; i++)
			sink++;
}

struct lock {
	pthread_mutex_t mutex;
	pthread_barrier_t both;
};

static void *holds(void *ctx)
{
	struct lock *lock = ctx;
	pthread_mutex_lock(&lock->mutex);
	pthread_barrier_wait(&lock->both);
	sleep_ms(20);
	pthread_mutex_unlock(&lock->mutex);
	return NULL;
}

NOINLINE void locks(void)
{
	struct lock lock;
	pthread_t holder;
	pthread_mutex_init(&lock.mutex, NULL);
	pthread_barrier_init(&lock.both, NULL, 2);
	pthread_create(&holder, NULL, holds, &lock);
	pthread_barrier_wait(&lock.both);
	pthread_mutex_lock(&lock.mutex);
	pthread_mutex_unlock(&lock.mutex);
	pthread_join(holder, NULL);
	sink++;
}

static void *writes(void *ctx)
{
	sleep_ms(20);
	if (write(*(int *)ctx, "x", 1) != 1)
		abort();
	return NULL;
}

NOINLINE void reads(void)
{
	int ends[2];
	char c;
	pthread_t writer;
	if (pipe(ends))
		abort();
	pthread_create(&writer, NULL, writes, &ends[1]);
	if (read(ends[0], &c, 1) != 1)
		abort();
	pthread_join(writer, NULL);
	close(ends[0]);
	close(ends[1]);
	sink++;
}

NOINLINE void awaits(void)
{
	pid_t child = fork();
	if (!child) {
		sleep_ms(20);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	sink++;
}

static void measure(const char *name, void (*does)(void))
{
	uint64_t wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_THREAD_CPUTIME_ID);
	does();
	cpu = now(CLOCK_THREAD_CPUTIME_ID) - cpu;
	wall = now(CLOCK_MONOTONIC) - wall;
	pthread_mutex_lock(&printing);
	printf("%s %llu %llu\n", name, (unsigned long long)wall, (unsigned long long)cpu);
	fflush(stdout);
	pthread_mutex_unlock(&printing);
}

static void *all(void *ctx)
{
	for (long i = 0; i < rounds; i++) {
		measure("naps", naps);
		measure("locks", locks);
		measure("reads", reads);
		measure("awaits", awaits);
		measure("works", works);
	}
	return NULL;
}

static void *only_works(void *ctx)
{
	for (long i = 0; i < rounds; i++)
		measure("works", works);
	return NULL;
}

static void run(void *(*does)(void *), int nr)
{
	pthread_t threads[8];
	for (int i = 0; i < nr; i++)
		pthread_create(&threads[i], NULL, does, NULL);
	for (int i = 0; i < nr; i++)
		pthread_join(threads[i], NULL);
}

static void on_alarm(int sig)
{
}

static void signals(void)
{
	struct itimerval every = { { 0, 5000 }, { 0, 5000 } };
	struct sigaction action = { .sa_handler = on_alarm, .sa_flags = SA_RESTART };
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
	for (long i = 0; i < rounds; i++)
		measure("works", works);
}

static void one_cpu(void)
{
	cpu_set_t one;
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
	run(only_works, 2);
}

static void *waits_for_input(void *ctx)
{
	char c;
	if (!ctx)
		sleep_ms(20);
	return read(0, &c, 1) ? NULL : ctx;
}

static void *executes(void *ctx)
{
	execl(self, self, "all", "2", NULL);
	abort();
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "all";
	self = argv[0];
	if (argc > 2)
		rounds = atol(argv[2]);
	if (!strcmp(what, "all"))
		all(NULL);
	else if (!strcmp(what, "threads"))
		run(all, 4);
	else if (!strcmp(what, "shared"))
		one_cpu();
	else if (!strcmp(what, "signals"))
		signals();
	else if (!strcmp(what, "thread"))
		run(executes, 1);
	else {
		puts("ready");
		fflush(stdout);
		run(waits_for_input, 4);
	}
	return 3;
}
