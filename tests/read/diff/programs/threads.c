/* SPDX-License-Identifier: Apache-2.0 */
/* threads FIRST NUMBER: two threads, FIRST (red or blue) made first; blue works NUMBER times. */
#include <pthread.h>
#include <stdlib.h>

#define CALLED __attribute__((noinline, noclone))
#define KEEP   __asm__ volatile("")

static int nr;

CALLED void paint(void)
{
	KEEP;
}

CALLED void *red(void *arg)
{
	for (int i = 0; i < 5; i++)
		paint();
	KEEP;
	return arg;
}

CALLED void *blue(void *arg)
{
	for (int i = 0; i < nr; i++)
		paint();
	KEEP;
	return arg;
}

int main(int argc, char **argv)
{
	int is_red = argv[1][0] == 'r';
	pthread_t threads[2];

	nr = atoi(argv[2]);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, i == !is_red ? red : blue, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
