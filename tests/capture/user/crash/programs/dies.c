// SPDX-License-Identifier: Apache-2.0
/*
 * dies HOW: by a signal that dumps core, some calls deep; HOW is its first letter. "t": in a thread,
 * while others sleep and compute; "w": waits until it is told by SIGUSR1, then as "s".
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

static volatile int sink, is_told;
static pthread_barrier_t all_there;

/* Whatever is in their first instructions. */
void segv(long bad, long zero);
void bus(long bad, long zero);
void fpe(long bad, long zero);
void ill(long bad, long zero);
#define FUNCTION(name, code)                                                                   \
	__asm__(".text\n.globl " #name "\n.type " #name ",@function\n" #name                   \
		": .cfi_startproc\n" code "\nret\nnop;nop;nop;nop\n.cfi_endproc\n"             \
		".size " #name ",.-" #name "\n")
FUNCTION(segv, "xor %eax,%eax\nmov (%rdi),%eax");
FUNCTION(bus, "mov %rdi,%rax\nmov (%rax),%eax");
FUNCTION(fpe, "mov %edi,%eax\ncltd\nidiv %esi");
FUNCTION(ill, "xor %eax,%eax\nud2");

static NOINLINE int overflow(int n)
{
	volatile char room[512];
	room[n & 511] = (char)n;
	return overflow(n + 1) + room[n & 511];
}

static NOINLINE void die(char how)
{
	switch (how) {
	case 's':
		segv(8, 0);
		break;
	case 'b': {
		FILE *empty = tmpfile();
		bus((long)mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fileno(empty), 0), 0);
		break;
	}
	case 'f':
		fpe(1, 0);
		break;
	case 'i':
		ill(0, 0);
		break;
	case 'a':
		abort();
	case 'q':
		kill(getpid(), SIGQUIT);
		for (;;)
			pause();
	case 'o':
		sink += overflow(0);
		break;
	}
	sink++;
}

static NOINLINE int leaf(int n)
{
	return n * 3 + sink;
}

static NOINLINE void compute(void)
{
	for (;;)
		sink += leaf(sink);
}

static NOINLINE void sleep_on(void)
{
	for (;;)
		pause();
}

static NOINLINE void deep(int depth, char how)
{
	if (depth)
		deep(depth - 1, how);
	else if (how == 'c')
		compute();
	else if (how == 'p')
		sleep_on();
	else
		die(how);
	sink++;
}

static void *worker(void *how)
{
	pthread_barrier_wait(&all_there);
	deep(2, *(char *)how);
	return NULL;
}

static NOINLINE void crash_among_threads(void)
{
	static char how[] = "ccpps";
	pthread_t thread;
	pthread_barrier_init(&all_there, NULL, sizeof(how) - 1);
	for (char *each = how; *each; each++)
		pthread_create(&thread, NULL, worker, each);
	sleep_on();
}

static void on_told(int sig)
{
	is_told = sig;
}

static NOINLINE void wait_inside(int depth)
{
	if (depth) {
		wait_inside(depth - 1);
		sink++;
		return;
	}
	while (!is_told) {
		sink += leaf(1);
		usleep(1000);
	}
	deep(3, 's');
	sink++;
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 1;
	signal(SIGUSR1, on_told);
	if (*argv[1] == 't')
		crash_among_threads();
	else if (*argv[1] == 'w')
		wait_inside(3);
	else
		deep(4, *argv[1]);
	return 0;
}
