// SPDX-License-Identifier: Apache-2.0
/*
 * A write barrier, as collectors have it: store()'s first instruction faults, and the handler of
 * SIGSEGV makes the page writable and returns. NR_PAGES calls, each of which is made once.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

enum { NR_PAGES = 100, PAGE = 4096 };

static volatile int nr_faults;

static void let_write(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)context;
	nr_faults++;
	mprotect((void *)((long)info->si_addr & -(long)PAGE), PAGE, PROT_READ | PROT_WRITE);
}

__attribute__((noipa)) static void store(char *to, char value)
{
	*to = value;
	__asm__ volatile("nop;nop;nop;nop;nop");
}

int main(void)
{
	char *heap = mmap(NULL, NR_PAGES * PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct sigaction action = { .sa_sigaction = let_write, .sa_flags = SA_SIGINFO };
	sigaction(SIGSEGV, &action, NULL);
	for (int i = 0; i < NR_PAGES; i++)
		store(heap + i * PAGE, 'x');
	return nr_faults == NR_PAGES && heap[PAGE] == 'x' ? 0 : 1;
}
