/* SPDX-License-Identifier: Apache-2.0 */
/* Functions with types of several kinds, for debug information to tell. */
#include <stdlib.h>

#define HERE __attribute__((noinline, used))

struct node {
	int v;
	const char *name;
};

enum colour { RED, GREEN };

volatile int sink;

HERE int add(int a, struct node *n, const char *text)
{
	sink = text[0] + n->name[0];
	return a + n->v;
}

HERE double half(double d, float f, char c)
{
	sink = c;
	return d / 2 + (double)f;
}

/* In several parts, where compilers make them. */
HERE unsigned other(unsigned u, enum colour c)
{
	sink = c;
	if (u == 1000)
		abort();
	if (u % 2)
		sink += sink;
	return u;
}

int main(int argc, char **argv)
{
	struct node node = { argc + 4, "node" };
	add(argc + 2, &node, argc > 5 ? argv[0] : "text");
	half(argc + 4, (float)argc + 0.5F, 'x');
	return other((unsigned)argc + 6, argc > 5 ? RED : GREEN) != 7;
}
