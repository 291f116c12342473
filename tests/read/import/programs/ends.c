/* SPDX-License-Identifier: Apache-2.0 */
/* Ends in the midst of its calls; what is open then is open until the thread is gone. */
#include <stdlib.h>
#include <unistd.h>

void last(int n);
void at_end(void);

void at_end(void)
{
	usleep(1000);
}

void last(int n)
{
	if (n)
		last(n - 1);
	exit(0);
}

int main(void)
{
	atexit(at_end);
	last(3);
}
