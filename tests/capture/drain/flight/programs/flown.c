/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flown MODE [N] - makes calls that can be counted: serial(i) calls d0()...df() for the five
 * hex digits of i, so that what a trace ends with is known. MODE is how it goes on from there.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

static volatile long sink;
static volatile sig_atomic_t nr_signals;

#define DIGIT(x)                                                                               \
	NOINLINE void d##x(void)                                                               \
	{                                                                                      \
		sink += 0x##x;                                                                 \
	}
DIGIT(0) DIGIT(1) DIGIT(2) DIGIT(3) DIGIT(4) DIGIT(5) DIGIT(6) DIGIT(7)
DIGIT(8) DIGIT(9) DIGIT(a) DIGIT(b) DIGIT(c) DIGIT(d) DIGIT(e) DIGIT(f)

static void (*const digits[16])(void) = { d0, d1, d2, d3, d4, d5, d6, d7,
					  d8, d9, da, db, dc, dd, de, df };

NOINLINE void serial(unsigned int i)
{
	for (int shift = 16; shift >= 0; shift -= 4)
		digits[i >> shift & 15]();
	sink++;
}

NOINLINE void count(unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		serial(i);
	sink++;
}

NOINLINE void faulty(volatile int *p)
{
	serial(0xabcde);
	*p = 1;
	serial(0x11111);
}

NOINLINE void careless(volatile int *p)
{
	faulty(p);
	sink++;
}

NOINLINE void aborting(void)
{
	serial(0xabcde);
	abort();
}

NOINLINE long endless(volatile long n)
{
	volatile char room[200];
	room[n % 200] = 1;
	return endless(n + 1) + room[n % 200];
}

NOINLINE long deep(volatile long n, unsigned int calls)
{
	if (n)
		return deep(n - 1, calls) + 1;
	count(calls);
	return 1;
}

static jmp_buf back;

NOINLINE void jumping(unsigned int i)
{
	serial(i);
	longjmp(back, 1);
}

NOINLINE void jumped_over(unsigned int i)
{
	jumping(i);
	sink++;
}

NOINLINE void pausing(long ms)
{
	struct timespec left = { ms / 1000, ms % 1000 * 1000000 };
	while (nanosleep(&left, &left) && errno == EINTR)
		;
	sink++;
}

/* Slow now and then. */
NOINLINE void handle_request(unsigned int i)
{
	serial(i);
	if (i % 1000 == 999)
		pausing(60);
	sink++;
}

static void on_signal(int sig)
{
	nr_signals++;
}

static void *thread(void *n)
{
	count((unsigned int)(long)n);
	return NULL;
}

static void *crashing_thread(void *n)
{
	count((unsigned int)(long)n);
	careless(NULL);
	return NULL;
}

static volatile sig_atomic_t is_over;

static void *busy_thread(void *unused)
{
	for (unsigned int i = 0; !is_over; i++)
		serial(i & 0xfffff);
	return NULL;
}

static void *listener(void *unused)
{
	while (getchar() != EOF)
		;
	is_over = 1;
	return NULL;
}

static void start_threads(int nr, void *(*fn)(void *), unsigned int n)
{
	pthread_t threads[64];
	for (int i = 0; i < nr; i++)
		pthread_create(&threads[i], NULL, fn, (void *)(long)n);
	for (int i = 0; i < nr; i++)
		pthread_join(threads[i], NULL);
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void fork_children(int nr, unsigned int n)
{
	for (int i = 0; i < nr; i++) {
		int child = fork();
		if (!child) {
			count(n);
			if (i == nr - 1)
				careless(NULL);
			_exit(3);
		}
		waitpid(child, NULL, 0);
	}
}

/* Quick, but for what watches the calls that it makes. */
NOINLINE void busy_request(unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		serial(i);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	unsigned int n = argc > 2 ? (unsigned int)atoi(argv[2]) : 0;
	setvbuf(stdout, NULL, _IOLBF, 0);
	signal(SIGUSR2, on_signal);

	if (!strcmp(mode, "count")) {
		count(n);
	} else if (!strcmp(mode, "fault")) {
		count(n);
		careless(NULL);
	} else if (!strcmp(mode, "abort")) {
		count(n);
		aborting();
	} else if (!strcmp(mode, "overflow")) {
		count(n);
		endless(0);
	} else if (!strcmp(mode, "kill")) {
		count(n);
		kill(getpid(), SIGKILL);
	} else if (!strcmp(mode, "deep")) {
		deep(50000, n);
	} else if (!strcmp(mode, "jumps")) {
		for (volatile unsigned int i = 0; i < n; i++)
			if (!setjmp(back))
				jumped_over(i);
	} else if (!strcmp(mode, "threads")) {
		puts("begun");
		start_threads(8, thread, n);
	} else if (!strcmp(mode, "busy-threads")) {
		/* Until the end of its input. */
		pthread_t reader;
		pthread_create(&reader, NULL, listener, NULL);
		puts("begun");
		start_threads(8, busy_thread, n);
		pthread_join(reader, NULL);
	} else if (!strcmp(mode, "births")) {
		for (unsigned int i = 0; i < n; i++) {
			start_threads(1, thread, argc > 3 ? (unsigned int)atoi(argv[3]) : 100);
			if (argc > 4)
				usleep((useconds_t)atoi(argv[4]) * 1000);
			if (i % 1000 == 999)
				puts("1000 births");
		}
	} else if (!strcmp(mode, "crashing-thread")) {
		start_threads(4, thread, n);
		start_threads(1, crashing_thread, n);
	} else if (!strcmp(mode, "children")) {
		fork_children(5, n);
	} else if (!strcmp(mode, "exec")) {
		count(n);
		execl(argv[0], argv[0], "count", "7", (char *)NULL);
	} else if (!strcmp(mode, "requests")) {
		for (unsigned int i = 0; i < n; i++) {
			double begin = now();
			handle_request(i);
			double took = now() - begin;
			if (took > 0.04)
				printf("%u took %.3f ms\n", i, took * 1e3);
		}
	} else if (!strcmp(mode, "busy-request")) {
		busy_request(n);
	} else if (!strcmp(mode, "late")) {
		pausing(1);
		sleep(n);
		pausing(10000);
	} else if (!strcmp(mode, "endless")) {
		/* Until it is killed; it says when it has done something. */
		for (unsigned int i = 0;; i++) {
			serial(i & 0xfffff);
			if (i == n)
				puts("ready");
		}
	} else if (!strcmp(mode, "signal")) {
		count(n);
		raise(SIGUSR2);
		count(n);
		raise(SIGUSR2);
		count(100);
	} else if (!strcmp(mode, "serve")) {
		/* Counts until a line comes, tells how far, waits, counts... */
		char line[16];
		for (unsigned int i = 0; fgets(line, sizeof(line), stdin); i++) {
			count(n);
			serial(0x77700 + i);
			printf("%d\n", (int)nr_signals);
		}
	} else {
		return 2;
	}
	printf("%d signals\n", (int)nr_signals);
	return 0;
}
