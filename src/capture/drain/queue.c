/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/drain/queue.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "calls/pass.h"
#include "calls/wanted.h"

/* What was told, with what belongs to it: copies, but of a module. */
struct told {
	void (*tell)(struct fc_tap *next, struct told *told);
	union {
		struct fc_module_info module;
		struct fc_map_info map;
		struct fc_life_info life;
		struct fc_filter_info filter;
		uint64_t tsc; /* of counts */
	};
	void *copy; /* text, hooks, counters */
	size_t nr;
};

struct fc_queue {
	struct fc_pass pass;
	pthread_mutex_t lock; /* of told */
	FC_VEC(struct told) told;
	bool is_empty;	     /* atomic: to look at without the lock */
	uint32_t nr_filters; /* atomic: that the next tap has not heard of */
};

static struct fc_queue *queue_of(struct fc_tap *tap)
{
	return (struct fc_queue *)tap;
}

/* ---- the tracer's thread ---- */

static int put(struct fc_tap *tap, struct told told)
{
	struct fc_queue *queue = queue_of(tap);
	pthread_mutex_lock(&queue->lock);
	fc_vec_push(&queue->told, told);
	__atomic_store_n(&queue->is_empty, false, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&queue->lock);
	return 0;
}

static void tell_module(struct fc_tap *next, struct told *told)
{
	next->module(next, &told->module);
}

static int put_module(struct fc_tap *tap, const struct fc_module_info *info)
{
	return put(tap, (struct told){ .tell = tell_module, .module = *info });
}

static void tell_map(struct fc_tap *next, struct told *told)
{
	next->map(next, &told->map);
}

static int put_map(struct fc_tap *tap, const struct fc_map_info *info)
{
	return put(tap, (struct told){ .tell = tell_map, .map = *info });
}

static void tell_life(struct fc_tap *next, struct told *told)
{
	told->life.text = told->copy;
	next->life(next, &told->life);
}

static int put_life(struct fc_tap *tap, const struct fc_life_info *info)
{
	return put(tap, (struct told){ .tell = tell_life,
				       .life = *info,
				       .copy = fc_strdup(info->text) });
}

static void tell_hooks(struct fc_tap *next, struct told *told)
{
	next->hooks(next, told->copy, told->nr);
}

static int put_hooks(struct fc_tap *tap, const struct fc_hook_info *info, size_t nr)
{
	return put(tap, (struct told){ .tell = tell_hooks,
				       .copy = fc_memdup(info, nr * sizeof(*info)),
				       .nr = nr });
}

static void tell_counts(struct fc_tap *next, struct told *told)
{
	next->counts(next, told->tsc, told->copy, (uint32_t)told->nr);
}

static int put_counts(struct fc_tap *tap, uint64_t tsc, const uint64_t *calls, uint32_t nr)
{
	return put(tap, (struct told){ .tell = tell_counts,
				       .tsc = tsc,
				       .copy = fc_memdup(calls, nr * sizeof(*calls)),
				       .nr = nr });
}

static void tell_filter(struct fc_tap *next, struct told *told)
{
	next->filter(next, &told->filter);
	fc_filter_info_deinit(&told->filter);
}

static int put_filter(struct fc_tap *tap, const struct fc_filter_info *info)
{
	struct told told = { .tell = tell_filter };
	fc_filter_info_copy(&told.filter, info);
	__atomic_fetch_add(&queue_of(tap)->nr_filters, 1, __ATOMIC_RELAXED);
	return put(tap, told);
}

static bool is_filtering(struct fc_tap *tap)
{
	struct fc_tap *next = queue_of(tap)->pass.next;
	return !__atomic_load_n(&queue_of(tap)->nr_filters, __ATOMIC_ACQUIRE) &&
	       next->is_filtering(next);
}

/* ---- the draining thread ---- */

static struct fc_tap *settle_all(struct fc_queue *queue)
{
	pthread_mutex_lock(&queue->lock);
	__typeof__(queue->told) all = queue->told;
	memset(&queue->told, 0, sizeof(queue->told));
	__atomic_store_n(&queue->is_empty, true, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&queue->lock);
	fc_vec_each (&all, told) {
		told->tell(queue->pass.next, told);
		free(told->copy);
		if (told->tell == tell_filter)
			__atomic_fetch_sub(&queue->nr_filters, 1, __ATOMIC_RELEASE);
	}
	fc_vec_free(&all);
	return queue->pass.next;
}

/* The next tap, which has heard of all that was told. */
static struct fc_tap *settled(struct fc_tap *tap)
{
	struct fc_queue *queue = queue_of(tap);
	return __atomic_load_n(&queue->is_empty, __ATOMIC_ACQUIRE) ? queue->pass.next
								   : settle_all(queue);
}

static int pass_records(struct fc_tap *tap, const struct fc_strand_info *strand,
			const uint64_t *words, size_t nr_words, uint64_t now_tsc)
{
	struct fc_tap *next = settled(tap);
	return next->records(next, strand, words, nr_words, now_tsc);
}

static int pass_strand_end(struct fc_tap *tap, const struct fc_strand_info *strand,
			   uint64_t tsc)
{
	struct fc_tap *next = settled(tap);
	return next->strand_end(next, strand, tsc);
}

static int pass_tick(struct fc_tap *tap, uint64_t now_tsc)
{
	struct fc_tap *next = settled(tap);
	return next->tick(next, now_tsc);
}

/* ---- its life ---- */

struct fc_queue *fc_queue_create(struct fc_tap *next)
{
	struct fc_queue *queue = fc_alloc(sizeof(*queue));
	struct fc_tap *tap = &queue->pass.tap;
	fc_pass_init(&queue->pass, next);
	tap->module = put_module;
	tap->map = put_map;
	tap->life = put_life;
	tap->records = pass_records;
	tap->strand_end = pass_strand_end;
	tap->tick = pass_tick;
	if (next->hooks)
		tap->hooks = put_hooks;
	if (next->counts)
		tap->counts = put_counts;
	if (next->filter)
		tap->filter = put_filter;
	if (next->is_filtering)
		tap->is_filtering = is_filtering;
	queue->is_empty = true;
	pthread_mutex_init(&queue->lock, NULL);
	return queue;
}

void fc_queue_destroy(struct fc_queue *queue)
{
	if (!queue)
		return;
	settled(&queue->pass.tap);
	fc_vec_free(&queue->told);
	pthread_mutex_destroy(&queue->lock);
	free(queue);
}

struct fc_tap *fc_queue_tap(struct fc_queue *queue)
{
	return &queue->pass.tap;
}
