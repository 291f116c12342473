/* SPDX-License-Identifier: Apache-2.0 */
/* What two threads tell a tap comes to it on one of them, and what was told first comes first. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "capture/drain/queue.h"

/* What the last tap has heard, as words. */
static char heard[1024];
static pthread_t heard_on;
static bool is_in_force;

__attribute__((format(printf, 1, 2))) static int hear(const char *fmt, ...)
{
	size_t len = strlen(heard);
	va_list ap;
	heard_on = pthread_self();
	va_start(ap, fmt);
	vsnprintf(heard + len, sizeof(heard) - len, fmt, ap);
	va_end(ap);
	return 0;
}

static int on_module(struct fc_tap *tap, const struct fc_module_info *info)
{
	return hear("module %u, ", info->id);
}

static int on_map(struct fc_tap *tap, const struct fc_map_info *info)
{
	return hear("map %u, ", info->module_id);
}

static int on_life(struct fc_tap *tap, const struct fc_life_info *info)
{
	return hear("life %d %s, ", info->pid, info->text);
}

static int on_records(struct fc_tap *tap, const struct fc_strand_info *strand,
		      const uint64_t *words, size_t nr_words, uint64_t now_tsc)
{
	return hear("records %u, ", (unsigned)words[0]);
}

static int on_strand_end(struct fc_tap *tap, const struct fc_strand_info *strand, uint64_t tsc)
{
	return hear("strand %u ends, ", strand->id);
}

static int on_tick(struct fc_tap *tap, uint64_t now_tsc)
{
	return hear("tick, ");
}

static int on_hooks(struct fc_tap *tap, const struct fc_hook_info *info, size_t nr)
{
	return hear("hooks %u of %zu, ", info[nr - 1].func, nr);
}

static int on_counts(struct fc_tap *tap, uint64_t tsc, const uint64_t *calls, uint32_t nr)
{
	return hear("counts %u of %u, ", (unsigned)calls[nr - 1], nr);
}

static int on_filter(struct fc_tap *tap, const struct fc_filter_info *info)
{
	is_in_force = true;
	return hear("filter %s, ", info->only[0]);
}

static bool on_is_filtering(struct fc_tap *tap)
{
	return is_in_force;
}

static struct fc_tap last = {
	.module = on_module,
	.map = on_map,
	.life = on_life,
	.records = on_records,
	.strand_end = on_strand_end,
	.tick = on_tick,
	.hooks = on_hooks,
	.counts = on_counts,
	.filter = on_filter,
	.is_filtering = on_is_filtering,
};

static struct fc_queue *begin(void)
{
	heard[0] = 0;
	is_in_force = false;
	return fc_queue_create(&last);
}

static int records(struct fc_tap *tap, uint64_t word)
{
	return tap->records(tap, &(struct fc_strand_info){ .id = 1 }, &word, 1, 0);
}

/* All that a tracer may tell; what it points to is gone afterwards, but for modules. */
static void *tell_all(void *ctx)
{
	struct fc_tap *tap = ctx;
	char text[] = "a sentence", glob[] = "ma*", *globs[] = { glob, NULL };
	struct fc_hook_info hooks[] = { { .func = 3 }, { .func = 4 } };
	uint64_t calls[] = { 0, 5, 6 };
	tap->module(tap, &(struct fc_module_info){ .id = 1 });
	tap->map(tap, &(struct fc_map_info){ .module_id = 1 });
	tap->life(tap, &(struct fc_life_info){ .pid = 7, .text = text });
	tap->hooks(tap, hooks, 2);
	tap->counts(tap, 0, calls, 3);
	tap->filter(tap, &(struct fc_filter_info){ .only = globs });
	memset(text, 'x', sizeof(text) - 1);
	memset(glob, 'x', sizeof(glob) - 1);
	memset(hooks, 0, sizeof(hooks));
	memset(calls, 0, sizeof(calls));
	return NULL;
}

#define ALL "module 1, map 1, life 7 a sentence, hooks 4 of 2, counts 6 of 3, filter ma*, "

static void it_is_heard_on_the_thread_that_brings_records(void **state)
{
	struct fc_queue *queue = begin();
	struct fc_tap *tap = fc_queue_tap(queue);
	pthread_t tracer;
	assert_int_equal(pthread_create(&tracer, NULL, tell_all, tap), 0);
	pthread_join(tracer, NULL);
	assert_string_equal(heard, "");
	records(tap, 9);
	assert_string_equal(heard, ALL "records 9, ");
	assert_true(pthread_equal(heard_on, pthread_self()));
	fc_queue_destroy(queue);
}

static void what_was_told_comes_before_whatever_the_drain_brings(void **state)
{
	struct fc_queue *queue = begin();
	struct fc_tap *tap = fc_queue_tap(queue);
	tap->map(tap, &(struct fc_map_info){ .module_id = 1 });
	tap->tick(tap, 0);
	tap->map(tap, &(struct fc_map_info){ .module_id = 2 });
	tap->strand_end(tap, &(struct fc_strand_info){ .id = 3 }, 0);
	records(tap, 4);
	assert_string_equal(heard, "map 1, tick, map 2, strand 3 ends, records 4, ");
	fc_queue_destroy(queue);
}

static void the_rest_is_heard_at_the_end(void **state)
{
	struct fc_queue *queue = begin();
	tell_all(fc_queue_tap(queue));
	fc_queue_destroy(queue);
	assert_string_equal(heard, ALL);
}

/* Who waits for a filter must not be told that it is in force while it waits here. */
static void a_filter_is_not_in_force_before_it_was_heard_of(void **state)
{
	struct fc_queue *queue = begin();
	struct fc_tap *tap = fc_queue_tap(queue);
	is_in_force = true; /* of a filter before */
	assert_true(tap->is_filtering(tap));
	tell_all(tap);
	assert_false(tap->is_filtering(tap));
	tap->tick(tap, 0);
	assert_true(tap->is_filtering(tap));
	fc_queue_destroy(queue);
}

static void it_can_do_what_the_next_can(void **state)
{
	struct fc_tap few = { .module = on_module, .map = on_map, .life = on_life };
	struct fc_queue *queue = fc_queue_create(&few);
	const struct fc_tap *tap = fc_queue_tap(queue);
	assert_null(tap->hooks);
	assert_null(tap->counts);
	assert_null(tap->filter);
	assert_null(tap->is_filtering);
	assert_null(tap->dump);
	assert_null(tap->edges);
	fc_queue_destroy(queue);
}

enum { NR_ROUNDS = 2000 };

static uint32_t nr_announced, nr_told;

/* A module is told of, and then its functions are called. */
static void *announce(void *ctx)
{
	struct fc_tap *tap = ctx;
	for (uint32_t i = 1; i <= NR_ROUNDS; i++) {
		tap->module(tap, &(struct fc_module_info){ .id = i });
		__atomic_store_n(&nr_announced, i, __ATOMIC_RELEASE);
	}
	return NULL;
}

static int count_module(struct fc_tap *tap, const struct fc_module_info *info)
{
	assert_int_equal(info->id, ++nr_told);
	return 0;
}

static int need_module(struct fc_tap *tap, const struct fc_strand_info *strand,
		       const uint64_t *words, size_t nr_words, uint64_t now_tsc)
{
	assert_true(nr_told >= words[0]);
	return 0;
}

static void a_module_is_known_before_its_records_come(void **state)
{
	struct fc_tap next = { .module = count_module, .records = need_module };
	struct fc_queue *queue = fc_queue_create(&next);
	struct fc_tap *tap = fc_queue_tap(queue);
	pthread_t tracer;
	nr_announced = nr_told = 0;
	assert_int_equal(pthread_create(&tracer, NULL, announce, tap), 0);
	for (uint64_t seen = 0; seen < NR_ROUNDS;) {
		seen = __atomic_load_n(&nr_announced, __ATOMIC_ACQUIRE);
		records(tap, seen);
	}
	pthread_join(tracer, NULL);
	fc_queue_destroy(queue);
	assert_int_equal(nr_told, NR_ROUNDS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_heard_on_the_thread_that_brings_records),
		cmocka_unit_test(what_was_told_comes_before_whatever_the_drain_brings),
		cmocka_unit_test(the_rest_is_heard_at_the_end),
		cmocka_unit_test(a_filter_is_not_in_force_before_it_was_heard_of),
		cmocka_unit_test(it_can_do_what_the_next_can),
		cmocka_unit_test(a_module_is_known_before_its_records_come),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
