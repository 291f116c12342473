/* SPDX-License-Identifier: Apache-2.0 */
/* A storm of timer signals, handled on stacks of their own and on the threads'. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>

#include "attached.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

static volatile bool is_told;
static int nr_begun; /* threads that have all the memory that they will have */
static __thread volatile unsigned long nr_handled;

NOINLINE static long work(long n, long depth)
{
	volatile long mark = n;
	long below = depth ? work(n + 1, depth - 1) : n;
	CHECK(mark == n);
	return below + depth;
}

static long expected(long n, long depth)
{
	return n + depth + depth * (depth + 1) / 2;
}

static void on_timer(int sig)
{
	int err = errno;
	CHECK(work(sig, 6) == expected(sig, 6));
	nr_handled++;
	errno = err;
}

static timer_t start_timer(int sig, long ns)
{
	timer_t timer;
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = sig };
	event.sigev_notify_thread_id = (int)syscall(SYS_gettid);
	struct itimerspec often = { { 0, ns }, { 0, ns } };
	CHECK(!timer_create(CLOCK_MONOTONIC, &event, &timer));
	CHECK(!timer_settime(timer, 0, &often, NULL));
	return timer;
}

static void *be_interrupted(void *arg)
{
	bool has_stack = (long)arg & 1;
	unsigned long nr = 0;
	stack_t stack = { .ss_sp = malloc(65536), .ss_size = 65536 };
	if (has_stack)
		CHECK(!sigaltstack(&stack, NULL));
	__atomic_fetch_add(&nr_begun, 1, __ATOMIC_SEQ_CST);
	timer_t a = start_timer(SIGUSR1, 300000), b = start_timer(SIGUSR2, 470000);
	while (!is_told) {
		CHECK(work((long)nr, 20) == expected((long)nr, 20));
		nr++;
	}
	timer_delete(a);
	timer_delete(b);
	CHECK(nr_handled > 10);
	return (void *)nr;
}

int main(void)
{
	enum { NR = 3 };
	pthread_t threads[NR];
	unsigned long sum = 0;
	/* One handler may interrupt the other. */
	struct sigaction action = { .sa_handler = on_timer, .sa_flags = SA_ONSTACK | SA_RESTART };
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGUSR2, &action, NULL);
	for (long i = 0; i < NR; i++)
		CHECK(!pthread_create(&threads[i], NULL, be_interrupted, (void *)i));
	while (__atomic_load_n(&nr_begun, __ATOMIC_SEQ_CST) < NR)
		usleep(1000);
	usleep(20000);
	ready();
	while (!is_over())
		usleep(2000);
	is_told = true;
	for (int i = 0; i < NR; i++) {
		void *nr;
		CHECK(!pthread_join(threads[i], &nr));
		sum += (unsigned long)nr;
	}
	return well(sum);
}
