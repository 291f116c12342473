// SPDX-License-Identifier: Apache-2.0
/*
 * A vfork child leaves a call open as it executes a program, and a child is forked at the same
 * depth, which is let go before it has made a call: it must return from that of its own.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* System calls without a function: none is hooked. */
static inline long call(long nr, long a, const void *b, long c)
{
	__asm__ volatile("syscall"
			 : "+a"(nr)
			 : "D"(a), "S"(b), "d"(c)
			 : "rcx", "r11", "memory");
	return nr;
}

__attribute__((noipa)) static int execute(void)
{
	static char *const args[] = { "/bin/true", NULL };
	call(SYS_execve, (long)args[0], args, 0);
	_exit(99);
}

/* Comes back in the child when there is a line to be read. */
__attribute__((noipa)) static int copy_me(void)
{
	char line;
	long pid = call(SYS_fork, 0, NULL, 0);
	if (!pid)
		call(SYS_read, 0, &line, 1);
	return (int)pid;
}

static int end_of(int pid)
{
	int status;
	return waitpid(pid, &status, 0) == pid ? status : -1;
}

static void wait_until_hooked(void)
{
	volatile unsigned char *code = (unsigned char *)execute;
	unsigned char before[16];
	for (int i = 0; i < 16; i++)
		before[i] = code[i];
	for (int i = 0; code[i] == before[i]; i = (i + 1) % 16)
		usleep(100);
}

/* What is kept of the vfork child is in the place of this one's: before what is kept of main's. */
static void *be_first(void *arg)
{
	usleep(50000);
	return arg;
}

__attribute__((noipa)) static void be_second(void)
{
	__asm__ volatile("nop;nop;nop;nop;nop");
}

int main(void)
{
	pthread_t first;
	wait_until_hooked();
	if (pthread_create(&first, NULL, be_first, NULL))
		return 4;
	usleep(20000);
	be_second();
	pthread_join(first, NULL);
	for (int i = 0; i < 3; i++) {
		int pid = vfork();
		if (!pid)
			execute();
		if (end_of(pid))
			return 2;
	}
	int pid = copy_me();
	if (!pid)
		_exit(5);
	if (write(1, "forked\n", 7) != 7)
		return 3;
	return end_of(pid) == 5 << 8 ? 0 : 1;
}
