/* SPDX-License-Identifier: Apache-2.0 */
/* Planted: four threads do all of their work within one lock. */
#include <pthread.h>

#include "work.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned total;

ALONE void update_stats(unsigned x)
{
	pthread_mutex_lock(&lock);
	total += spin(x, 10000);
	usleep(1000);
	pthread_mutex_unlock(&lock);
}

ALONE void *serve(void *arg)
{
	for (int i = 0; i < 100; i++)
		update_stats((unsigned)i);
	return NULL;
}

int main(void)
{
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, serve, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	printf("%u\n", total);
	return 0;
}
