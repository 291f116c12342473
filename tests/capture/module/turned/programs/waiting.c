/* SPDX-License-Identifier: Apache-2.0 */
/* waiting.c - for each byte that comes, calls begin(), seen() ten times and end(), with unseen() around them. */
#include <stdio.h>
#include <unistd.h>

#define FN __attribute__((noinline, noclone))

static volatile int sum;

FN void seen(int i)
{
	sum += i;
}

FN void unseen(int i)
{
	sum -= i;
}

FN void begin(int i)
{
	sum ^= i;
}

FN void end(int i)
{
	sum |= i;
}

int main(void)
{
	char c;
	puts("ready");
	fflush(stdout);
	while (read(0, &c, 1) == 1) {
		unseen(1);
		begin(1);
		for (int i = 0; i < 10; i++)
			seen(i);
		end(1);
		unseen(2);
		putchar(c);
		fflush(stdout);
	}
	return 0;
}
