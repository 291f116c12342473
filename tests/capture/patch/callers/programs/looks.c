// SPDX-License-Identifier: Apache-2.0
/*
 * looks ROUNDS: functions that look at their own return address, at those of their callers, and walk
 * from frame to frame, and check what they find. ROUNDS 0: until the end of stdin. It prints how
 * often it was wrong, and what it found first then.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

static int nr_wrong;
static char first[200];
static volatile int sink;

static const char *name_of(void *address)
{
	Dl_info info;
	return dladdr(address, &info) && info.dli_sname ? info.dli_sname : "?";
}

static void expect(const char *what, void *address, const char *name)
{
	if (!strcmp(name_of(address), name))
		return;
	if (!nr_wrong++)
		snprintf(first, sizeof(first), " %s: %s for %s", what, name_of(address), name);
}

NOINLINE void *own(void)
{
	return __builtin_return_address(0);
}

/* Only where it is seldom so: behind another way out. */
NOINLINE void *late(int n)
{
	if (n < 0)
		return NULL;
	for (int i = 0; i < n; i++)
		sink += i;
	if (sink == -1)
		abort();
	return __builtin_return_address(0);
}

NOINLINE void *callers(void)
{
	return __builtin_return_address(1);
}

NOINLINE int walk(void **to, int max)
{
	void **fp = __builtin_frame_address(0);
	int n = 0;
	while (fp && n < max) {
		void **next = fp[0];
		to[n++] = fp[1];
		if (next <= fp)
			break;
		fp = next;
	}
	return n;
}

NOINLINE void inner(int n)
{
	void *found[3] = { NULL };
	expect("own", own(), "inner");
	expect("late", late(n), "inner");
	expect("callers", callers(), "outer");
	walk(found, 3);
	expect("walk 0", found[0], "inner");
	expect("walk 1", found[1], "outer");
	expect("walk 2", found[2], "main");
}

NOINLINE int outer(int n)
{
	inner(n);
	return n + sink;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	struct pollfd in = { .fd = 0, .events = POLLIN };
	puts("begun");
	fflush(stdout);
	for (int i = 0; rounds ? i < rounds : poll(&in, 1, 1) == 0; i++)
		sink = outer(i % 10) & 0xff;
	printf("wrong %d%s\n", nr_wrong, first);
	return nr_wrong != 0;
}
