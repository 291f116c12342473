/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A ring between its writer and the drain, whatever comes between: all interleavings, up to so
 * many events. The agent's own code writes marks and makes room, and the drain's own code
 * reads; stubs are played. At each store and each reservation the drain may look, or pass over
 * what is not written; a signal may come, whose handler records, and returns or leaves by
 * siglongjmp; and the thread may die.
 *
 * The values of marks look like records. What comes out must have been written, once; what was
 * written whole must come out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* after those it needs */
#include <cmocka.h>

#include "rounds.h"
#include "capture/agent/base/bell.h"
#include "capture/agent/base/machine.h"
#include "capture/agent/base/signals.h"
#include "capture/agent/base/site.h"
#include "capture/agent/strand/claim.h"
#include "capture/agent/strand/entries.h"
#include "capture/drain/ring.h"
#include "capture/drain/segments.h"

enum {
	RING_WORDS = 32,
	ROUND = 3 * RING_WORDS,
	FLIGHT_WORDS = 2048, /* the smallest flight recorder's */
	MAX_IDS = 4000,
	MAX_CHOICES = 8192,
};

/* ---- choices: each run makes the next row of them ---- */

static struct {
	uint8_t made[MAX_CHOICES], of[MAX_CHOICES];
	uint32_t at, nr;
} choices;

static uint32_t choose(uint32_t of)
{
	if (of < 2)
		return 0;
	if (choices.at == choices.nr) {
		assert_true(choices.nr < MAX_CHOICES);
		choices.made[choices.nr] = 0;
		choices.of[choices.nr++] = (uint8_t)of;
	}
	return choices.made[choices.at++];
}

static bool next_run(void)
{
	while (choices.nr && choices.made[choices.nr - 1] + 1 == choices.of[choices.nr - 1])
		choices.nr--;
	if (choices.nr)
		choices.made[choices.nr - 1]++;
	choices.at = 0;
	return choices.nr;
}

/* ---- the world ---- */

struct budget {
	uint32_t looks, signals, deaths;
};

static struct {
	struct budget left;
	uint64_t clock, last;
	uint32_t nr_ids, blocked, depth;
	bool is_late;		/* something was passed over: it may come behind its time */
	bool is_there[MAX_IDS]; /* written whole */
	bool is_out[MAX_IDS];
	jmp_buf leave, die;
} w;

static uint64_t words[FLIGHT_WORDS];
static struct fca_ring *shared;
static struct fc_ring ring;
static struct fca_arena arena;
static union {
	struct strand strand;
	char room[sizeof(struct strand)];
} writer;

struct fca_config agent_config;

/* A value that could be taken for a record; of an id that there is not. */
static uint64_t fake(uint32_t id)
{
	return fc_record(w.clock, MAX_IDS + id, FC_ENTRY);
}

static void see(uint32_t id)
{
	assert_in_range(id, 1, w.nr_ids);
	assert_false(w.is_out[id]);
	w.is_out[id] = true;
}

static void see_record(const uint64_t *word)
{
	uint64_t tsc = fc_record_tsc(*word, w.clock);
	assert_true(w.is_late || tsc >= w.last);
	if (tsc > w.last)
		w.last = tsc;
	if (fc_record_kind(*word) == FC_ENTRY) {
		see(fc_record_func(*word));
		return;
	}
	assert_int_equal(fc_record_kind(*word), FC_MARK);
	if (fc_record_mark(*word) == FC_MARK_WAITED) {
		assert_in_range(word[1], 0, w.clock);
		return;
	}
	assert_int_equal(fc_record_mark(*word), FC_MARK_FORK);
	assert_int_equal(fc_record_words(*word), 2);
	see((uint32_t)~word[2]);
	assert_int_equal(fc_record_func(word[1]), MAX_IDS + (uint32_t)~word[2]);
}

static size_t take(void)
{
	static uint64_t taken[FC_RING_ROOM];
	size_t nr = fc_ring_take(&ring, taken, FC_RING_ROOM);
	for (size_t i = 0; i < nr; i += 1 + fc_record_words(taken[i]))
		see_record(&taken[i]);
	return nr;
}

/* ---- a flight recorder's ---- */

static bool read_words(void *ctx, uint64_t at, uint64_t *ret, size_t nr)
{
	memcpy(ret, words + at, nr * sizeof(*ret));
	return true;
}

static void see_recalled(const uint64_t *word)
{
	if (fc_record_kind(*word) != FC_MARK || fc_record_mark(*word) == FC_MARK_FORK) {
		see_record(word);
		return;
	}
	assert_int_equal(fc_record_mark(*word), FC_MARK_RESUME);
	assert_in_range(word[1], 0, w.nr_ids);
	assert_int_equal(word[2], 1);
	assert_int_equal(word[3], 0);
}

/* A dump; it tells again what an earlier one told. */
static void recall(void)
{
	static uint64_t copy[FLIGHT_WORDS];
	struct fc_recall recalled;
	assert_true(fc_segments_copy(FLIGHT_WORDS, read_words, NULL, copy));
	fc_segments_recall(copy, FLIGHT_WORDS, w.clock, &recalled);
	memset(w.is_out, 0, sizeof(w.is_out));
	w.last = 0;
	for (size_t i = 0; i < recalled.words.nr;
	     i += 1 + fc_record_words(recalled.words.at[i]))
		see_recalled(&recalled.words.at[i]);
	fc_recall_deinit(&recalled);
}

static bool pass_over(void)
{
	bool is_passed = fc_ring_skip_hole(&ring);
	w.is_late |= is_passed;
	return is_passed;
}

/* ---- what may come between ---- */

static void handle_signal(void);

static void point(void)
{
	bool may_look = w.left.looks, may_die = w.left.deaths;
	bool may_signal = w.left.signals && !w.blocked && w.depth < 3;
	uint32_t ways = may_look ? arena.is_ring ? 1 : 2 : 0;
	uint32_t what = choose(1 + ways + may_die + may_signal);
	if (!what--)
		return;
	if (what < ways) {
		w.left.looks--;
		if (arena.is_ring) {
			recall();
			return;
		}
		if (what)
			pass_over();
		take();
		return;
	}
	what -= ways;
	if (may_die && !what--) {
		w.left.deaths--;
		longjmp(w.die, 1);
	}
	w.left.signals--;
	w.depth++;
	handle_signal();
	w.depth--;
}

static uint64_t model_clock(void)
{
	point();
	return ++w.clock;
}

static int model_cas(uint64_t *at, uint64_t old, uint64_t new)
{
	point();
	bool is_same = *at == old;
	if (is_same)
		*at = new;
	point();
	return is_same;
}

uint64_t signals_block(void)
{
	w.blocked++;
	return 0;
}

void signals_restore(uint64_t mask)
{
	w.blocked--;
	point();
}

void claim_unlocked(void)
{
}

void claim_as_told(void)
{
}

bool agent_is_alone(const struct fca_arena *at)
{
	return false;
}

void agent_ring_bell(struct fca_arena *at)
{
}

/* The target waits for room: the drain goes round until there is some. */
void futex_wait(uint32_t *at, uint32_t value, uint32_t ms)
{
	assert_true(take() || pass_over());
	shared->waiting = 0;
}

bool agent_is_site(uint64_t address)
{
	return false;
}

bool shadow_is_armed(const struct strand *s, uint64_t slot, const struct fca_shadow *entry,
		     uint64_t *site)
{
	return false;
}

#define cas_local  model_cas
#define read_clock model_clock
#define __atomic_store_n(at, value, order)                                                     \
	({                                                                                     \
		point();                                                                       \
		__atomic_store_n(at, value, order);                                            \
	})
#include "capture/agent/strand/pen.c"
#include "capture/agent/strand/record.c"
#undef read_clock
#define read_clock() (++w.clock)
#include "capture/agent/strand/segment.c"

/* ---- the writer ---- */

static struct strand *s = &writer.strand;

/* In the order of stub_x86_64.c: reserve, take the time, write. */
static void call_stub(void)
{
	uint32_t id = ++w.nr_ids;
	uint64_t *at;
	assert_true(id < MAX_IDS);
	for (;;) {
		at = cursor_of(s);
		if (at >= limit_of(s))
			assert_true(strand_make_room(s, 1));
		else if (model_cas((uint64_t *)&s->cursor, (uint64_t)at, (uint64_t)(at + 1)))
			break;
	}
	uint64_t tsc = model_clock();
	__atomic_store_n(at, fc_record(tsc, id, FC_ENTRY), __ATOMIC_RELEASE);
	w.is_there[id] = true;
	point();
}

static void write_mark(void)
{
	uint32_t id = ++w.nr_ids;
	assert_true(id < MAX_IDS);
	do
		assert_true(strand_make_room(s, MARK_WORDS_2));
	while (!strand_mark(s, FC_MARK_FORK, fake(id), ~(uint64_t)id, 2));
	w.is_there[id] = true;
	point();
}

static void call_often(void)
{
	struct budget left = w.left;
	w.left = (struct budget){ 0 };
	for (int i = 0; i < RING_WORDS; i++)
		call_stub();
	w.left = left;
}

static void handle_signal(void)
{
	switch (choose(5)) {
	case 0:
		call_stub();
		return;
	case 1:
		write_mark();
		return;
	case 2:
		call_often();
		return;
	case 3:
		call_stub();
		break;
	case 4:
		write_mark();
		break;
	}
	longjmp(w.leave, 1);
}

static void start_at(uint64_t place)
{
	agent_config.arena = (uint64_t)&arena;
	agent_config.ring_words = RING_WORDS;
	arena.is_ring = 0;
	shared = &arena.rings[0];
	*shared = (struct fca_ring){ .tail = ROUND + place };
	memset(words, 0, RING_WORDS * sizeof(*words));
	memset(s, 0, offsetof(struct strand, end));
	s->ring = shared;
	s->words = words;
	s->words_before = ROUND;
	s->cursor = s->limit = words + place;
	fc_ring_init(&ring, shared, words, RING_WORDS);
}

/* As when the strand's thread has ended. */
static void drain_all(void)
{
	w.left = (struct budget){ 0 };
	do
		while (take())
			;
	while (pass_over());
	for (uint32_t id = 1; id <= w.nr_ids; id++)
		assert_true(w.is_out[id] || !w.is_there[id]);
	fc_ring_clear(&ring);
	for (size_t i = 0; i < RING_WORDS; i++)
		assert_int_equal(words[i], 0);
}

static void run(const char *ops)
{
	static const char *volatile op;
	op = ops;
	if (setjmp(w.die))
		return;
	if (setjmp(w.leave))
		w.blocked = w.depth = 0;
	while (*op)
		switch (*op++) {
		case 's':
			call_stub();
			break;
		case 'm':
			write_mark();
			break;
		}
}

static uint64_t explore(const char *ops, uint64_t place, struct budget budget)
{
	uint64_t nr = 0;
	choices.nr = choices.at = 0;
	do {
		memset(&w, 0, sizeof(w));
		w.left = budget;
		w.clock = 1000;
		start_at(place);
		run(ops);
		drain_all();
		nr++;
	} while (next_run());
	return nr;
}

/* In its second round, near a segment's end. */
static void start_flight(void)
{
	memset(words, 0, sizeof(words));
	memset(s, 0, offsetof(struct strand, end));
	agent_config.ring_words = FLIGHT_WORDS;
	arena.is_ring = 1;
	s->ring = shared;
	s->words = s->cursor = s->limit = s->segment_end = words;
	struct budget left = w.left;
	w.left = (struct budget){ 0 };
	while (strand_words(s) < FLIGHT_WORDS || s->cursor + MARK_WORDS_2 + 2 < s->segment_end)
		call_stub();
	w.left = left;
}

/* Of what was written last all is there: less than a round. */
static void recall_all(uint32_t first)
{
	w.left = (struct budget){ 0 };
	recall();
	for (uint32_t id = first; id <= w.nr_ids; id++)
		assert_true(w.is_out[id] || !w.is_there[id]);
}

static uint64_t explore_flight(const char *ops, struct budget budget)
{
	uint64_t nr = 0;
	choices.nr = choices.at = 0;
	do {
		memset(&w, 0, sizeof(w));
		w.left = budget;
		w.clock = 1000;
		start_flight();
		uint32_t first = w.nr_ids + 1;
		run(ops);
		recall_all(first);
		nr++;
	} while (next_run());
	return nr;
}

static void explore_all(const char *ops, struct budget budget, struct budget more)
{
	uint64_t nr = 0;
	for (uint64_t place = 0; place < RING_WORDS; place++)
		nr += explore(ops, place, is_long_form() ? more : budget);
	print_message("# %llu interleavings of %s\n", (unsigned long long)nr, ops);
}

static void a_value_is_never_taken_for_a_record(void **state)
{
	explore_all("ms", (struct budget){ 3, 0, 0 }, (struct budget){ 5, 0, 0 });
	explore_all("sms", (struct budget){ 2, 0, 0 }, (struct budget){ 4, 0, 0 });
}

static void a_handler_loses_nothing_whether_it_returns_or_leaves(void **state)
{
	explore_all("ms", (struct budget){ 1, 1, 0 }, (struct budget){ 2, 1, 0 });
	explore_all("s", (struct budget){ 1, 2, 0 }, (struct budget){ 2, 2, 0 });
}

static void a_thread_may_die_between_any_two_stores(void **state)
{
	explore_all("sm", (struct budget){ 2, 0, 1 }, (struct budget){ 3, 0, 1 });
	explore_all("m", (struct budget){ 1, 1, 1 }, (struct budget){ 2, 1, 1 });
}

static void so_with_a_ring_that_nobody_drains(void **state)
{
	struct budget budget = { 1, is_long_form(), 0 }, deadly = { is_long_form(), 0, 1 };
	uint64_t nr = explore_flight("mmsm", budget) + explore_flight("msm", deadly) +
		      explore_flight("msm", (struct budget){ 0, 1, 0 });
	print_message("# %llu interleavings\n", (unsigned long long)nr);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_value_is_never_taken_for_a_record),
		cmocka_unit_test(a_handler_loses_nothing_whether_it_returns_or_leaves),
		cmocka_unit_test(a_thread_may_die_between_any_two_stores),
		cmocka_unit_test(so_with_a_ring_that_nobody_drains),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
