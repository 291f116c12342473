// SPDX-License-Identifier: Apache-2.0
/*
 * inside none|one|all ROUNDS - in each round a forked child's threads make calls, also on stacks
 * that nobody knows, which keeps a tracer's agent busy with its signals blocked, while another
 * thread forbids system calls: no thread's, its own, or those of all. None is killed, and no
 * signal stays blocked.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	NR_THREADS = 3,
	NR_STACKS = 3,
	NR_CALLS = 200,
	STACK = 64 * 1024,
	BEFORE = 200,
	AFTER = 50
};

static char stacks[NR_THREADS][NR_STACKS][STACK] __attribute__((aligned(16)));
static volatile int tids[NR_THREADS];
static volatile long nr_rounds[NR_THREADS];
static volatile int is_over;

__attribute__((noinline)) void leaf(void)
{
	__asm__ volatile("");
}

/* Nobody knows of this stack: no libc function has changed to it. */
static void call_on(char *stack_end)
{
	__asm__ volatile("mov %%rsp, %%rbx; mov %0, %%rsp; call leaf; mov %%rbx, %%rsp"
			 :
			 : "r"(stack_end)
			 : "rbx", "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11",
			   "memory", "cc");
}

static void *busy(void *arg)
{
	int i = (int)(long)arg;
	tids[i] = (int)syscall(SYS_gettid);
	while (!is_over) {
		for (int s = 0; s < NR_STACKS; s++)
			call_on(stacks[i][s] + STACK);
		for (int n = 0; n < NR_CALLS; n++)
			leaf();
		nr_rounds[i]++;
	}
	return NULL;
}

/* Until each thread has gone round so often: how fast it does is no matter. */
static void wait_for(long rounds)
{
	long from[NR_THREADS];
	for (int i = 0; i < NR_THREADS; i++)
		from[i] = nr_rounds[i];
	for (int i = 0; i < NR_THREADS; i++)
		while (nr_rounds[i] < from[i] + rounds)
			__asm__ volatile("pause");
}

#define KILL(nr)                                                                               \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##nr, 0, 1),                                   \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)

/* What an agent may call, and this program does not from here on. */
static int forbid(int flags)
{
	static struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		KILL(rt_sigprocmask),
		KILL(gettid),
		KILL(getpid),
		KILL(tgkill),
		KILL(mmap),
		KILL(mprotect),
		KILL(madvise),
		KILL(sigaltstack),
		KILL(process_vm_readv),
		KILL(futex),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(filter) / sizeof(*filter), filter };
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}

/* Of its blocked signals the kernel tells. */
static int is_blocked(int tid)
{
	char name[64], text[4096];
	snprintf(name, sizeof(name), "/proc/self/task/%d/status", tid);
	int fd = open(name, O_RDONLY);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (n <= 0)
		return 2;
	text[n] = 0;
	close(fd);
	const char *mask = strstr(text, "SigBlk:\t");
	return !mask ? 2 : strncmp(mask + 8, "0000000000000000", 16) != 0;
}

/* While they go round they may be in the agent, where it is right that signals are blocked. */
static int stays_blocked(int tid)
{
	enum { LOOKS = 10000 };
	int blocked = 1;
	for (int i = 0; i < LOOKS && blocked; i++)
		blocked = is_blocked(tid);
	return blocked;
}

static int one_round(const char *whose)
{
	pthread_t thread[NR_THREADS];
	for (int i = 0; i < NR_THREADS; i++)
		if (pthread_create(&thread[i], NULL, busy, (void *)(long)i))
			return 77;
	wait_for(BEFORE);
	int flags = strcmp(whose, "all") ? 0 : SECCOMP_FILTER_FLAG_TSYNC;
	if (strcmp(whose, "none") && forbid(flags))
		return 77;
	wait_for(AFTER);
	int ret = 0;
	for (int i = 0; i < NR_THREADS; i++)
		ret |= stays_blocked(tids[i]);
	return ret;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 99;
	int nr_rounds_left = atoi(argv[2]), nr_killed = 0, nr_blocked = 0;
	while (nr_rounds_left--) {
		int status = 0, pid = fork();
		if (!pid)
			_exit(one_round(argv[1]));
		if (waitpid(pid, &status, 0) != pid ||
		    (WIFEXITED(status) && WEXITSTATUS(status) == 77))
			return 77;
		nr_killed += WIFSIGNALED(status);
		nr_blocked += WIFEXITED(status) && WEXITSTATUS(status);
	}
	printf("%d killed, %d with blocked signals\n", nr_killed, nr_blocked);
	return 0;
}
