/* SPDX-License-Identifier: Apache-2.0 */
/* Eight threads at once, two rounds (stacks are used again), each with a tree of its own.
 */
#include <pthread.h>
#include <stdio.h>
#include "truth.h"

FN long tree(long depth, long id)
{
	ENTER;
	long r = depth ? tree(depth - 1, id) + tree(depth - 1, id + 1) : id;
	LEAVE;
	return r;
}

FN void *work(void *arg)
{
	ENTER;
	long r = tree(8, (long)arg);
	LEAVE;
	return (void *)r;
}

FN long round_of_threads(long first)
{
	pthread_t threads[8];
	long sum = 0;

	ENTER;
	for (long i = 0; i < 8; i++)
		if (pthread_create(&threads[i], NULL, work, (void *)(first + i)))
			_exit(99);
	for (int i = 0; i < 8; i++) {
		void *ret;
		pthread_join(threads[i], &ret);
		sum += (long)ret;
	}
	LEAVE;
	return sum;
}

FN int main(void)
{
	ENTER;
	printf("%ld\n", round_of_threads(1));
	printf("%ld\n", round_of_threads(100));
	LEAVE;
	return 0;
}
