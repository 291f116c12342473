/* SPDX-License-Identifier: Apache-2.0 */
/* marked.c - each kind of mark, with values of each kind; C and C++. */
#include <stdio.h>

#include "fctrace.h"

struct incomplete;
enum color { RED, GREEN };
__attribute__((noinline)) static int work(int n, const char *text, double d,
					  struct incomplete *i)
{
	FCTRACE_MARK("begin", n, text, d, i, GREEN, (unsigned char)n);
	char buf[10] = "buffer";
	FCTRACE_MARK("buf", buf, (short)-n, 3.5f, sizeof buf);
	FCTRACE_COUNTER("queue", n * 2);
	return n;
}
int main(int argc, char **argv)
{
	FCTRACE_BEGIN("all", argc);
	for (int i = 0; i < 3; i++)
		work(i, "text", i / 2.0, 0);
	FCTRACE_END("all");
	FCTRACE_MARK("eight", 1, 2u, -3l, 4ul, "five", 6.5, (void *)7, argv[0]);
	FCTRACE_DUMP("late");
	puts("done");
	return 3;
}
