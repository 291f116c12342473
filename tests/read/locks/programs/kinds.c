/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One thread waits at each kind of lock until main(), which has seen it sleep, ends that: a condition, a
 * lock of readers that a writer has, a semaphore, the same for some time only, a barrier, a lock of writers
 * that two readers have. Prints main()'s thread, the one that waits, and the second reader.
 */
#include <errno.h>
#include <time.h>

#include "turns.h"

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
pthread_rwlock_t index_lock = PTHREAD_RWLOCK_INITIALIZER;
pthread_barrier_t gate;
sem_t slots;

static volatile int is_ready, turn, waiter, reader, may_read_on = 1;

ALONE void await_job(void)
{
	pthread_mutex_lock(&lock);
	while (!is_ready)
		pthread_cond_wait(&ready, &lock);
	pthread_mutex_unlock(&lock);
}

ALONE void give_job(void)
{
	await_sleep(&waiter);
	pthread_mutex_lock(&lock);
	is_ready = 1;
	pthread_mutex_unlock(&lock);
	pthread_cond_signal(&ready);
}

ALONE void read_table(void)
{
	pthread_rwlock_rdlock(&table);
	pthread_rwlock_unlock(&table);
}

ALONE void write_table(void)
{
	pthread_rwlock_wrlock(&table);
	turn++;
	await_sleep(&waiter);
	pthread_rwlock_unlock(&table);
}

ALONE void get_slot(void)
{
	sem_wait(&slots);
}

ALONE void get_slot_soon(void)
{
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += 1000000;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	if (!sem_timedwait(&slots, &until) || errno != ETIMEDOUT)
		abort();
}

ALONE void put_slot(void)
{
	await_sleep(&waiter);
	sem_post(&slots);
}

ALONE void meet(void)
{
	pthread_barrier_wait(&gate);
}

ALONE void write_index(void)
{
	pthread_rwlock_wrlock(&index_lock);
	pthread_rwlock_unlock(&index_lock);
}

ALONE void read_index(void)
{
	pthread_rwlock_rdlock(&index_lock);
	turn++;
	await_sleep(&waiter);
	while (!may_read_on)
		usleep(200);
	pthread_rwlock_unlock(&index_lock);
}

/* A step of the one that waits; main() may look for its sleep from here on. */
#define STEP(nr, ...)                                                                          \
	await(&turn, nr);                                                                      \
	waiter = own_tid();                                                                    \
	__VA_ARGS__;                                                                           \
	waiter = 0;                                                                            \
	turn++

static void *wait_for_all(void *arg)
{
	STEP(0, await_job());
	STEP(2, read_table());
	STEP(4, get_slot());
	STEP(6, get_slot_soon());
	STEP(8, meet());
	STEP(11, write_index());
	waiter = own_tid();
	return NULL;
}

static void *read_beside(void *arg)
{
	reader = own_tid();
	await(&turn, 10);
	read_index();
	may_read_on = 1;
	return NULL;
}

int main(void)
{
	pthread_t first, second;

	pthread_barrier_init(&gate, NULL, 2);
	sem_init(&slots, 0, 0);
	pthread_create(&first, NULL, wait_for_all, NULL);
	pthread_create(&second, NULL, read_beside, NULL);
	give_job();
	await(&turn, 1);
	write_table();
	await(&turn, 3);
	turn++;
	put_slot();
	await(&turn, 5);
	turn++;
	await(&turn, 7);
	turn++;
	await_sleep(&waiter);
	meet();
	await(&turn, 9);
	may_read_on = 0;
	pthread_rwlock_rdlock(&index_lock);
	turn++;
	await(&turn, 11);
	await_sleep(&waiter);
	pthread_rwlock_unlock(&index_lock);
	may_read_on = 1;
	pthread_join(first, NULL);
	pthread_join(second, NULL);
	printf("%d %d %d\n", getpid(), waiter, reader);
	return 0;
}
