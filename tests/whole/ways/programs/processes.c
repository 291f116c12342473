// SPDX-License-Identifier: Apache-2.0
// Ways out of a process: exit deep inside, signals, vfork, clone, exec from a thread.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
#define NI __attribute__((noinline))
NI int leaf(int x)
{
	__asm__ volatile("");
	return x + 1;
}
NI int deep_exit(int n, int how)
{
	if (n)
		return deep_exit(n - 1, how) + leaf(1);
	fflush(stdout);
	if (how == 0)
		exit(leaf(4));
	if (how == 1)
		_exit(leaf(5));
	if (how == 2)
		abort();
	if (how == 3)
		kill(getpid(), SIGKILL);
	if (how == 4)
		*(volatile int *)8 = 0;
	if (how == 5)
		syscall(SYS_exit, leaf(8));
	return 0;
}
static void bye(void)
{
	leaf(2);
	write(1, "bye\n", 4);
}
NI int child(void *p)
{
	leaf(1);
	*(int *)p = leaf(41);
	return 9;
}
static void *texec(void *p)
{
	leaf(1);
	fflush(stdout);
	execl("/bin/echo", "echo", "exec from a thread", NULL);
	return 0;
}
static void *spin(void *p)
{
	for (;;)
		leaf(1);
	return 0;
}
static void *dexit(void *p)
{
	deep_exit(8, 0);
	return 0;
}
int main(int c, char **v)
{
	char k = v[1][0];
	int st;
	if (k == 'f') {
		for (int how = 0; how < 6; how++) {
			int p = fork();
			if (!p) {
				if (!how)
					atexit(bye);
				deep_exit(10, how);
			}
			waitpid(p, &st, 0);
			printf("%x\n", st);
			fflush(stdout);
		}
	}
	if (k == 'v') {
		for (int i = 0; i < 50; i++) {
			int p = vfork();
			if (!p) {
				leaf(1);
				if (i & 1)
					execl("/bin/true", "true", NULL);
				_exit(leaf(i) & 63);
			}
			waitpid(p, &st, 0);
			leaf(2);
			if (i < 4)
				printf("%x\n", st);
		}
	}
	if (k == 'c') {
		char *s = mmap(0, 65536, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		for (int i = 0; i < 50; i++) {
			int x = 0;
			int p = clone(child, s + 65536,
				      SIGCHLD | (i & 1 ? CLONE_VM : 0) |
					      (i & 2 ? CLONE_VFORK : 0),
				      &x);
			waitpid(p, &st, 0);
			leaf(1);
			if (i < 4)
				printf("%d %x\n", x, st);
		}
	}
	if (k == 't') {
		pthread_t t[3];
		for (int i = 0; i < 2; i++)
			pthread_create(&t[i], 0, spin, 0);
		pthread_create(&t[2], 0, texec, 0);
		for (;;)
			leaf(2);
	}
	if (k == 'x') {
		atexit(bye);
		pthread_t t[3];
		for (int i = 0; i < 2; i++)
			pthread_create(&t[i], 0, spin, 0);
		usleep(2000);
		pthread_create(&t[2], 0, dexit, 0);
		for (;;)
			leaf(2);
	}
	if (k == 's') {
		for (int i = 0; i < 20; i++) {
			pid_t p;
			char *a[] = { "true", 0 };
			posix_spawn(&p, "/bin/true", 0, 0, a, environ);
			waitpid(p, &st, 0);
			leaf(st);
		}
		puts("spawned");
	}
	if (k == 'q')
		deep_exit(10, v[1][1] - '0');
	if (k == 'i') { /* fork in thread while others spin */
		pthread_t t[2];
		for (int i = 0; i < 2; i++)
			pthread_create(&t[i], 0, spin, 0);
		for (int i = 0; i < 20; i++) {
			int p = fork();
			if (!p)
				_exit(leaf(i));
			waitpid(p, &st, 0);
			if (i < 3)
				printf("%x\n", st);
		}
		fflush(stdout);
		_exit(0);
	}
	return 0;
}
