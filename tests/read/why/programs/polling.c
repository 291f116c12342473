/* SPDX-License-Identifier: Apache-2.0 */
/* Planted: it asks a thousand times whether the work of another thread is done. */
#include <pthread.h>

#include "work.h"

static volatile int is_done;

ALONE int has_result(void)
{
	return is_done;
}

ALONE void *compute(void *arg)
{
	usleep(900000);
	is_done = 1;
	return NULL;
}

ALONE void wait_for_result(void)
{
	while (!has_result())
		usleep(500);
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, compute, NULL);
	wait_for_result();
	pthread_join(thread, NULL);
	puts("done");
	return 0;
}
