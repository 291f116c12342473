/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rights HOW - forks, and gives up rights in the child, by setuid(), by a raw system call...
 * Each process tells on stdout which memory of fctrace's it has, before and after.
 */
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NOBODY = 65534, NR_CALLS = 20000, NR_THREADS = 3 };

__attribute__((noinline)) int work(int x)
{
	__asm__ volatile("");
	return x + 1;
}

static void *calls(void *ctx)
{
	int x = 0;
	for (int i = 0; i < NR_CALLS; i++)
		x = work(x);
	return ctx;
}

/* Of all its mappings of shared memory: one inode. */
static unsigned long memory(void)
{
	char line[512];
	unsigned long ino = 0, one;
	FILE *maps = fopen("/proc/self/maps", "r");
	while (maps && fgets(line, sizeof(line), maps))
		if (strstr(line, "memfd:fctrace") &&
		    sscanf(line, "%*s %*s %*s %*s %lu", &one) == 1) {
			if (ino && one != ino)
				printf("two memories\n");
			ino = one;
		}
	if (maps)
		fclose(maps);
	return ino;
}

static int filter(void)
{
	struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_fprog program = { 1, &allow };
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static int give_up(const char *how)
{
	if (!strcmp(how, "setuid"))
		return setuid(NOBODY);
	if (!strcmp(how, "setgid"))
		return setgid(NOBODY);
	if (!strcmp(how, "seteuid"))
		return seteuid(NOBODY);
	if (!strcmp(how, "setgroups"))
		return setgroups(0, NULL);
	if (!strcmp(how, "chroot"))
		return chroot("/");
	if (!strcmp(how, "unshare"))
		return unshare(CLONE_NEWNS);
	if (!strcmp(how, "syscall"))
		return (int)syscall(SYS_setresuid, NOBODY, NOBODY, NOBODY);
	if (!strcmp(how, "filter"))
		return filter();
	long ret; /* told to nobody */
	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "a"(SYS_setresuid), "D"(NOBODY), "S"(NOBODY), "d"(NOBODY)
			 : "rcx", "r11", "memory");
	return (int)ret;
}

static int child(const char *how, unsigned long before)
{
	pthread_t threads[NR_THREADS];
	for (int i = 0; i < NR_THREADS; i++)
		pthread_create(&threads[i], NULL, calls, NULL);
	int ret = give_up(how);
	calls(NULL);
	/* By a raw call: it is found soon. */
	for (int i = 0; i < 3000 && !strcmp(how, "raw") && memory() == before; i++)
		nanosleep(&(struct timespec){ .tv_nsec = 10 * 1000 * 1000 }, NULL);
	printf("child %s\n", memory() == before ? "the same" : "its own");
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
	fflush(stdout);
	return ret ? 1 : 0;
}

int main(int argc, char **argv)
{
	int status;
	if (argc < 2)
		return 2;
	calls(NULL);
	unsigned long before = memory();
	pid_t pid = fork();
	if (!pid)
		_exit(child(argv[1], before));
	calls(NULL);
	waitpid(pid, &status, 0);
	printf("parent %s\n", memory() == before ? "the same" : "its own");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}
