// SPDX-License-Identifier: Apache-2.0
// Exceptions of a library pass through this program's frames; it has no unwinder itself.
#include <stdio.h>
#define NI __attribute__((noinline))

int lib_throw(int x);
int lib_depth(void);
int lib_try(int (*call)(int), int x);

static int nr_back;

NI static int deeper(int x, int depth)
{
	int ret = depth ? deeper(x, depth - 1) : lib_throw(x);
	nr_back++;
	return ret + 1;
}

NI static int back(int x)
{
	return deeper(x, 5) + 1;
}

NI static int nested(int x)
{
	return lib_try(back, x) + lib_try(back, x + 1);
}

NI static int depth_from(int more)
{
	int ret = more ? depth_from(more - 1) : lib_depth();
	nr_back++;
	return ret;
}

int main(void)
{
	int sum = 0;
	for (int i = 0; i < 300; i++)
		sum += lib_try(back, i) + lib_try(nested, i);
	printf("%d, %d came back\n", sum, nr_back);
	printf("%d frames more\n", depth_from(9) - depth_from(2));
	return 0;
}
