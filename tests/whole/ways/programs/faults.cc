// SPDX-License-Identifier: Apache-2.0
// Exceptions thrown by a fault's handler, on its own stack too: the unwinder walks through what
// was interrupted.
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <execinfo.h>
#include <stdexcept>

#define FN __attribute__((noinline, noclone))

extern "C" FN int leaf(int x)
{
	__asm__ volatile("");
	return x + 1;
}

extern "C" FN int get(const volatile int *at)
{
	return *at;
}

extern "C" FN int get_late(const volatile int *at, int n)
{
	int sum = leaf(n);
	return sum + *at;
}

struct guard {
	int &sum;
	FN ~guard()
	{
		sum += leaf(2);
	}
};

static int cleaned;

FN int deep(int n, const volatile int *at)
{
	guard g{ cleaned };
	if (n)
		return deep(n - 1, at) + leaf(0);
	return (n ? 0 : get(at)) + get_late(at, n);
}

static void on_fault(int sig)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, sig);
	sigprocmask(SIG_UNBLOCK, &set, nullptr);
	leaf(sig);
	throw std::runtime_error("fault");
}

static volatile long nr_frames, nr_ticks;

/* What a profiler does: the same stack, whatever was interrupted. */
FN static void on_tick(int)
{
	void *frames[200];
	int n = backtrace(frames, 200);
	nr_frames += n;
	nr_ticks++;
}

FN int spin(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += leaf(i) & 1;
	return sum;
}

int main()
{
	static char stack[1 << 16];
	for (int is_elsewhere = 0; is_elsewhere < 2; is_elsewhere++) {
		stack_t other = {};
		other.ss_sp = stack;
		other.ss_size = sizeof(stack);
		sigaltstack(&other, nullptr);
		struct sigaction action = {};
		action.sa_handler = on_fault;
		action.sa_flags = is_elsewhere ? SA_ONSTACK : 0;
		sigaction(SIGSEGV, &action, nullptr);
		for (int i = 0; i < 30; i++) {
			try {
				deep(i % 10, nullptr);
			} catch (std::exception &e) {
				cleaned += leaf(i);
				if (i < 2)
					puts(e.what());
			}
		}
		printf("%d\n", cleaned);
	}
	void *warm[10];
	backtrace(warm, 10);
	struct sigaction action = {};
	action.sa_handler = on_tick;
	action.sa_flags = SA_RESTART;
	sigaction(SIGALRM, &action, nullptr);
	timer_t timer;
	struct sigevent event = {};
	event.sigev_notify = SIGEV_SIGNAL;
	event.sigev_signo = SIGALRM;
	timer_create(CLOCK_MONOTONIC, &event, &timer);
	struct itimerspec every = { { 0, 1000000 }, { 0, 1000000 } };
	timer_settime(timer, 0, &every, nullptr);
	long sum = 0;
	while (nr_ticks < 100)
		sum += spin(100000) == 50000;
	every = {};
	timer_settime(timer, 0, &every, nullptr);
	printf("%d\n", sum > 0);
	/* leaf, spin, main and the three around it: few may be cut where a stub's body is. */
	printf("%d\n", nr_frames > 5 * nr_ticks);
}
