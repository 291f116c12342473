// SPDX-License-Identifier: Apache-2.0
// limited BYTES - another process limits its address space to so many, which is enough for it.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { SIZE = 64 << 20, PAUSE_US = 1000 };

__attribute__((noinline)) unsigned long mapped(void)
{
	unsigned long pages = 0;
	FILE *f = fopen("/proc/self/statm", "r");
	if (!f || fscanf(f, "%lu", &pages) != 1)
		exit(1);
	fclose(f);
	return pages * (unsigned long)sysconf(_SC_PAGESIZE);
}

static void *start(void *arg)
{
	return arg;
}

int main(int argc, char **argv)
{
	unsigned long bytes = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	pthread_t thread;
	struct rlimit limit;
	puts("ready");
	fflush(stdout);
	do {
		usleep(PAUSE_US);
		getrlimit(RLIMIT_AS, &limit);
	} while (limit.rlim_cur != bytes || mapped() > bytes / 2);
	void *at = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	printf("%s %s\n", at == MAP_FAILED ? "no memory" : "memory",
	       pthread_create(&thread, NULL, start, NULL) ? "no thread" : "a thread");
	return at == MAP_FAILED || pthread_join(thread, NULL);
}
