/* SPDX-License-Identifier: Apache-2.0 */
/* What two sources tell of threads becomes what the threads did, in the order in which they did it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/vec.h"
#include "capture/drain/weave/weave.h"
#include "trace/clock.h"
#include "trace/record.h"
#include "trace/words.h"

enum { STRANDS = 64 };

/* What came out, by strand. */
struct strand_out {
	FC_VEC(uint64_t) words;
	struct fc_strand_info info;
	uint64_t end_tsc;
};

static struct {
	struct fc_tap tap;
	struct strand_out strands[STRANDS];
	uint64_t tick;
	struct fc_numbers numbers;
	struct fc_weave *weave;
} at;

static int out_records(struct fc_tap *tap, const struct fc_strand_info *strand,
		       const uint64_t *words, size_t nr, uint64_t now)
{
	struct strand_out *out = &at.strands[strand->id];
	assert_true(nr > 0);
	assert_in_range(strand->id, 1, STRANDS - 1);
	out->info = *strand;
	for (size_t i = 0; i < nr; i++)
		fc_vec_push(&out->words, words[i]);
	for (size_t i = 0; i < nr; i += 1 + fc_record_words(words[i]))
		assert_true(fc_record_tsc(words[i], now) <= now);
	return 0;
}

static int out_end(struct fc_tap *tap, const struct fc_strand_info *strand, uint64_t tsc)
{
	assert_int_equal(at.strands[strand->id].end_tsc, 0);
	at.strands[strand->id].end_tsc = tsc;
	at.strands[strand->id].info = *strand;
	return 0;
}

static int out_tick(struct fc_tap *tap, uint64_t now)
{
	assert_true(now >= at.tick);
	at.tick = now;
	return 0;
}

static int out_life(struct fc_tap *tap, const struct fc_life_info *life)
{
	return 0;
}

static int begin(void **state)
{
	memset(&at, 0, sizeof(at));
	at.tap = (struct fc_tap){ .records = out_records,
				  .strand_end = out_end,
				  .tick = out_tick,
				  .life = out_life };
	at.numbers.strands = 20; /* those below are the drain's */
	at.weave = fc_weave_create(&at.numbers, &at.tap);
	return 0;
}

static int end(void **state)
{
	for (int i = 0; i < STRANDS; i++)
		fc_vec_free(&at.strands[i].words);
	return 0;
}

static void over(void)
{
	fc_weave_destroy(at.weave);
	at.weave = NULL;
}

/* ---- what is told ---- */

static void tell_on(uint32_t strand, uint8_t kind, int tid, const uint64_t *words, size_t nr,
		    uint64_t now)
{
	struct fc_strand_info info = { .id = strand, .pid = 1, .tid = tid, .kind = kind };
	struct fc_tap *tap = fc_weave_tap(at.weave);
	assert_int_equal(tap->records(tap, &info, words, nr, now), 0);
}

static void user(uint32_t strand, int tid, uint64_t word, uint64_t now)
{
	tell_on(strand, FC_STRAND_THREAD, tid, &word, 1, now);
}

static void user_until(uint32_t strand, int tid, uint64_t now)
{
	tell_on(strand, FC_STRAND_THREAD, tid, NULL, 0, now);
}

static void kernel(int tid, uint64_t word, uint64_t now)
{
	tell_on(FC_STRAND_BESIDE, 0, tid, &word, 1, now);
}

static void kernel_until(uint64_t now)
{
	tell_on(FC_STRAND_BESIDE, 0, 0, NULL, 0, now);
}

static void life(int what, int pid, int tid, uint64_t tsc)
{
	struct fc_tap *tap = fc_weave_tap(at.weave);
	struct fc_life_info info = {
		.life = what, .pid = pid, .tid = tid, .tsc = tsc, .text = ""
	};
	assert_int_equal(tap->life(tap, &info), 0);
}

/* Twice: the first one only says when rings were looked at last. */
static void tick(uint64_t now)
{
	struct fc_tap *tap = fc_weave_tap(at.weave);
	assert_int_equal(tap->tick(tap, now), 0);
	assert_int_equal(tap->tick(tap, now), 0);
}

static void strand_end(uint32_t strand, int tid, uint64_t tsc)
{
	struct fc_tap *tap = fc_weave_tap(at.weave);
	struct fc_strand_info info = { .id = strand, .pid = 1, .tid = tid };
	assert_int_equal(tap->strand_end(tap, &info, tsc), 0);
}

static void assert_out(uint32_t strand, const uint64_t *words, size_t nr)
{
	const struct strand_out *out = &at.strands[strand];
	assert_int_equal(out->words.nr, nr);
	if (nr)
		assert_memory_equal(out->words.at, words, nr * sizeof(*words));
}

#define OUT(strand, ...)                                                                       \
	assert_out(strand, (const uint64_t[]){ __VA_ARGS__ },                                  \
		   sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))
#define ENTRY(tsc, func) fc_record(tsc, func, FC_ENTRY)
#define EXIT(tsc, func)	 fc_record(tsc, func, FC_EXIT)
#define POP(tsc, stay)	 fc_record(tsc, stay, FC_POP)

/* ---- cases ---- */

static void calls_of_both_are_put_in_order_of_time(void **state)
{
	life(FC_LIFE_START, 1, 1, 1);
	user(1, 1, ENTRY(10, 1), 100);
	user(1, 1, ENTRY(20, 2), 100);
	user(1, 1, EXIT(50, 2), 100);
	kernel(1, ENTRY(30, 9), 100);
	kernel(1, EXIT(40, 9), 100);
	user_until(1, 1, 100);
	tick(100);
	assert_int_equal(at.strands[1].words.nr, 0); /* the kernel may have more */
	kernel_until(100);
	OUT(1, ENTRY(10, 1), ENTRY(20, 2), ENTRY(30, 9), EXIT(40, 9), EXIT(50, 2));
	over();
}

static void a_late_kernel_is_waited_for(void **state)
{
	life(FC_LIFE_START, 1, 1, 1);
	user(1, 1, ENTRY(10, 1), 100);
	user(1, 1, EXIT(90, 1), 100);
	kernel_until(50);
	tick(200);
	OUT(1, ENTRY(10, 1));
	kernel(1, ENTRY(60, 9), 150);
	kernel(1, EXIT(70, 9), 150);
	kernel_until(150);
	OUT(1, ENTRY(10, 1), ENTRY(60, 9), EXIT(70, 9), EXIT(90, 1));
	over();
}

static void a_late_ring_is_waited_for(void **state)
{
	life(FC_LIFE_START, 1, 1, 1);
	user(1, 1, ENTRY(10, 1), 20);
	kernel(1, ENTRY(60, 9), 150);
	kernel(1, EXIT(70, 9), 150);
	kernel_until(150);
	tick(200);
	OUT(1, ENTRY(10, 1)); /* its ring was not looked at since */
	user(1, 1, ENTRY(50, 2), 200);
	kernel_until(210);
	OUT(1, ENTRY(10, 1), ENTRY(50, 2));
	user_until(1, 1, 220);
	kernel_until(220);
	OUT(1, ENTRY(10, 1), ENTRY(50, 2), ENTRY(60, 9), EXIT(70, 9));
	over();
}

/* It counts as silent in the end, but not because nobody has looked at it for as long. */
static void a_round_that_takes_long_makes_no_strand_silent(void **state)
{
	enum { LONGER_THAN_PATIENCE_US = 2500000, SHORT_US = 10000, MOST_ROUNDS = 10000 };
	uint64_t base = fc_clock_tsc(), now;
	life(FC_LIFE_START, 1, 1, base);
	user(1, 1, ENTRY(base + 10, 1), base + 20);
	kernel(1, ENTRY(base + 60, 9), base + 150);
	kernel_until(base + 150);
	tick(base + 200);
	usleep(LONGER_THAN_PATIENCE_US);
	now = fc_clock_tsc();
	tick(now);
	kernel_until(now);
	OUT(1, ENTRY(base + 10, 1));
	user(1, 1, ENTRY(base + 50, 2), now);
	kernel_until(now);
	OUT(1, ENTRY(base + 10, 1), ENTRY(base + 50, 2));
	for (int i = 0; i < MOST_ROUNDS && at.strands[1].words.nr < 3; i++) {
		usleep(SHORT_US);
		tick(fc_clock_tsc());
	}
	OUT(1, ENTRY(base + 10, 1), ENTRY(base + 50, 2), ENTRY(base + 60, 9));
	over();
}

static void a_thread_without_calls_has_a_strand_of_its_own(void **state)
{
	life(FC_LIFE_START, 1, 1, 1);
	kernel(1, ENTRY(10, 9), 50);
	kernel(1, EXIT(20, 9), 50);
	kernel_until(50);
	tick(60);
	OUT(21, ENTRY(10, 9), EXIT(20, 9));
	user(1, 1, ENTRY(70, 1), 100);
	kernel(1, ENTRY(80, 9), 100);
	kernel(1, EXIT(90, 9), 100);
	life(FC_LIFE_EXIT, 1, 1, 110);
	strand_end(1, 1, 120);
	kernel_until(130);
	tick(130);
	OUT(1, ENTRY(70, 1), ENTRY(80, 9), EXIT(90, 9));
	assert_int_equal(at.strands[1].end_tsc, 120);
	assert_int_equal(at.strands[21].end_tsc, 110);
	over();
}

static void a_return_that_was_lost_ends_where_the_program_goes_on(void **state)
{
	life(FC_LIFE_START, 1, 1, 1);
	user(1, 1, ENTRY(10, 1), 100);
	kernel(1, ENTRY(20, 8), 100);
	kernel(1, ENTRY(30, 9), 100);
	user(1, 1, ENTRY(50, 2), 100);
	kernel(1, EXIT(60, 8), 100);
	kernel_until(100);
	tick(100);
	OUT(1, ENTRY(10, 1), ENTRY(20, 8), ENTRY(30, 9), POP(50, 1), ENTRY(50, 2));
	over();
}

/* They come with the time of the record in front of them. */
static void values_are_told_with_the_record_behind_them(void **state)
{
	uint64_t words[] = { fc_record(10, fc_mark_func(FC_MARK_VALUES, 1), FC_MARK), 7,
			     EXIT(80, 1) };
	uint64_t mark = fc_record(80, fc_mark_func(FC_MARK_VALUES, 1), FC_MARK);
	life(FC_LIFE_START, 1, 1, 1);
	user(1, 1, ENTRY(10, 1), 100);
	tell_on(1, FC_STRAND_THREAD, 1, words, 3, 100);
	kernel(1, ENTRY(20, 9), 100);
	kernel(1, EXIT(70, 9), 100);
	user_until(1, 1, 100);
	kernel_until(100);
	tick(100);
	OUT(1, ENTRY(10, 1), ENTRY(20, 9), EXIT(70, 9), mark, 7, EXIT(80, 1));
	over();
}

static void values_whose_record_is_late_wait_for_it(void **state)
{
	uint64_t words[] = { ENTRY(10, 1),
			     fc_record(10, fc_mark_func(FC_MARK_VALUES, 1), FC_MARK), 7 };
	uint64_t mark = fc_record(60, fc_mark_func(FC_MARK_VALUES, 1), FC_MARK);
	life(FC_LIFE_START, 1, 1, 1);
	tell_on(1, FC_STRAND_THREAD, 1, words, 3, 500);
	user_until(1, 1, 500);
	kernel(1, ENTRY(20, 9), 500);
	kernel(1, EXIT(40, 9), 500);
	kernel(1, ENTRY(75, 9), 500);
	kernel(1, EXIT(80, 9), 500);
	kernel_until(500);
	tick(500);
	tick(501);
	user(1, 1, EXIT(60, 1), 600);
	user(1, 1, ENTRY(70, 2), 600);
	user(1, 1, EXIT(90, 2), 600);
	user_until(1, 1, 600);
	kernel_until(600);
	tick(600);
	OUT(1, ENTRY(10, 1), ENTRY(20, 9), EXIT(40, 9), mark, 7, EXIT(60, 1), ENTRY(70, 2),
	    ENTRY(75, 9), EXIT(80, 9), EXIT(90, 2));
	over();
}

static void values_without_a_record_are_told_as_their_strand_ends(void **state)
{
	uint64_t mark = fc_record(10, fc_mark_func(FC_MARK_VALUES, 1), FC_MARK);
	uint64_t words[] = { ENTRY(10, 1), mark, 7 };
	life(FC_LIFE_START, 1, 1, 1);
	tell_on(1, FC_STRAND_THREAD, 1, words, 3, 50);
	strand_end(1, 1, 60);
	kernel_until(100);
	tick(100);
	over();
	OUT(1, ENTRY(10, 1), fc_record(60, fc_mark_func(FC_MARK_VALUES, 1), FC_MARK), 7);
}

static void values_of_a_return_without_a_call_are_left_out(void **state)
{
	uint64_t words[] = { fc_record(20, fc_mark_func(FC_MARK_VALUES, 2), FC_MARK), 7, 8,
			     EXIT(20, 9) };
	life(FC_LIFE_START, 1, 1, 1);
	tell_on(FC_STRAND_BESIDE, 0, 1, words, 4, 100);
	kernel(1, ENTRY(30, 9), 100);
	words[0] = fc_record(40, fc_mark_func(FC_MARK_VALUES, 2), FC_MARK);
	words[3] = EXIT(40, 9);
	tell_on(FC_STRAND_BESIDE, 0, 1, words, 4, 100);
	kernel_until(100);
	tick(100);
	OUT(21, ENTRY(30, 9), words[0], 7, 8, EXIT(40, 9));
	over();
}

static void depths_of_the_kernel_stand_on_those_of_the_program(void **state)
{
	life(FC_LIFE_START, 1, 1, 1);
	user(1, 1, ENTRY(10, 1), 100);
	user(1, 1, ENTRY(11, 2), 100);
	kernel(1, ENTRY(20, 7), 100);
	kernel(1, ENTRY(30, 8), 100);
	kernel(1, ENTRY(40, 9), 100);
	kernel(1, POP(50, 1), 100);
	kernel(1, POP(51, 1), 100); /* nothing is left by it */
	kernel(1, EXIT(60, 7), 100);
	kernel_until(100);
	user_until(1, 1, 100);
	tick(100);
	OUT(1, ENTRY(10, 1), ENTRY(11, 2), ENTRY(20, 7), ENTRY(30, 8), ENTRY(40, 9), POP(50, 3),
	    EXIT(60, 7));
	over();
}

static void calls_in_a_gap_are_counted(void **state)
{
	const uint64_t lost[] = { fc_record(20, fc_mark_func(FC_MARK_LOST, 2), FC_MARK), 5,
				  4 + 1 };
	life(FC_LIFE_START, 1, 1, 1);
	user(1, 1, ENTRY(10, 1), 100);
	tell_on(1, FC_STRAND_THREAD, 1, lost, 3, 100);
	kernel(1, ENTRY(30, 9), 100);
	user(1, 1, EXIT(50, 1), 100);
	kernel_until(100);
	tick(100);
	OUT(1, ENTRY(10, 1), lost[0], lost[1], lost[2], ENTRY(30, 9), POP(50, 4), EXIT(50, 1));
	over();
}

static void calls_that_a_fork_announces_stay_together(void **state)
{
	const uint64_t fork[] = { fc_record(20, fc_mark_func(FC_MARK_FORK, 2), FC_MARK), 1,
				  2 + 1, ENTRY(21, 1), ENTRY(22, 2) };
	life(FC_LIFE_START, 1, 1, 1);
	tell_on(1, FC_STRAND_THREAD, 1, fork, 5, 100);
	kernel(1, ENTRY(21, 9), 100);
	kernel(1, EXIT(25, 9), 100);
	user(1, 1, EXIT(50, 2), 100);
	kernel_until(100);
	tick(100);
	OUT(1, fork[0], fork[1], fork[2], fork[3], fork[4], ENTRY(22, 9), EXIT(25, 9),
	    EXIT(50, 2));
	over();
}

static void a_number_that_is_used_again_is_another_thread(void **state)
{
	life(FC_LIFE_START, 1, 5, 1);
	kernel(5, ENTRY(10, 9), 50); /* exits in it */
	life(FC_LIFE_EXIT, 1, 5, 20);
	life(FC_LIFE_START, 2, 5, 30);
	kernel(5, ENTRY(40, 8), 50);
	kernel(5, EXIT(45, 8), 50);
	kernel_until(60);
	tick(60);
	OUT(21, ENTRY(10, 9));
	OUT(22, ENTRY(40, 8), EXIT(45, 8));
	assert_int_equal(at.strands[21].end_tsc, 20);
	assert_int_equal(at.strands[21].info.pid, 1);
	assert_int_equal(at.strands[22].info.pid, 2);
	over();
}

static void threads_that_are_not_traced_are_left_out(void **state)
{
	life(FC_LIFE_START, 1, 1, 1);
	kernel(7, ENTRY(10, 9), 50);
	life(FC_LIFE_EXIT, 1, 1, 20);
	kernel(1, ENTRY(30, 9), 50); /* it is over */
	kernel_until(60);
	tick(60);
	over();
	for (int i = 0; i < STRANDS; i++)
		assert_int_equal(at.strands[i].words.nr, 0);
}

/* It waited until its begin was told, and went on: all that comes in one piece. */
static void what_is_told_with_words_before_a_begin_stays(void **state)
{
	const uint64_t words[] = { ENTRY(10, 7), EXIT(30, 7), ENTRY(40, 9), EXIT(50, 9) };
	life(FC_LIFE_START, 1, 1, 20);
	tell_on(FC_STRAND_BESIDE, 0, 1, words, 4, 100);
	kernel_until(100);
	tick(100);
	tick(200);
	over();
	OUT(21, ENTRY(40, 9), EXIT(50, 9));
}

static void a_strand_that_goes_to_another_thread_takes_nothing_along(void **state)
{
	life(FC_LIFE_START, 1, 1, 1);
	life(FC_LIFE_THREAD_START, 1, 2, 1);
	user(1, 1, ENTRY(10, 1), 100);
	kernel(1, ENTRY(20, 9), 100);
	kernel(1, EXIT(30, 9), 100);
	user(1, 2, ENTRY(40, 2), 100);
	kernel(1, ENTRY(50, 9), 100); /* it waits in a strand of its own */
	kernel(1, EXIT(55, 9), 100);
	kernel(2, ENTRY(60, 8), 100);
	kernel(2, EXIT(65, 8), 100);
	user(1, 1, EXIT(70, 2), 100);
	kernel(1, ENTRY(80, 9), 100);
	kernel_until(100);
	user_until(1, 1, 100);
	tick(100);
	OUT(1, ENTRY(10, 1), ENTRY(20, 9), EXIT(30, 9), ENTRY(40, 2), ENTRY(60, 8), EXIT(65, 8),
	    EXIT(70, 2), ENTRY(80, 9));
	OUT(21, ENTRY(50, 9), EXIT(55, 9));
	over();
}

static void behind_a_handler_a_thread_is_where_it_was(void **state)
{
	const uint64_t call[] = { ENTRY(20, 3), EXIT(30, 3) };
	life(FC_LIFE_START, 1, 1, 1);
	user(1, 1, ENTRY(10, 1), 100);
	tell_on(2, FC_STRAND_SIGNAL, 1, call, 2, 100);
	kernel(1, ENTRY(25, 8), 100);
	kernel(1, EXIT(26, 8), 100);
	kernel(1, ENTRY(40, 9), 100);
	kernel(1, EXIT(50, 9), 100);
	user(1, 1, EXIT(60, 1), 100);
	tell_on(2, FC_STRAND_SIGNAL, 1, NULL, 0, 100);
	kernel_until(100);
	tick(100);
	OUT(1, ENTRY(10, 1), ENTRY(40, 9), EXIT(50, 9), EXIT(60, 1));
	OUT(2, ENTRY(20, 3), ENTRY(25, 8), EXIT(26, 8), EXIT(30, 3));
	over();
}

static void what_is_passed_on_is_before_no_tick(void **state)
{
	life(FC_LIFE_START, 1, 1, 1);
	user(1, 1, ENTRY(10, 1), 100);
	user(1, 1, ENTRY(70, 1), 100);
	kernel_until(50);
	tick(100);
	assert_int_equal(at.tick, 50);
	kernel_until(200);
	tick(150);
	assert_int_equal(at.tick, 150);
	over();
}

/* ---- many threads, told in pieces as they come ---- */

enum { THREADS = 7, EVENTS = 600 };

struct source {
	FC_VEC(uint64_t) words, times;
	size_t told;
};

static struct {
	struct source user, kernel;
	FC_VEC(uint64_t) expected;
} threads[THREADS];

static void did(struct source *source, int i, uint64_t word, uint64_t tsc)
{
	fc_vec_push(&source->words, word);
	fc_vec_push(&source->times, tsc);
	fc_vec_push(&threads[i].expected, word);
}

/* In front of their record, with the time of what is in front of them. */
static void did_values(int i, uint64_t tsc)
{
	struct source *user = &threads[i].user;
	uint64_t head = fc_mark_func(FC_MARK_VALUES, 1);
	fc_vec_push(&user->words, fc_record(user->times.at[user->times.nr - 1], head, FC_MARK));
	fc_vec_push(&user->words, 7);
	for (int n = 0; n < 2; n++)
		fc_vec_push(&user->times, tsc - 1);
	fc_vec_push(&threads[i].expected, fc_record(tsc, head, FC_MARK));
	fc_vec_push(&threads[i].expected, 7);
}

/* A thread calls and returns, and goes into the kernel now and then: which calls there, too. */
static uint64_t make_up(int i)
{
	uint64_t tsc = 10 + (uint64_t)(rand() % 50);
	uint32_t depth = 0, beneath = 0;
	did(&threads[i].user, i, ENTRY(tsc, 1), tsc);
	for (int n = 0; n < EVENTS; n++) {
		tsc += 1 + (uint64_t)(rand() % 20);
		int what = rand() % 10;
		if (beneath ? what < 3 : what < 2) {
			did(&threads[i].kernel, i, ENTRY(tsc, 100 + beneath), tsc);
			beneath++;
		} else if (beneath) {
			beneath--;
			did(&threads[i].kernel, i, EXIT(tsc, 100 + beneath), tsc);
		} else if (what < 6 || !depth) {
			did(&threads[i].user, i, ENTRY(tsc, 2), tsc);
			depth++;
		} else {
			if (what < 8)
				did_values(i, tsc);
			did(&threads[i].user, i, EXIT(tsc, 2), tsc);
			depth--;
		}
	}
	return tsc;
}

/* What was written before now, or only some of it. */
static void pour(int i, bool is_kernel, uint64_t now, size_t most)
{
	struct source *source = is_kernel ? &threads[i].kernel : &threads[i].user;
	size_t first = source->told;
	while (source->told < source->words.nr && source->times.at[source->told] < now &&
	       source->told - first < most)
		source->told += 1 + fc_record_words(source->words.at[source->told]);
	if (source->told > first)
		tell_on(is_kernel ? FC_STRAND_BESIDE : (uint32_t)i + 1, 0, i + 1,
			source->words.at + first, source->told - first, now);
	else if (!is_kernel)
		user_until((uint32_t)i + 1, i + 1, now);
}

static void random_interleavings_come_out_as_they_happened(void **state)
{
	uint64_t last = 0, now = 0;
	srand(7);
	for (int i = 0; i < THREADS; i++) {
		uint64_t tsc = make_up(i);
		last = tsc > last ? tsc : last;
		life(FC_LIFE_THREAD_START, 1, i + 1, 1);
	}
	while (now < last + 200) {
		now += 1 + (uint64_t)(rand() % 150);
		for (int i = 0; i < THREADS; i++)
			if (rand() % 3)
				pour(i, false, now, 1 + (size_t)(rand() % 20));
		if (rand() % 2) {
			for (int i = 0; i < THREADS; i++)
				pour(i, true, now, SIZE_MAX);
			kernel_until(now);
		}
		if (rand() % 4)
			continue;
		for (int i = 0; i < THREADS; i++)
			pour(i, false, now, SIZE_MAX);
		struct fc_tap *tap = fc_weave_tap(at.weave);
		tap->tick(tap, now);
	}
	for (int i = 0; i < THREADS; i++) {
		pour(i, false, now, SIZE_MAX);
		pour(i, true, now, SIZE_MAX);
		assert_true(at.strands[i + 1].words.nr > EVENTS / 2); /* it does not all wait */
	}
	over();
	for (int i = 0; i < THREADS; i++) {
		assert_out((uint32_t)i + 1, threads[i].expected.at, threads[i].expected.nr);
		fc_vec_free(&threads[i].user.words);
		fc_vec_free(&threads[i].user.times);
		fc_vec_free(&threads[i].kernel.words);
		fc_vec_free(&threads[i].kernel.times);
		fc_vec_free(&threads[i].expected);
	}
	assert_int_equal(at.numbers.strands, 20); /* none was made here */
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(calls_of_both_are_put_in_order_of_time),
		CASE(a_late_kernel_is_waited_for),
		CASE(a_late_ring_is_waited_for),
		CASE(a_round_that_takes_long_makes_no_strand_silent),
		CASE(a_thread_without_calls_has_a_strand_of_its_own),
		CASE(a_return_that_was_lost_ends_where_the_program_goes_on),
		CASE(values_are_told_with_the_record_behind_them),
		CASE(values_whose_record_is_late_wait_for_it),
		CASE(values_without_a_record_are_told_as_their_strand_ends),
		CASE(values_of_a_return_without_a_call_are_left_out),
		CASE(depths_of_the_kernel_stand_on_those_of_the_program),
		CASE(calls_in_a_gap_are_counted),
		CASE(calls_that_a_fork_announces_stay_together),
		CASE(a_number_that_is_used_again_is_another_thread),
		CASE(threads_that_are_not_traced_are_left_out),
		CASE(what_is_told_with_words_before_a_begin_stays),
		CASE(a_strand_that_goes_to_another_thread_takes_nothing_along),
		CASE(behind_a_handler_a_thread_is_where_it_was),
		CASE(what_is_passed_on_is_before_no_tick),
		CASE(random_interleavings_come_out_as_they_happened),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
