// SPDX-License-Identifier: Apache-2.0
/*
 * Uses ptrace itself, in the way that its argument names, says what came of it, and ends with a
 * status of its own. Lines are sorted by who says them: each is said at one known time.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

NOINLINE static int work(int n)
{
	return n < 2 ? n : work(n - 1) + work(n - 2);
}

static void say(const char *what, long got)
{
	printf("%s: %ld%s\n", what, got, got < 0 ? " with an error" : "");
	fflush(stdout);
}

static long by_instruction(long nr, long a, long b, long c, long d)
{
	long got;
	register long r10 __asm__("r10") = d;
	__asm__ volatile("syscall"
			 : "=a"(got)
			 : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10)
			 : "rcx", "r11", "memory");
	return got;
}

/* ---- to be traced by the parent ---- */

static int me(void)
{
	say("once", ptrace(PTRACE_TRACEME, 0, 0, 0));
	say("twice", ptrace(PTRACE_TRACEME, 0, 0, 0));
	say("work", work(10));
	return 5;
}

static int me_by_syscall(void)
{
	say("once", syscall(SYS_ptrace, PTRACE_TRACEME, 0, 0, 0));
	say("twice", syscall(SYS_ptrace, PTRACE_TRACEME, 0, 0, 0));
	return 6;
}

/* No library sees it: it may fail, and nobody may hang. */
static int me_by_instruction(void)
{
	by_instruction(SYS_ptrace, PTRACE_TRACEME, 0, 0, 0);
	by_instruction(SYS_ptrace, PTRACE_TRACEME, 0, 0, 0);
	say("work", work(10));
	return 7;
}

static void *nothing(void *arg)
{
	return arg;
}

static void *twice(void *arg)
{
	long *got = arg;
	got[0] = ptrace(PTRACE_TRACEME, 0, 0, 0);
	got[1] = ptrace(PTRACE_TRACEME, 0, 0, 0);
	return NULL;
}

static void make_threads(int nr, void *(*fn)(void *), void *arg)
{
	for (int i = 0; i < nr; i++) {
		pthread_t thread;
		if (pthread_create(&thread, NULL, fn, arg))
			abort();
		pthread_join(thread, NULL);
	}
}

static void *wait_for_it(void *arg)
{
	char byte;
	return read(*(int *)arg, &byte, 1) < 0 ? arg : NULL;
}

/* Each thread has a tracer of its own. */
static int me_and_threads(void)
{
	int gate[2];
	pthread_t other;
	if (pipe(gate) || pthread_create(&other, NULL, wait_for_it, &gate[0]))
		abort();
	long mine[2], theirs[2];
	twice(mine);
	make_threads(1, twice, theirs);
	say("once", mine[0]);
	say("twice", mine[1]);
	say("a thread once", theirs[0]);
	say("a thread twice", theirs[1]);
	make_threads(50, nothing, NULL);
	say("written", write(gate[1], "", 1));
	pthread_join(other, NULL);
	return 8;
}

/* ---- a child traces its parent ---- */

static long wait_stop(int pid)
{
	int status;
	long got;
	while ((got = waitpid(pid, &status, __WALL)) < 0 && errno == EINTR)
		;
	return got < 0 ? -1 : WIFSTOPPED(status) ? WSTOPSIG(status) : 0;
}

static long attach(int pid, int request)
{
	long got = ptrace(request, pid, 0, 0);
	if (!got && request == PTRACE_SEIZE)
		got = ptrace(PTRACE_INTERRUPT, pid, 0, 0);
	return got ? -1 : wait_stop(pid);
}

/* What the parent does meanwhile must come after it was let go. */
static void traced_by_child(int request, int nr_times, int stays)
{
	int go[2], done[2];
	char byte = 0;
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
	if (pipe(go) || pipe(done))
		abort();
	int parent = getpid(), child = fork();
	if (!child) {
		close(done[0]);
		if (read(go[0], &byte, 1) != 1)
			_exit(1);
		for (int i = 0; i < nr_times; i++) {
			byte = attach(parent, request) > 0;
			int last = i + 1 == nr_times;
			if (byte)
				ptrace(stays && last ? PTRACE_CONT : PTRACE_DETACH, parent, 0,
				       0);
		}
		if (write(done[1], &byte, 1) != 1)
			_exit(1);
		if (stays)
			wait_stop(parent);
		_exit(0);
	}
	if (write(go[1], "", 1) != 1)
		abort();
	ssize_t got;
	while ((got = read(done[0], &byte, 1)) < 0 && errno == EINTR)
		;
	say("a child traced its parent", got == 1 ? byte : -1);
	if (!stays)
		waitpid(child, NULL, 0);
	say("work", work(10));
}

static int by_child(void)
{
	traced_by_child(PTRACE_ATTACH, 1, 0);
	return 9;
}

static int seized_by_child(void)
{
	traced_by_child(PTRACE_SEIZE, 1, 0);
	return 10;
}

static int by_child_again(void)
{
	traced_by_child(PTRACE_ATTACH, 5, 0);
	return 11;
}

static int by_child_to_the_end(void)
{
	traced_by_child(PTRACE_SEIZE, 1, 1);
	return 12;
}

/* Nobody has this process' hooks any more: its parent traces it as any parent does. */
static int by_child_then_me(void)
{
	traced_by_child(PTRACE_ATTACH, 1, 0);
	say("once", ptrace(PTRACE_TRACEME, 0, 0, 0));
	say("twice", ptrace(PTRACE_TRACEME, 0, 0, 0));
	return 13;
}

/* ---- among children ---- */

static int own_child(void)
{
	int child = fork();
	if (!child) {
		say("the child", ptrace(PTRACE_TRACEME, 0, 0, 0));
		raise(SIGSTOP);
		_exit(work(5));
	}
	say("it stops by", wait_stop(child));
	ptrace(PTRACE_CONT, child, 0, 0);
	int status;
	waitpid(child, &status, 0);
	say("it ends with", WEXITSTATUS(status));
	return 14;
}

static int siblings(void)
{
	int gate[2];
	char byte;
	if (pipe(gate))
		abort();
	int first = fork();
	if (!first) {
		prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
		_exit(read(gate[0], &byte, 1) == 1 ? work(6) : 1);
	}
	int second = fork();
	if (!second) {
		long got = attach(first, PTRACE_ATTACH);
		if (got > 0)
			ptrace(PTRACE_DETACH, first, 0, 0);
		_exit(got > 0 ? 0 : 2);
	}
	int status;
	waitpid(second, &status, 0);
	say("one traced the other", WEXITSTATUS(status));
	say("written", write(gate[1], "", 1));
	waitpid(first, &status, 0);
	say("it ends with", WEXITSTATUS(status));
	return 15;
}

static int executes(void)
{
	execl("/proc/self/exe", "tracing", "executes", NULL);
	return 1;
}

/* It may be at the start of a program when it is to be let go, or come there meanwhile. */
static int who_executes(void)
{
	enum { ROUNDS = 10 };
	int nr_attached = 0;
	for (int i = 0; i < ROUNDS; i++) {
		int child = fork();
		if (!child)
			_exit(executes());
		usleep(i * 3000);
		nr_attached += attach(child, i % 2 ? PTRACE_ATTACH : PTRACE_SEIZE) > 0;
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	say("traced one that executes programs, times", nr_attached);
	return 17;
}

/* What nobody may do fails at once, as ever. */
static int itself(void)
{
	say("itself", ptrace(PTRACE_ATTACH, getpid(), 0, 0));
	say("nobody", ptrace(PTRACE_ATTACH, 0, 0, 0));
	say("less than nobody", ptrace(PTRACE_ATTACH, -1, 0, 0));
	say("the parent's parent", ptrace(PTRACE_SEIZE, 1, 0, -1));
	return 16;
}

static const struct {
	const char *name;
	int (*run)(void);
} ways[] = {
	{ "me", me },
	{ "me-by-syscall", me_by_syscall },
	{ "me-by-instruction", me_by_instruction },
	{ "me-and-threads", me_and_threads },
	{ "by-child", by_child },
	{ "seized-by-child", seized_by_child },
	{ "by-child-again", by_child_again },
	{ "by-child-to-the-end", by_child_to_the_end },
	{ "by-child-then-me", by_child_then_me },
	{ "own-child", own_child },
	{ "siblings", siblings },
	{ "itself", itself },
	{ "who-executes", who_executes },
	{ "executes", executes },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		if (argc == 2 && !strcmp(argv[1], ways[i].name))
			return ways[i].run();
	return 1;
}
