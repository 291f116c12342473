/* SPDX-License-Identifier: Apache-2.0 */
/* Calls before and after main: constructors, destructors, atexit, and exit() deep in a
 * call. */
#include <stdio.h>
#include "truth.h"

static int nr;

FN void note(int n)
{
	ENTER;
	nr = nr * 10 + n;
	LEAVE;
}

__attribute__((constructor(201))) FN void ctor_first(void)
{
	ENTER;
	note(1);
	LEAVE;
}

__attribute__((constructor)) FN void ctor_last(void)
{
	ENTER;
	note(2);
	LEAVE;
}

__attribute__((destructor)) FN void dtor(void)
{
	ENTER;
	note(5);
	printf("%d\n", nr);
	LEAVE;
}

FN void at_exit(void)
{
	ENTER;
	note(4);
	LEAVE;
}

FN void leave(int depth)
{
	ENTER;
	if (!depth)
		exit(nr % 256);
	leave(depth - 1);
	LEAVE;
}

FN int main(void)
{
	ENTER;
	atexit(at_exit);
	note(3);
	leave(4);
	LEAVE;
	return 0;
}
