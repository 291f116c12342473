/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Eight threads and four locks: of each pair one takes its lock, and releases it when the other one sleeps
 * for it; three times. Prints of each lock who held it and who waited.
 */
#include "turns.h"

pthread_mutex_t config_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
struct {
	long size;
	pthread_mutex_t lock;
} cache = { .lock = PTHREAD_MUTEX_INITIALIZER };
static pthread_mutex_t *job_lock;

enum { ROUNDS = 3 };

static struct pair {
	volatile int turn, holder, waiter;
} pairs[4];

#define PAIR(name, nr, lock)                                                                   \
	ALONE void write_##name(struct pair *pair)                                             \
	{                                                                                      \
		pthread_mutex_lock(lock);                                                      \
		pair->turn++;                                                                  \
		await_sleep(&pair->waiter);                                                    \
		pthread_mutex_unlock(lock);                                                    \
	}                                                                                      \
	ALONE void read_##name(struct pair *pair)                                              \
	{                                                                                      \
		pthread_mutex_lock(lock);                                                      \
		pthread_mutex_unlock(lock);                                                    \
	}                                                                                      \
	static void *hold_##name(void *arg)                                                    \
	{                                                                                      \
		struct pair *pair = &pairs[nr];                                                \
		pair->holder = own_tid();                                                      \
		for (int i = 0; i < ROUNDS; i++) {                                             \
			await(&pair->turn, 2 * i);                                             \
			write_##name(pair);                                                    \
		}                                                                              \
		return NULL;                                                                   \
	}                                                                                      \
	static void *wait_##name(void *arg)                                                    \
	{                                                                                      \
		struct pair *pair = &pairs[nr];                                                \
		for (int i = 0; i < ROUNDS; i++) {                                             \
			await(&pair->turn, 2 * i + 1);                                         \
			pair->waiter = own_tid();                                              \
			read_##name(pair);                                                     \
			pair->waiter = 0;                                                      \
			pair->turn++;                                                          \
		}                                                                              \
		pair->waiter = own_tid();                                                      \
		return NULL;                                                                   \
	}

PAIR(config, 0, &config_lock)
PAIR(log, 1, &log_lock)
PAIR(cache, 2, &cache.lock)
PAIR(jobs, 3, job_lock)

int main(void)
{
	static void *(*const work[8])(
		void *) = { hold_config, wait_config, hold_log,	 wait_log,
			    hold_cache,	 wait_cache,  hold_jobs, wait_jobs };
	static const char *const names[] = { "config", "log", "cache", "jobs" };
	pthread_t threads[8];

	job_lock = malloc(sizeof(*job_lock));
	pthread_mutex_init(job_lock, NULL);
	for (int i = 0; i < 8; i++)
		pthread_create(&threads[i], NULL, work[i], NULL);
	for (int i = 0; i < 8; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < 4; i++)
		printf("%s %d %d\n", names[i], pairs[i].holder, pairs[i].waiter);
	return 0;
}
