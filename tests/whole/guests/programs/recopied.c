// SPDX-License-Identifier: Apache-2.0
/*
 * Copies its code onto memory of no file, as programs do that want huge pages for it: recopied HOW.
 * HOW: whole, or changed (one byte of it is not what the file has). Then as started.c.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern char __executable_start, etext;

__attribute__((noinline)) int leaf(int x)
{
	__asm__ volatile("");
	return x * 3 + 1;
}

__attribute__((noinline)) int tick(int n)
{
	return leaf(n) + 1;
}

/* Nobody calls it. */
__attribute__((noinline, used)) static int spare(int n)
{
	__asm__ volatile("");
	return n * 7;
}

static int copy(int is_changed)
{
	unsigned long page = (unsigned long)sysconf(_SC_PAGESIZE), here = (unsigned long)tick, start, end;
	char line[300];
	FILE *maps = fopen("/proc/self/maps", "r");
	while (fgets(line, sizeof(line), maps))
		if (sscanf(line, "%lx-%lx", &start, &end) == 2 && here >= start && here < end)
			break;
	fclose(maps);
	size_t size = (end - start + page - 1) & ~(page - 1);
	char *to = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memcpy(to, (char *)start, size);
	if (is_changed)
		to[(unsigned long)spare - start + 4] ^= 1;
	return mprotect(to, size, PROT_READ | PROT_EXEC) ||
	       mremap(to, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)start) == MAP_FAILED;
}

int main(int argc, char **argv)
{
	int sum = 0, rounds = argc > 2 ? atoi(argv[2]) : 0;
	struct pollfd end = { 0, POLLIN, 0 };
	for (int i = 0; i < 3; i++)
		sum += tick(i);
	if (copy(!strcmp(argv[1], "changed")))
		return 9;
	puts("ready");
	fflush(stdout);
	for (int i = 0; rounds ? i < rounds : !poll(&end, 1, 1); i++)
		sum += tick(i);
	puts("ended");
	return sum == -7;
}
