/* SPDX-License-Identifier: Apache-2.0 */
/* longjmp over one and many calls, again and again, and out of a signal's handler. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include "truth.h"

static jmp_buf top, middle;
static sigjmp_buf from_handler;

FN int leaf(int x)
{
	ENTER;
	LEAVE;
	return x + 1;
}

FN void throw_at(int depth, jmp_buf to)
{
	ENTER;
	leaf(depth);
	if (!depth)
		longjmp(to, 1);
	throw_at(depth - 1, to);
	LEAVE;
}

FN int catches(int depth)
{
	volatile int caught = 0;

	ENTER;
	if (!setjmp(middle)) {
		throw_at(depth, middle);
	} else {
		LANDED;
		caught = 1;
	}
	leaf(caught);
	LEAVE;
	return caught;
}

FN int passes(int depth)
{
	ENTER;
	int r = catches(depth);
	throw_at(depth, top);
	LEAVE;
	return r;
}

FN void on_usr1(int sig)
{
	ENTER;
	leaf(sig);
	siglongjmp(from_handler, 1);
}

FN void hit(int depth)
{
	ENTER;
	if (depth)
		hit(depth - 1);
	else
		raise(SIGUSR1);
	LEAVE;
}

FN int main(void)
{
	volatile int nr = 0;

	ENTER;
	for (volatile int i = 0; i < 20; i++) {
		if (setjmp(top)) {
			LANDED;
			nr += leaf(i);
		} else {
			passes(i);
		}
	}
	signal(SIGUSR1, on_usr1);
	for (volatile int i = 0; i < 5; i++) {
		if (sigsetjmp(from_handler, 1)) {
			LANDED;
			nr += leaf(100);
		} else {
			hit(i);
		}
	}
	printf("%d %d\n", (int)nr, leaf(1));
	LEAVE;
	return 0;
}
