/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that a library calls back: comparisons, exit handlers, a tree's walker. */
#include <search.h>
#include <stdio.h>
#include <stdlib.h>

#define FN __attribute__((noinline, noclone))

static int nr_visits;

FN int by_value(const void *a, const void *b)
{
	int left = *(const int *)a, right = *(const int *)b;
	return left < right ? -1 : left > right;
}

FN int by_digit(const void *a, const void *b)
{
	int left = *(const int *)a % 10, right = *(const int *)b % 10;
	return left == right ? by_value(a, b) : left - right;
}

FN void visit(const void *node, VISIT which, int depth)
{
	(void)node;
	nr_visits += which == leaf || which == postorder ? depth + 1 : 0;
}

FN void at_end(void)
{
	puts("end");
}

FN void at_very_end(void)
{
	printf("%d visits\n", nr_visits);
	at_end();
}

int main(void)
{
	int values[] = { 42, 17, 23, 5, 71, 30, 8, 66 };
	size_t nr = sizeof(values) / sizeof(values[0]);
	void *tree = NULL;
	int key = 23;

	atexit(at_very_end);
	qsort(values, nr, sizeof(values[0]), by_digit);
	qsort(values, nr, sizeof(values[0]), by_value);
	int *found = bsearch(&key, values, nr, sizeof(values[0]), by_value);
	for (size_t i = 0; i < nr; i++)
		tsearch(&values[i], &tree, by_digit);
	twalk(tree, visit);
	printf("%d at %d\n", *found, (int)(found - values));
	return 0;
}
