/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that go on behind their mark are put together; pieces that do not fit change nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "capture/agent/fetch.h"
#include "trace/pending.h"

enum { FUNC = 7, DEPTH = 2, WORD = 8 };

static int setup(void **state)
{
	static struct fc_pending pending;
	pending = (struct fc_pending){ 0 };
	*state = &pending;
	return 0;
}

static int teardown(void **state)
{
	fc_pending_deinit(*state);
	return 0;
}

static struct fc_event mark_of(enum fc_mark mark, const uint64_t *words, size_t nr)
{
	return (struct fc_event){
		.kind = FC_MARK, .mark = mark, .nr_words = (uint8_t)nr, .words = words
	};
}

static void add(struct fc_pending *pending, const uint64_t *words, size_t nr)
{
	struct fc_event mark = mark_of(FC_MARK_VALUES, words, nr);
	fc_pending_add(pending, &mark, DEPTH);
}

/* A piece of nr bytes, with these flags. */
static void more(struct fc_pending *pending, uint32_t head, uint32_t before, uint64_t flags,
		 const char *bytes)
{
	uint64_t words[16] = { fca_format(FUNC, false), fca_more(head, before) };
	size_t nr = strlen(bytes);
	words[2] = flags | nr;
	memcpy(words + FCA_MORE_WORDS, bytes, nr);
	struct fc_event mark =
		mark_of(FC_MARK_MORE, words, FCA_MORE_WORDS + (nr + WORD - 1) / WORD);
	fc_pending_more(pending, &mark, DEPTH);
}

/* key | 3 bytes, cut | 1 | 4 bytes, cut */
static void add_two_texts(struct fc_pending *pending)
{
	uint64_t words[6] = { fca_format(FUNC, false), FCA_GOT_MORE | 3, 0, 1,
			      FCA_GOT_MORE | 4 };
	memcpy(&words[2], "abc", 3);
	memcpy(&words[5], "uvwx", 4);
	add(pending, words, 6);
}

static struct fc_pending_values take(struct fc_pending *pending)
{
	return fc_pending_take(pending, FUNC, false, DEPTH);
}

static void assert_text(const struct fc_pending_values *values, uint32_t head, uint64_t flags,
			const char *text)
{
	size_t nr = strlen(text);
	assert_true(head + (nr + WORD - 1) / WORD < values->nr);
	assert_int_equal(values->words[head], flags | nr);
	assert_memory_equal(values->words + head + 1, text, nr);
}

static void texts_go_on_the_last_one_first(void **state)
{
	struct fc_pending *pending = *state;
	add_two_texts(pending);
	more(pending, 4, 4, FCA_GOT_MORE, "yz and so on");
	more(pending, 4, 16, 0, "!");
	more(pending, 1, 3, FCA_GOT_MORE, "defghijklmnop");
	more(pending, 1, 16, 0, "");
	struct fc_pending_values values = take(pending);
	assert_int_equal(values.nr, 9);
	assert_text(&values, 1, 0, "abcdefghijklmnop");
	assert_int_equal(values.words[4], 1);
	assert_text(&values, 5, 0, "uvwxyz and so on!");
	free(values.words);
}

static void what_is_missing_leaves_a_text_cut(void **state)
{
	struct fc_pending *pending = *state;
	add_two_texts(pending);
	more(pending, 4, 12, 0, "behind a piece that is lost");
	more(pending, 1, 2, 0, "before its time");
	struct fc_pending_values values = take(pending);
	assert_int_equal(values.nr, 6);
	assert_text(&values, 1, FCA_GOT_MORE, "abc");
	assert_text(&values, 4, FCA_GOT_MORE, "uvwx");
	free(values.words);
}

static void words_go_on(void **state)
{
	struct fc_pending *pending = *state;
	uint64_t first[] = { fca_format(FUNC, false), 10, 11 };
	add(pending, first, 3);
	more(pending, 0, 3, 0, "12345678abcdefgh");
	more(pending, 0, 4, 0, "not here");
	struct fc_pending_values values = take(pending);
	assert_int_equal(values.nr, 5);
	assert_memory_equal(values.words + 3, "12345678abcdefgh", 16);
	free(values.words);
}

static void nothing_goes_on_where_nothing_began(void **state)
{
	struct fc_pending *pending = *state;
	more(pending, 1, 0, 0, "nobody's");
	assert_null(take(pending).words);
}

static uint32_t throw(uint32_t * dice, uint32_t sides)
{
	*dice = *dice * 1664525 + 1013904223;
	return (*dice >> 8) % sides;
}

/* Memory is a sanitizer's to watch. */
static void pieces_of_a_forged_trace_are_harmless(void **state)
{
	struct fc_pending *pending = *state;
	for (uint32_t dice = 1, round = 0; round < 300; round++) {
		uint64_t words[FC_MARK_MAX_VALUES];
		for (int i = 0; i < 200; i++) {
			uint32_t nr = 1 + throw(&dice, i % 5 ? 40 : FC_MARK_MAX_VALUES);
			for (uint32_t k = 0; k < nr; k++)
				words[k] = throw(&dice, 4) ? throw(&dice, 70)
							   : (uint64_t)dice << 32 | dice;
			words[0] = fca_format(FUNC, false);
			if (nr > 1 && throw(&dice, 4))
				words[1] = fca_more(throw(&dice, 9), throw(&dice, 60));
			struct fc_event mark = mark_of(FC_MARK_MORE, words, nr);
			if (i % 50)
				fc_pending_more(pending, &mark, DEPTH);
			else
				add(pending, words, nr);
		}
		struct fc_pending_values values = take(pending);
		assert_non_null(values.words);
		assert_true(values.nr < 1 << 16);
		uint64_t sum = 0;
		for (uint32_t i = 0; i < values.nr; i++)
			sum += values.words[i];
		words[0] = sum;
		free(values.words);
	}
}

/* One after the other, without an end. */
static void a_forged_mark_does_not_grow_for_ever(void **state)
{
	struct fc_pending *pending = *state;
	uint64_t words[FC_MARK_MAX_VALUES] = { fca_format(FUNC, false) };
	add(pending, words, 1);
	for (uint32_t i = 0, nr = 1; i < 10000; i++, nr += 252) {
		words[1] = fca_more(0, nr);
		words[2] = 252 * WORD;
		struct fc_event mark = mark_of(FC_MARK_MORE, words, FC_MARK_MAX_VALUES);
		fc_pending_more(pending, &mark, DEPTH);
	}
	struct fc_pending_values values = take(pending);
	assert_true(values.nr <= 1 << 15);
	free(values.words);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(texts_go_on_the_last_one_first, setup,
						teardown),
		cmocka_unit_test_setup_teardown(what_is_missing_leaves_a_text_cut, setup,
						teardown),
		cmocka_unit_test_setup_teardown(words_go_on, setup, teardown),
		cmocka_unit_test_setup_teardown(nothing_goes_on_where_nothing_began, setup,
						teardown),
		cmocka_unit_test_setup_teardown(pieces_of_a_forged_trace_are_harmless, setup,
						teardown),
		cmocka_unit_test_setup_teardown(a_forged_mark_does_not_grow_for_ever, setup,
						teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
