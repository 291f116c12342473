// SPDX-License-Identifier: Apache-2.0
// Calls that are left without a return again and again: what is mapped and resident must not
// grow after the first tenth.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>
#define NI __attribute__((noinline))

enum { NR_FIBRES = 4, STACK = 64 * 1024, MAX_GROWTH = 1024 * 1024, MAX_MAPS = 2 };

static jmp_buf back;
static volatile long trail;

NI int leaf(int x)
{
	__asm__ volatile("");
	return x + 1;
}

NI void down(int n)
{
	volatile char frame[40];
	frame[0] = n;
	if (!n)
		longjmp(back, 1);
	down(n - 1);
	trail += frame[0];
}

NI void jumps(int depth)
{
	if (!setjmp(back))
		down(depth);
	trail += leaf(depth);
}

static ucontext_t fibres[NR_FIBRES], main_context;
static volatile int now, is_over;

NI void switches(int depth)
{
	if (depth) {
		switches(depth - 1);
		trail += leaf(depth);
		return;
	}
	int from = now, to = (from + 1) % NR_FIBRES;
	now = to;
	swapcontext(&fibres[from], &fibres[to]);
}

static void fibre(void)
{
	for (int i = 0; !is_over; i++)
		switches(i % 5);
	setcontext(&main_context);
}

NI void run_fibres(long nr)
{
	static char stacks[NR_FIBRES][STACK];
	static volatile long left;
	for (int i = 1; i < NR_FIBRES; i++) {
		getcontext(&fibres[i]);
		fibres[i].uc_stack.ss_sp = stacks[i];
		fibres[i].uc_stack.ss_size = STACK;
		makecontext(&fibres[i], fibre, 0);
	}
	now = is_over = 0;
	// This stack is the first fibre's.
	for (left = nr / NR_FIBRES; left; left--)
		switches(left % 5);
}

struct size {
	long resident, maps;
};

NI struct size measure(void)
{
	struct size ret = { 0, 0 };
	char line[512];
	FILE *file = fopen("/proc/self/statm", "r");
	if (!file || fscanf(file, "%*s %ld", &ret.resident) != 1)
		_exit(99);
	fclose(file);
	ret.resident *= sysconf(_SC_PAGESIZE);
	file = fopen("/proc/self/maps", "r");
	while (file && fgets(line, sizeof(line), file))
		ret.maps++;
	fclose(file);
	return ret;
}

static void grown(const char *what, struct size from, struct size to)
{
	if (getenv("LEAKS"))
		fprintf(stderr, "%s: %ld KiB and %ld maps, then %ld and %ld\n", what,
			from.resident / 1024, from.maps, to.resident / 1024, to.maps);
	if (to.resident - from.resident > MAX_GROWTH || to.maps - from.maps > MAX_MAPS)
		printf("%s: it grows\n", what);
}

int main(int argc, char **argv)
{
	long nr = atol(argv[argc - 1]);
	struct size at_tenth = measure();
	for (volatile long i = 0; i < nr; i++) {
		if (i == nr / 10)
			at_tenth = measure();
		jumps(i % 7);
	}
	grown("jumps", at_tenth, measure());
	run_fibres(nr / 5); // each has a ring, which is full then
	at_tenth = measure();
	run_fibres(nr - nr / 5);
	grown("switches", at_tenth, measure());
	printf("%ld\n", trail);
	return 0;
}
