/* SPDX-License-Identifier: Apache-2.0 */
/* ahead.c - decodes the next batch of events in a thread of its own. */
#include "calls/ahead.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/guard.h"
#include "base/memory.h"

/* Few enough to stay in the cache, and so many that waking each other takes no time. */
#define NR_BATCHES   4
#define BATCH_EVENTS 8192
#define BATCH_WORDS  4096 /* of marks */

struct batch {
	size_t nr; /* 0: the end */
	struct fc_event events[BATCH_EVENTS];
	uint64_t words[BATCH_WORDS];
};

struct fc_ahead {
	struct fc_cursor *cursor;
	pthread_t thread;
	bool has_thread;

	pthread_mutex_t lock;
	pthread_cond_t changed;
	size_t nr_made, nr_taken; /* batches; of the taken ones the last is being told */
	bool is_over;		  /* nobody wants more */
	struct batch batches[NR_BATCHES];
};

static void fill(struct fc_cursor *cursor, struct batch *batch)
{
	size_t nr_words = 0, nr;

	batch->nr = 0;
	do {
		struct fc_event *events = batch->events + batch->nr;
		nr = fc_cursor_run(cursor, events, BATCH_EVENTS - batch->nr);
		batch->nr += nr;
		if (!nr || events[nr - 1].kind != FC_MARK)
			continue;
		struct fc_event *mark = &events[nr - 1];
		memcpy(batch->words + nr_words, mark->words,
		       mark->nr_words * sizeof(*mark->words));
		mark->words = batch->words + nr_words;
		nr_words += mark->nr_words;
	} while (nr && batch->nr < BATCH_EVENTS &&
		 nr_words + FC_MARK_MAX_VALUES <= BATCH_WORDS);
}

/* Wait for a batch that is not in use. NULL: no more are wanted. */
static struct batch *free_batch(struct fc_ahead *ahead)
{
	pthread_mutex_lock(&ahead->lock);
	while (!ahead->is_over && ahead->nr_made - ahead->nr_taken >= NR_BATCHES - 1)
		pthread_cond_wait(&ahead->changed, &ahead->lock);
	struct batch *batch =
		ahead->is_over ? NULL : &ahead->batches[ahead->nr_made % NR_BATCHES];
	pthread_mutex_unlock(&ahead->lock);
	return batch;
}

static void hand_over(struct fc_ahead *ahead)
{
	pthread_mutex_lock(&ahead->lock);
	ahead->nr_made++;
	pthread_cond_signal(&ahead->changed);
	pthread_mutex_unlock(&ahead->lock);
}

static void *run_ahead(void *arg)
{
	struct fc_ahead *ahead = arg;
	bool is_end = false;

	fc_guard_unblock();
	while (!is_end) {
		struct batch *batch = free_batch(ahead);
		if (!batch)
			break;
		fill(ahead->cursor, batch);
		is_end = !batch->nr;
		hand_over(ahead);
	}
	return NULL;
}

/* Signals are for the thread that reads. */
static void start(struct fc_ahead *ahead)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ahead->has_thread = !pthread_create(&ahead->thread, NULL, run_ahead, ahead);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

struct fc_ahead *fc_ahead_create(struct fc_cursor *cursor)
{
	struct fc_ahead *ahead = fc_alloc(sizeof(*ahead));

	ahead->cursor = cursor;
	pthread_mutex_init(&ahead->lock, NULL);
	pthread_cond_init(&ahead->changed, NULL);
	if (sysconf(_SC_NPROCESSORS_ONLN) > 1)
		start(ahead);
	return ahead;
}

size_t fc_ahead_next(struct fc_ahead *ahead, const struct fc_event **ret)
{
	struct batch *batch = &ahead->batches[ahead->nr_taken % NR_BATCHES];

	if (ahead->has_thread) {
		pthread_mutex_lock(&ahead->lock);
		while (ahead->nr_made == ahead->nr_taken)
			pthread_cond_wait(&ahead->changed, &ahead->lock);
		batch = &ahead->batches[ahead->nr_taken % NR_BATCHES];
		if (batch->nr) /* at the end it stays */
			ahead->nr_taken++;
		pthread_cond_signal(&ahead->changed);
		pthread_mutex_unlock(&ahead->lock);
	} else {
		fill(ahead->cursor, batch);
	}
	*ret = batch->events;
	return batch->nr;
}

void fc_ahead_destroy(struct fc_ahead *ahead)
{
	if (!ahead)
		return;
	if (ahead->has_thread) {
		pthread_mutex_lock(&ahead->lock);
		ahead->is_over = true;
		pthread_cond_signal(&ahead->changed);
		pthread_mutex_unlock(&ahead->lock);
		pthread_join(ahead->thread, NULL);
	}
	pthread_cond_destroy(&ahead->changed);
	pthread_mutex_destroy(&ahead->lock);
	free(ahead);
}
