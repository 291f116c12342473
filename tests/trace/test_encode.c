/* SPDX-License-Identifier: Apache-2.0 */
/* Words are taken apart many at once; the bytes are those of words that come one at a time. */
#include "trace/encode.h"

#include "trace/test_trace.h"

enum { SHIFT = 3 };

struct encoded {
	struct fc_bytes bytes; /* payloads behind each other */
	FC_VEC(uint32_t) fresh;
};

static void encoded_free(struct encoded *e)
{
	fc_bytes_free(&e->bytes);
	fc_vec_free(&e->fresh);
}

static void flush(struct fc_encoder *enc, ZSTD_CCtx *zstd, struct encoded *ret)
{
	struct fc_bytes payload = { 0 };
	struct fc_events_head head;
	fc_encoder_finish(enc, zstd, &payload, &head);
	fc_bytes_copy(&ret->bytes, payload.at, payload.nr);
	fc_bytes_free(&payload);
}

/*
 * most: give so many words at a time, 0: by chance. Only whole marks are given. They are
 * drained when the last of them was written, or at the stream's end.
 */
static void encode(const struct stream *s, size_t most, bool is_prompt, struct encoded *ret)
{
	struct fc_seen seen;
	struct fc_encoder enc;
	ZSTD_CCtx *zstd = fc_events_zstd();
	unsigned seed = 7;
	*ret = (struct encoded){ 0 };
	fc_seen_init(&seen);
	fc_encoder_init(&enc, SHIFT, &seen,
			&(struct fc_strand_info){ .id = 1, .pid = 2, .tid = 3 });
	for (size_t i = 0; i < s->words.nr;) {
		seed = seed * 1103515245u + 12345u;
		uint64_t now = s->tsc;
		size_t end = i, want = most ? most : 1 + (seed >> 8) % 3000;
		while (end < s->words.nr && end - i < want) {
			if (is_prompt)
				now = fc_record_tick(s->words.at[end]);
			end += 1 + fc_record_words(s->words.at[end]);
		}
		if (end > s->words.nr)
			end = s->words.nr;
		while (i < end) {
			i += fc_encoder_add(&enc, s->words.at + i, end - i, now);
			if (fc_encoder_is_full(&enc))
				flush(&enc, zstd, ret);
		}
	}
	fc_encoder_end(&enc, s->tsc);
	flush(&enc, zstd, ret);
	fc_vec_each (&seen.fresh, func)
		fc_vec_push(&ret->fresh, *func);
	fc_encoder_deinit(&enc);
	fc_seen_deinit(&seen);
	ZSTD_freeCCtx(zstd);
}

static void expect_the_same(const struct stream *s, bool is_prompt)
{
	const size_t mosts[] = { 0, 7, 512, 513, SIZE_MAX / 2, 1 };
	struct encoded one_by_one, many;
	encode(s, 1, false, &one_by_one);
	for (size_t i = 0; i < sizeof(mosts) / sizeof(mosts[0]); i++) {
		encode(s, mosts[i], is_prompt, &many);
		assert_int_equal(many.bytes.nr, one_by_one.bytes.nr);
		assert_memory_equal(many.bytes.at, one_by_one.bytes.at, many.bytes.nr);
		assert_int_equal(many.fresh.nr, one_by_one.fresh.nr);
		assert_memory_equal(many.fresh.at, one_by_one.fresh.at,
				    many.fresh.nr * sizeof(*many.fresh.at));
		encoded_free(&many);
	}
	encoded_free(&one_by_one);
}

static void many_words_give_the_bytes_of_each_alone(void **state)
{
	struct stream s = stream_of(3, 700, 701);
	stream_run(&s, 150000);
	expect_the_same(&s, false);
	expect_the_same(&s, true);
	stream_free(&s);
}

/* Long and short pauses, times that run backwards, words that are no records. */
static void rough_words_give_the_bytes_of_each_alone(void **state)
{
	struct stream s = stream_of(4, 700, 701);
	for (int i = 0; i < 100000; i++) {
		unsigned what = stream_random(&s) % 400;
		stream_step(&s);
		if (what == 0)
			s.tsc += 1 + stream_random(&s) % 50000000;
		else if (what == 1)
			s.tsc -= stream_random(&s) % 2000;
		else if (what == 2)
			stream_add(&s, FC_EXIT, 99);
		else if (what == 3)
			fc_vec_push(&s.words, fc_record(s.tsc, 9, FC_PAD));
		else if (what == 4)
			fc_vec_push(&s.words, fc_record(s.tsc, FC_FUNC_MAX, FC_ENTRY));
	}
	expect_the_same(&s, false);
	stream_free(&s);
}

static void soon_after_boot_a_turn_ago_is_before_the_clocks_zero(void **state)
{
	struct stream s = stream_of(5, 700, 701);
	s.tsc = 100;
	stream_run(&s, 2000);
	expect_the_same(&s, false);
	stream_free(&s);
}

/* A RETURN needs no function, however its record came. */
static void calls_and_returns_alone_need_no_other_column(void **state)
{
	struct stream s = stream_of(6, 700, 701);
	struct fc_seen seen;
	struct fc_encoder enc;
	for (int i = 0; i < 3000; i++)
		stream_add(&s, FC_ENTRY, 1 + i % 5);
	while (s.stack.nr)
		stream_return(&s);
	fc_seen_init(&seen);
	fc_encoder_init(&enc, SHIFT, &seen,
			&(struct fc_strand_info){ .id = 1, .pid = 2, .tid = 3 });
	for (size_t i = 0; i < s.words.nr; i++) {
		uint64_t now = fc_record_tick(s.words.at[i]) + (i % 3 ? 0 : 100000);
		fc_encoder_add(&enc, s.words.at + i, 1, i % 5 ? now : now - 4);
	}
	assert_int_equal(enc.column[FC_COLUMN_KINDS].nr, s.words.nr);
	assert_int_equal(enc.column[FC_COLUMN_OTHERS].nr, 0);
	fc_encoder_deinit(&enc);
	fc_seen_deinit(&seen);
	stream_free(&s);
}

static void deep_calls_give_the_bytes_of_each_alone(void **state)
{
	struct stream s = stream_of(6, 700, 701);
	for (int i = 0; i < 40000; i++)
		stream_add(&s, FC_ENTRY, 1 + i % 5);
	for (int i = 0; i < 60000; i++)
		stream_add(&s, i % 3 ? FC_ENTRY : FC_EXIT, 1 + i % 5);
	for (int i = 0; i < 90000 && s.stack.nr; i++)
		stream_return(&s);
	expect_the_same(&s, false);
	stream_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_words_give_the_bytes_of_each_alone),
		cmocka_unit_test(rough_words_give_the_bytes_of_each_alone),
		cmocka_unit_test(soon_after_boot_a_turn_ago_is_before_the_clocks_zero),
		cmocka_unit_test(calls_and_returns_alone_need_no_other_column),
		cmocka_unit_test(deep_calls_give_the_bytes_of_each_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
