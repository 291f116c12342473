// SPDX-License-Identifier: Apache-2.0
/* Built with -pg: gmon.out tells who called leaf, and how often. */
#define NOINLINE __attribute__((noinline))

NOINLINE int leaf(int n)
{
	return n * 3 + 1;
}

NOINLINE int left(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += leaf(i);
	return sum;
}

NOINLINE int right(int n)
{
	return left(n) + leaf(n);
}

int main(void)
{
	return left(30) + right(50) == 0;
}
