/* SPDX-License-Identifier: Apache-2.0 */
/* Calls through pointers: a table, an argument, a struct, and callbacks of qsort and
 * bsearch. */
#include <stdio.h>
#include "truth.h"

struct shape {
	int (*area)(const struct shape *shape);
	int a, b;
};

FN int square(const struct shape *shape)
{
	ENTER;
	int r = shape->a * shape->a;
	LEAVE;
	return r;
}

FN int rectangle(const struct shape *shape)
{
	ENTER;
	int r = shape->a * shape->b;
	LEAVE;
	return r;
}

FN int add(int a, int b)
{
	ENTER;
	LEAVE;
	return a + b;
}

FN int sub(int a, int b)
{
	ENTER;
	LEAVE;
	return a - b;
}

FN int apply(int (*op)(int, int), int a, int b)
{
	ENTER;
	int r = op(a, b);
	LEAVE;
	return r;
}

FN int compare(const void *a, const void *b)
{
	ENTER;
	int x = *(const int *)a, y = *(const int *)b;
	LEAVE;
	return (x > y) - (x < y);
}

FN int main(void)
{
	static int (*const volatile ops[])(int, int) = { add, sub, add };
	struct shape shapes[] = { { square, 3, 0 },
				  { rectangle, 3, 4 },
				  { square, 5, 0 } };
	int numbers[64];
	int sum = 0;

	ENTER;
	for (int i = 0; i < 30; i++)
		sum += apply(ops[i % 3], sum, i);
	for (int i = 0; i < 3; i++)
		sum += shapes[i].area(&shapes[i]);
	for (int i = 0; i < 64; i++)
		numbers[i] = i * 37 % 64;
	qsort(numbers, 64, sizeof(numbers[0]), compare);
	int key = 41;
	int *found = bsearch(&key, numbers, 64, sizeof(numbers[0]), compare);
	printf("%d %d %d\n", sum, numbers[10], found ? (int)(found - numbers) : -1);
	LEAVE;
	return 0;
}
