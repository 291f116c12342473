/* SPDX-License-Identifier: Apache-2.0 */
/*
 * main() takes a lock by trylock, twice, and releases it twice: the thread that waits gets it when it was
 * released as often. Another thread waits for a lock of main()'s when the process ends. Prints main()'s
 * thread and these two.
 */
#include "turns.h"

pthread_mutex_t again = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
pthread_mutex_t never = PTHREAD_MUTEX_INITIALIZER;

static volatile int first, second;

ALONE void use_again(void)
{
	pthread_mutex_lock(&again);
	pthread_mutex_unlock(&again);
}

ALONE void use_never(void)
{
	pthread_mutex_lock(&never);
}

ALONE void try_again(void)
{
	if (pthread_mutex_trylock(&again) || pthread_mutex_trylock(&again))
		abort();
}

static void *wait_for_again(void *arg)
{
	first = own_tid();
	use_again();
	return NULL;
}

static void *wait_for_never(void *arg)
{
	second = own_tid();
	use_never();
	return NULL;
}

int main(void)
{
	pthread_t thread;

	try_again();
	pthread_mutex_lock(&never);
	pthread_create(&thread, NULL, wait_for_again, NULL);
	await_sleep(&first);
	pthread_mutex_unlock(&again);
	await_sleep(&first);
	pthread_mutex_unlock(&again);
	pthread_join(thread, NULL);
	pthread_create(&thread, NULL, wait_for_never, NULL);
	await_sleep(&second);
	printf("%d %d %d\n", getpid(), first, second);
	return 0;
}
