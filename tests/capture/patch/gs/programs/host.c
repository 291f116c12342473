// SPDX-License-Identifier: Apache-2.0
/*
 * Uses guest.c in the ways that its arguments say, and says how often step() was called. It is
 * linked with it, or loads libguest.so beside it.
 */
#include "guest.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <libgen.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NR = 2000, NR_THREADS = 4 };

static long nr_steps;
static guest_run_fn *guest_run_of;
static guest_begin_fn *guest_begin_of;

__attribute__((noinline)) long step(long x)
{
	__atomic_fetch_add(&nr_steps, 1, __ATOMIC_RELAXED);
	return x + 1;
}

__attribute__((noinline)) long step_twice(long x)
{
	return step(step(x));
}

/* A call of a function that is hooked, inside of another's. */
__attribute__((noinline)) long nest(long x)
{
	return x % 3 ? step_twice(x) : guest_run_of(step, x);
}

static void expect(long got, long want)
{
	if (got == want)
		return;
	printf("got %ld, not %ld\n", got, want);
	exit(1);
}

static void run(long nr)
{
	for (long i = 0; i < nr; i++) {
		expect(guest_run_of(nest, i), i % 3 ? 2 * (i + 2) : 4 * (i + 1));
		step(i);
	}
}

static void *thread(void *arg)
{
	run(NR);
	return arg;
}

static void run_threads(void)
{
	pthread_t threads[NR_THREADS];
	for (int i = 0; i < NR_THREADS; i++)
		if (pthread_create(&threads[i], NULL, thread, NULL))
			abort();
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
}

/* They begin with the %gs of who made them. */
static long make_threads(long x)
{
	run_threads();
	return x;
}

static jmp_buf back;

static long jump(long x)
{
	if (step(x))
		longjmp(back, 1);
	return x;
}

static void jump_out(void)
{
	for (volatile int i = 0; i < NR / 10; i++) {
		if (!setjmp(back))
			guest_run_of(jump, 1);
		step(0);
	}
}

static long walk(long x)
{
	void *frames[64];
	expect(backtrace(frames, 64) > 3, 1);
	return step(x);
}

static void *leave(void *arg)
{
	pthread_exit((void *)(step((long)arg) - 1));
}

static long leave_inside(long x)
{
	leave((void *)x);
	return 0;
}

static void *leaving(void *arg)
{
	guest_run_of(leave_inside, (long)arg);
	return NULL;
}

static void unwind(void)
{
	for (int i = 0; i < 20; i++) {
		pthread_t one;
		void *got;
		expect(guest_run_of(walk, i), 2 * (i + 1));
		if (pthread_create(&one, NULL, leaving, &nr_steps))
			abort();
		pthread_join(one, &got);
		expect(got == &nr_steps, 1);
	}
}

static volatile long nr_alarms;

static void on_alarm(int sig)
{
	nr_alarms += sig == SIGALRM;
	step(step_twice(0));
}

static void take_signals(int flags)
{
	static char stack[64 * 1024];
	const struct itimerval often = { { 0, 500 }, { 0, 500 } }, never = { { 0, 0 }, { 0, 0 } };
	struct sigaction action = { .sa_handler = on_alarm, .sa_flags = SA_RESTART | flags };
	if (flags)
		sigaltstack(&(stack_t){ .ss_sp = stack, .ss_size = sizeof(stack) }, NULL);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (nr_alarms = 0; nr_alarms < 20;)
		run(20);
	setitimer(ITIMER_REAL, &never, NULL);
}

static long fork_inside(long x)
{
	int status, fds[2];
	long theirs = 0;
	if (pipe(fds))
		abort();
	fflush(stdout);
	pid_t pid = fork();
	if (!pid) {
		nr_steps = 0;
		run(NR);
		_exit(write(fds[1], &nr_steps, sizeof(nr_steps)) != sizeof(nr_steps));
	}
	expect(pid > 0 && waitpid(pid, &status, 0) == pid && !status, 1);
	expect(read(fds[0], &theirs, sizeof(theirs)), sizeof(theirs));
	nr_steps += theirs;
	close(fds[0]);
	close(fds[1]);
	return step(x);
}

__attribute__((noinline)) long of_child(long n)
{
	return n ? of_child(n - 1) + 1 : step(0);
}

__attribute__((noinline)) long of_parent(long n)
{
	return n ? of_parent(n - 1) + 1 : step(0);
}

/* The child has its parent's stack and thread pointer. */
static void run_vfork(void)
{
	for (volatile int i = 0; i < 100; i++) {
		int status;
		of_parent(3);
		pid_t pid = vfork();
		if (!pid) {
			of_child(5);
			_exit(0);
		}
		of_parent(2);
		expect(pid > 0 && waitpid(pid, &status, 0) == pid && !status, 1);
		of_parent(4);
	}
}

/* All is allowed, which nobody but the kernel knows. */
static void filter(void)
{
	struct sock_filter allow[] = { BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW) };
	struct sock_fprog program = { 1, allow };
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		abort();
}

/* Others call functions while it is loaded, and when it has %gs. */
static volatile bool is_busy;

static void *be_busy(void *arg)
{
	while (__atomic_load_n(&is_busy, __ATOMIC_ACQUIRE))
		step_twice((long)arg);
	return NULL;
}

static void load(const char *self)
{
	char path[4096];
	snprintf(path, sizeof(path), "%s", self);
	strcat(dirname(path), "/libguest.so");
	void *guest = dlopen(path, RTLD_NOW);
	if (!guest) {
		printf("%s\n", dlerror());
		exit(1);
	}
	guest_run_of = (guest_run_fn *)dlsym(guest, "guest_run");
	guest_begin_of = (guest_begin_fn *)dlsym(guest, "guest_begin");
}

static void load_while_busy(const char *self)
{
	pthread_t busy[NR_THREADS];
	is_busy = true;
	for (int i = 0; i < NR_THREADS; i++)
		if (pthread_create(&busy[i], NULL, be_busy, NULL))
			abort();
	long before = nr_steps;
	while (__atomic_load_n(&nr_steps, __ATOMIC_RELAXED) < before + NR)
		;
	load(self);
	run(NR);
	__atomic_store_n(&is_busy, false, __ATOMIC_RELEASE);
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(busy[i], NULL);
}

/* Until it is told to end, with a word to say that it has begun. */
static void serve(void)
{
	puts("serving");
	fflush(stdout);
	for (char end; read(0, &end, 0) == 0;) {
		fd_set set;
		struct timeval now = { 0, 0 };
		FD_ZERO(&set);
		FD_SET(0, &set);
		if (select(1, &set, NULL, NULL, &now) > 0)
			return;
		run(100);
	}
}

static void do_word(const char *word, const char *self)
{
	if (!strcmp(word, "asks"))
		guest_begin_of(ASKS_THE_KERNEL);
	else if (!strcmp(word, "restores"))
		guest_begin_of(RESTORES);
	else if (!strcmp(word, "busy"))
		load_while_busy(self);
	else if (!strcmp(word, "run"))
		run(NR);
	else if (!strcmp(word, "threads"))
		expect(guest_run_of(make_threads, 1), 2);
	else if (!strcmp(word, "jump"))
		jump_out();
	else if (!strcmp(word, "unwind"))
		unwind();
	else if (!strcmp(word, "signals"))
		take_signals(0);
	else if (!strcmp(word, "signals-elsewhere"))
		take_signals(SA_ONSTACK);
	else if (!strcmp(word, "fork"))
		expect(guest_run_of(fork_inside, 1), 4);
	else if (!strcmp(word, "vfork"))
		run_vfork();
	else if (!strcmp(word, "filter"))
		filter();
	else if (!strcmp(word, "serve"))
		serve();
	else
		exit(2);
}

#ifdef LINKED
guest_run_fn guest_run;
guest_begin_fn guest_begin;
#endif

int main(int argc, char **argv)
{
	bool is_loaded = argc > 1 && !strcmp(argv[1], "busy");
#ifdef LINKED
	guest_run_of = guest_run;
	guest_begin_of = guest_begin;
#else
	for (int i = 0; i < NR; i++)
		step(i);
	if (!is_loaded)
		load(argv[0]);
#endif
	(void)is_loaded;
	for (int i = 1; i < argc; i++)
		do_word(argv[i], argv[0]);
	printf("%ld\n", nr_steps);
	return 0;
}
