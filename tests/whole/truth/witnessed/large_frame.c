/* SPDX-License-Identifier: Apache-2.0 */
/* After a longjmp the function that it came back to calls from further down the stack than
 * those whom it left: they are not its callers. */
#include <alloca.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#define FN __attribute__((noinline, noclone))

static jmp_buf back;
static volatile int trail;

FN void step(int n)
{
	trail = (trail * 7 + n) % 1000003;
}

FN void throws(int depth)
{
	if (!depth)
		longjmp(back, 1);
	throws(depth - 1);
	step(1);
}

FN void catches(volatile int size)
{
	if (!setjmp(back))
		throws(2);
	char *room = alloca((size_t)size);
	memset(room, 1, (size_t)size);
	step(room[size - 1]);
	step(2);
}

int main(void)
{
	catches(16);
	catches(4096);
	printf("%d\n", trail);
	return 0;
}
