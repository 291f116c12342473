/* SPDX-License-Identifier: Apache-2.0 */
/* A library the program is linked with: not traced with --libs=none, but it calls back.
 */
#include <stdio.h>
#include <stdlib.h>
#include <search.h>
#include "truth.h"

static int sum;

FN void visit(const void *node, VISIT which, int depth)
{
	ENTER;
	if (which == postorder || which == leaf)
		sum = sum * 3 + **(int *const *)node + depth;
	LEAVE;
}

FN int compare(const void *a, const void *b)
{
	ENTER;
	LEAVE;
	return *(const int *)a - *(const int *)b;
}

FN int main(void)
{
	static int numbers[50];
	void *root = NULL;

	ENTER;
	for (int i = 0; i < 50; i++) {
		numbers[i] = i * 17 % 50;
		tsearch(&numbers[i], &root, compare);
	}
	twalk(root, visit);
	printf("%d\n", sum);
	LEAVE;
	return 0;
}
