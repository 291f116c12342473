/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that end inside calls: pthread_exit() deep down, and cancellation with
 * clean-ups. */
#include <pthread.h>
#include <stdio.h>
#include "truth.h"

static volatile int nr_cleaned;

FN void clean(void *arg)
{
#ifdef __GLIBC__
	TRUTH('P',
	      "is_cancelled"); /* glibc unwinds first; musl cleans up from its handler */
#endif
	ENTER;
	nr_cleaned += (int)(long)arg;
	LEAVE;
}

FN void leave_at(int depth)
{
	ENTER;
	if (!depth)
		pthread_exit((void *)7);
	leave_at(depth - 1);
	LEAVE;
}

FN void *exits(void *arg)
{
	ENTER;
	leave_at((int)(long)arg);
	LEAVE;
	return NULL;
}

FN void wait_for_ever(void)
{
	ENTER;
	for (;;)
		pause();
}

FN void *is_cancelled(void *arg)
{
	(void)arg;
	ENTER;
	pthread_cleanup_push(clean, (void *)10);
	wait_for_ever();
	pthread_cleanup_pop(0);
	return NULL;
}

FN int main(void)
{
	pthread_t thread;
	void *ret;

	ENTER;
	pthread_create(&thread, NULL, exits, (void *)5);
	pthread_join(thread, &ret);
	printf("exited with %ld\n", (long)ret);
	pthread_create(&thread, NULL, is_cancelled, NULL);
	pthread_cancel(thread);
	pthread_join(thread, &ret);
	printf("cancelled: %d\n", ret == PTHREAD_CANCELED);
	LEAVE;
	return 0;
}
