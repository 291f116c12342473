/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that are left by longjmp(), and by another program. */
#include <setjmp.h>
#include <unistd.h>

static jmp_buf place;

int leaf(int n);
void deep(int n);

int leaf(int n)
{
	return n + 1;
}

void deep(int n)
{
	leaf(n);
	if (!n)
		longjmp(place, 1);
	deep(n - 1);
}

int main(int argc, char **argv)
{
	if (!setjmp(place))
		deep(4);
	for (int i = 0; i < 10; i++)
		leaf(i);
	if (argc > 1)
		execl(argv[0], argv[0], (char *)0);
	return 0;
}
