// SPDX-License-Identifier: Apache-2.0
/*
 * A program that counts its own calls: own THREADS ROUNDS PAUSE_US [ticks|floods|fork|crowd]
 *
 * Each thread makes ROUNDS rounds of about a thousand calls, with a pause behind each. At the
 * end there is a line for each: its tid, and how often it called each function. ticks: a
 * signal comes each millisecond, and its handler makes calls. floods: it makes more of them than
 * a small ring holds. fork: processes, not threads. crowd: all threads are there at once.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define FN	__attribute__((noinline, noclone))
#define MAX	8000
#define NOTE(f) (own->calls[f]++)

enum { WORK, ROUND, LEFT, RIGHT, DEEP, LEAF, TICK, TOCK, NR };

static const char *const names[NR] = { "work", "round_of", "left", "right",
				       "deep", "leaf",	   "tick", "tock" };

struct own {
	int tid;
	uint64_t calls[NR];
};

static struct own *owns; /* shared: forked children count, too */
static __thread struct own *own;
static __thread uint32_t seed;
static long nr_rounds;
static useconds_t pause_us;
static int nr_tocks;
static int is_crowd;
static pthread_barrier_t all;

FN static void leaf(void)
{
	NOTE(LEAF);
	__asm__ volatile("");
}

FN static void deep(int n)
{
	NOTE(DEEP);
	if (n)
		deep(n - 1);
	__asm__ volatile("");
}

FN static void left(void)
{
	NOTE(LEFT);
	leaf();
	__asm__ volatile("");
}

FN static void right(int n)
{
	NOTE(RIGHT);
	left();
	deep(n);
	__asm__ volatile("");
}

/* About a thousand calls, in an order that does not compress well. */
FN static void round_of(void)
{
	NOTE(ROUND);
	for (int i = 0; i < 240; i++) {
		seed = seed * 1103515245 + 12345;
		if (seed >> 16 & 1)
			left();
		else
			right((int)(seed >> 20 & 3));
	}
}

FN static void tock(void)
{
	NOTE(TOCK);
	__asm__ volatile("");
}

FN static void tick(int sig)
{
	NOTE(TICK);
	for (int i = 0; i < nr_tocks; i++)
		tock();
	__asm__ volatile("" ::"r"(sig));
}

static inline __attribute__((always_inline)) void let_alarms(int how)
{
	sigset_t alarms;

	sigemptyset(&alarms);
	sigaddset(&alarms, SIGALRM);
	pthread_sigmask(how, &alarms, NULL);
}

FN static void *work(void *mine)
{
	own = mine;
	NOTE(WORK);
	own->tid = gettid();
	seed = (uint32_t)(own - owns) + 1;
	let_alarms(SIG_UNBLOCK);
	for (long i = 0; i < nr_rounds; i++) {
		if (is_crowd)
			pthread_barrier_wait(&all);
		round_of();
		if (pause_us)
			usleep(pause_us);
	}
	let_alarms(SIG_BLOCK);
	if (is_crowd)
		pthread_barrier_wait(&all);
	return NULL;
}

static void run_threads(int nr)
{
	static pthread_t threads[MAX];
	pthread_attr_t small;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 64 << 10);
	pthread_barrier_init(&all, NULL, (unsigned)nr);
	for (int i = 0; i < nr; i++)
		if (pthread_create(&threads[i], &small, work, &owns[i]))
			exit(99);
	for (int i = 0; i < nr; i++)
		pthread_join(threads[i], NULL);
}

static void run_children(int nr)
{
	for (int i = 0; i < nr; i++)
		if (!fork()) {
			work(&owns[i]);
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
}

static void start_ticks(int nr)
{
	struct sigaction action = { .sa_handler = tick, .sa_flags = SA_RESTART };
	struct itimerval every = { { 0, 1000 }, { 0, 1000 } };

	nr_tocks = nr;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
}

static void stop_ticks(void)
{
	struct itimerval never = { { 0, 0 }, { 0, 0 } };

	setitimer(ITIMER_REAL, &never, NULL);
}

static void print(const struct own *one)
{
	printf("%d", one->tid);
	for (int i = 0; i < NR; i++)
		if (one->calls[i])
			printf(" %s=%llu", names[i], (unsigned long long)one->calls[i]);
	printf("\n");
}

int main(int argc, char **argv)
{
	int nr = argc > 3 ? atoi(argv[1]) : 0;
	const char *how = argc > 4 ? argv[4] : "";

	if (nr < 1 || nr > MAX)
		return 99;
	nr_rounds = atol(argv[2]);
	pause_us = (useconds_t)atol(argv[3]);
	owns = mmap(NULL, MAX * sizeof(*owns), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	let_alarms(SIG_BLOCK); /* the main thread's calls are not counted */
	if (!strcmp(how, "ticks"))
		start_ticks(100);
	if (!strcmp(how, "floods"))
		start_ticks(20000);
	is_crowd = !strcmp(how, "crowd");
	if (!strcmp(how, "fork"))
		run_children(nr);
	else
		run_threads(nr);
	stop_ticks();
	for (int i = 0; i < nr; i++)
		print(&owns[i]);
	printf("end\n");
	return 7;
}
