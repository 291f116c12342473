/* SPDX-License-Identifier: Apache-2.0 */
/* Who walks over a strand, in either direction, finds the very calls that playing it tells. */
#include "calls/play.h"
#include "capture/agent/fetch.h"
#include "show/tui/hunt.h"
#include "show/tui/outline.h"
#include "show/tui/reels.h"
#include "show/tui/walk.h"
#include "trace/checksum.h"
#include "trace/packets.h"

#include "rounds.h"
#include "trace/test_trace.h"

/* ---- what is there ---- */

struct kept {
	struct fc_call_sink sink;
	FC_VEC(struct fc_call) calls;
	uint64_t lost;
};

static void keep_enter(struct fc_call_sink *sink, const struct fc_call *call)
{
}

static void keep_leave(struct fc_call_sink *sink, const struct fc_call *call)
{
	fc_vec_push(&((struct kept *)sink)->calls, *call);
}

static void keep_event(struct fc_call_sink *sink, const struct fc_event *event)
{
	if (event->mark == FC_MARK_LOST || event->mark == FC_MARK_RESUME)
		((struct kept *)sink)->lost += fc_event_word(event, 0);
}

static void keep_finish(struct fc_call_sink *sink)
{
}

static struct kept kept_of(struct fc_reader *reader)
{
	struct kept kept = { .sink = { keep_enter, keep_leave, keep_event, keep_finish } };
	const struct fc_play_opts opts = { 0 };
	fc_play(reader, &opts, &kept.sink);
	return kept;
}

/* ---- what is walked over ---- */

struct found {
	struct fc_walk *walk;
	struct fc_reader *reader;
	FC_VEC(struct fc_call) calls;
	uint64_t lost;
	bool is_back;
};

static void take(struct found *found, const struct fc_step *step)
{
	const struct fc_strand_info *info = fc_reader_strand(found->reader, step->strand);
	struct fc_call call = { .func = step->func,
				.strand = info->id,
				.depth = step->depth,
				.begin_tsc = step->begin_tsc,
				.end_tsc = step->end_tsc,
				.left = step->left,
				.self_ticks = step->self_ticks,
				.is_recursive =
					step->has_self /* as a note for assert_same() */ };

	if (step->kind == FC_STEP_LOST)
		found->lost += step->nr;
	else if (step->func)
		fc_vec_push(&found->calls, call);
}

static void walk_inside(struct found *found, uint32_t strand, uint32_t depth,
			struct fc_walk_place from, struct fc_walk_place to)
{
	struct fc_walk_place at = found->is_back ? to : from;
	struct fc_step step;
	int ret;

	for (;;) {
		ret = found->is_back ? fc_walk_back(found->walk, strand, depth, &at, &step)
				     : fc_walk_next(found->walk, strand, depth, &at, &step);
		if (ret <= 0)
			break;
		if (found->is_back ? fc_place_compare(step.place, from) < 0
				   : fc_place_compare(step.place, to) >= 0)
			break;
		take(found, &step);
		if (step.is_leaf)
			continue;
		struct fc_walk_place inside = step.place;
		inside.record += step.func != 0;
		walk_inside(found, strand, depth + 1, inside, step.behind);
	}
	assert_int_equal(ret < 0, 0);
}

static struct found found_in(struct fc_reader *reader, bool is_back)
{
	struct found found = { .reader = reader, .is_back = is_back };

	found.walk = fc_walk_create(reader);
	fc_walk_set_single(found.walk, true);
	for (uint32_t i = 0; i < fc_reader_nr_strands(reader); i++)
		walk_inside(&found, i, 0, (struct fc_walk_place){ 0 },
			    fc_walk_end(found.walk, i));
	fc_walk_destroy(found.walk);
	return found;
}

/* ---- compare ---- */

#define BY(field)                                                                              \
	if (x->field != y->field)                                                              \
	return x->field < y->field ? -1 : 1

static int compare(const void *a, const void *b)
{
	const struct fc_call *x = a, *y = b;
	BY(strand);
	BY(begin_tsc);
	BY(end_tsc);
	BY(depth);
	BY(func);
	BY(left);
	return 0;
}

static void assert_same(const struct fc_call *a, const struct fc_call *b, size_t i)
{
	if (b->is_recursive)
		assert_int_equal(a->self_ticks, b->self_ticks);
	if (compare(a, b))
		fail_msg("call %zu: play tells %u at depth %u, %llu to %llu, left %d; the walk "
			 "%u "
			 "at %u, %llu to %llu, left %d",
			 i, a->func, a->depth, (unsigned long long)a->begin_tsc,
			 (unsigned long long)a->end_tsc, a->left, b->func, b->depth,
			 (unsigned long long)b->begin_tsc, (unsigned long long)b->end_tsc,
			 b->left);
}

static void assert_walks_as_played(const char *path)
{
	for (int is_back = 0; is_back < 2; is_back++) {
		struct fc_reader *reader = trace_open(path);
		struct kept kept = kept_of(reader);
		struct found found = found_in(reader, is_back);
		assert_true(kept.calls.nr > 0);
		qsort(kept.calls.at, kept.calls.nr, sizeof(struct fc_call), compare);
		qsort(found.calls.at, found.calls.nr, sizeof(struct fc_call), compare);
		for (size_t i = 0; i < kept.calls.nr && i < found.calls.nr; i++)
			assert_same(&kept.calls.at[i], &found.calls.at[i], i);
		assert_int_equal(kept.calls.nr, found.calls.nr);
		assert_int_equal(kept.lost, found.lost);
		fc_vec_free(&kept.calls);
		fc_vec_free(&found.calls);
		fc_reader_close(reader);
	}
}

/* ---- traces ---- */

static void write_trace(const char *path, struct stream *streams, size_t nr)
{
	struct fc_writer *writer = trace_create(path);
	struct fc_tap *tap = fc_writer_tap(writer);
	bool is_more = true;

	while (is_more) {
		is_more = false;
		for (size_t i = 0; i < nr; i++) {
			assert_int_equal(stream_send(&streams[i], tap, 5000), 0);
			is_more |= streams[i].sent < streams[i].words.nr;
		}
	}
	for (size_t i = 0; i < nr; i++) {
		tap->strand_end(tap, &streams[i].info, streams[i].tsc + 1000);
		stream_free(&streams[i]);
	}
	assert_int_equal(trace_close(writer, 0), 0);
}

static void random_strands_are_walked_both_ways(void **state)
{
	struct stream streams[3];

	for (int round = 0; round < rounds(1, 2); round++) {
		for (uint32_t i = 0; i < 3; i++) {
			streams[i] = stream_of(i + 1, 100, 100 + (int)i);
			streams[i].seed = 7 * (unsigned)round + i;
			stream_run(&streams[i], 100000);
		}
		write_trace(in_dir("random.data"), streams, 3);
		assert_walks_as_played(in_dir("random.data"));
	}
}

/* One call that lasts for all packets, with long and short ones in it. */
static struct stream long_stream(void)
{
	struct stream s = stream_of(1, 100, 100);

	stream_add(&s, FC_ENTRY, 1);
	for (int i = 0; i < 5; i++) {
		stream_add(&s, FC_ENTRY, 2);
		for (int k = 0; k < 100000; k++) {
			stream_add(&s, FC_ENTRY, 3);
			stream_return(&s);
		}
		stream_return(&s);
	}
	stream_return(&s);
	return s;
}

static void long_calls_are_walked_past(void **state)
{
	struct stream s = long_stream();

	write_trace(in_dir("long.data"), &s, 1);
	assert_walks_as_played(in_dir("long.data"));
}

/* In, from call to call, and out again. The call at a depth has the record of that number. */
static void levels_are_walked(struct fc_walk *walk, uint32_t first, uint32_t last)
{
	struct fc_walk_place at = { 0, first };
	uint32_t depth = first;
	struct fc_step step;

	assert_int_equal(fc_walk_next(walk, 0, first, &at, &step), 1);
	assert_int_equal(step.left, FC_LEFT_RETURN);
	while (depth < last) {
		at = step.place;
		at.record++;
		uint64_t begin = step.begin_tsc, end = step.end_tsc;
		assert_int_equal(fc_walk_next(walk, 0, ++depth, &at, &step), 1);
		assert_true(step.begin_tsc > begin && step.end_tsc <= end);
	}
	while (depth-- > first) {
		at = step.place;
		assert_int_equal(fc_walk_back(walk, 0, depth, &at, &step), 1);
		assert_int_equal(step.depth, depth);
	}
}

/* Deeper than what a packet tells as open, down and up again, twice. */
static void deep_recursion_is_walked(void **state)
{
	struct stream s = stream_of(1, 100, 100);

	stream_add(&s, FC_ENTRY, 9);
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < 150000; i++)
			stream_add(&s, FC_ENTRY, 1 + (unsigned)i % 5);
		for (int i = 0; i < 149990; i++)
			stream_return(&s);
	}
	write_trace(in_dir("deep.data"), &s, 1);

	/* All levels at once would be a walk of its own for each: a few are compared. */
	struct fc_reader *reader = trace_open(in_dir("deep.data"));
	struct fc_walk *walk = fc_walk_create(reader);
	struct fc_walk_place at = { 0 };
	struct fc_step step;
	assert_int_equal(fc_walk_next(walk, 0, 0, &at, &step), 1);
	assert_int_equal(step.func, 9);
	assert_int_equal(step.left, FC_LEFT_END);
	/* Around the depth to which a packet tells all that is open, too. */
	levels_are_walked(walk, 11, 100);
	levels_are_walked(walk, 1000, 1050);
	levels_are_walked(walk, 2950, 3000);
	fc_walk_destroy(walk);
	fc_reader_close(reader);
}

/* ---- damage ---- */

static void damaged_packets_are_gaps(void **state)
{
	struct stream streams[2];

	for (uint32_t i = 0; i < 2; i++) {
		streams[i] = stream_of(i + 1, 100, 100 + (int)i);
		stream_run(&streams[i], 150000);
	}
	write_trace(in_dir("whole.data"), streams, 2);
	struct file_bytes bytes = file_read(in_dir("whole.data"));
	unsigned seed = 1;
	for (int round = 0; round < 8; round++) {
		struct fc_reader *reader = NULL;
		uint8_t *copy = fc_alloc(bytes.nr);
		memcpy(copy, bytes.at, bytes.nr);
		for (int i = 0; i < 1 + round % 3; i++)
			copy[200 + (size_t)rand_r(&seed) % (bytes.nr - 200)] ^= 0x55;
		if (!fc_reader_open_memory(copy, round % 4 ? bytes.nr : bytes.nr * 2 / 3, "x",
					   &reader)) {
			struct found there = found_in(reader, false);
			struct found back = found_in(reader, true);
			/* Both ways the same. */
			assert_int_equal(there.calls.nr, back.calls.nr);
			assert_int_equal(there.lost, back.lost);
			fc_vec_free(&there.calls);
			fc_vec_free(&back.calls);
			fc_reader_close(reader);
		}
		free(copy);
	}
	free(bytes.at);
}

/* ---- outlines ---- */

static size_t count(struct fc_outline *outline, uint8_t kind)
{
	size_t nr = 0;
	for (struct fc_node *node = fc_outline_first(outline); node;
	     node = fc_outline_next(outline, node))
		nr += node->kind == kind;
	return nr;
}

static void work(struct fc_outline *outline)
{
	while (fc_outline_work(outline, fc_clock_mono_ns() + 1000000))
		;
}

static void children_are_read_by_pages(void **state)
{
	struct stream s = long_stream();

	write_trace(in_dir("long.data"), &s, 1);
	struct fc_reader *reader = trace_open(in_dir("long.data"));
	const struct fc_outline_opts opts = { .reader = reader };
	struct fc_outline *outline = fc_outline_create(&opts);
	work(outline);
	struct fc_node *main_call = fc_outline_selected(outline);
	assert_int_equal(main_call->step.func, 1);
	assert_int_equal(count(outline, FC_NODE_STEP), 1);
	fc_outline_unfold(outline, main_call);
	work(outline);
	assert_int_equal(count(outline, FC_NODE_STEP), 6);
	assert_int_equal(count(outline, FC_NODE_LATER), 0);

	/* A hundred thousand leaves: a run in each packet. */
	fc_outline_unfold(outline, main_call->first);
	work(outline);
	uint64_t nr = 0;
	for (struct fc_node *node = main_call->first->first; node; node = node->next)
		nr += node->step.kind == FC_STEP_RUN ? node->step.nr : 1;
	assert_int_equal(nr, 100000);

	/* One of them, a page; then the next, and it stays bounded. */
	struct fc_node *run = main_call->first->first;
	while (run->step.kind != FC_STEP_RUN)
		run = run->next;
	fc_outline_unfold(outline, run);
	work(outline);
	assert_int_equal(run->nr, 200);
	for (int i = 0; i < 12; i++) {
		assert_int_equal(run->last->kind, FC_NODE_LATER);
		fc_outline_select(outline, run->last->prev);
		fc_outline_unfold(outline, run->last);
		work(outline);
	}
	assert_true(run->nr <= 5000);
	assert_int_equal(run->first->kind, FC_NODE_EARLIER);
	struct fc_walk_place first = run->first->next->step.place;
	fc_outline_select(outline, run->first->next);
	fc_outline_unfold(outline, run->first);
	work(outline);
	/* What comes before is what was there: each call once. */
	struct fc_node *node =
		run->first->kind == FC_NODE_EARLIER ? run->first->next : run->first;
	for (; fc_place_compare(node->step.place, first) < 0; node = node->next)
		assert_int_equal(node->next->step.place.record - node->step.place.record, 2);
	assert_int_equal(fc_place_compare(node->step.place, first), 0);
	fc_outline_destroy(outline);
	fc_reader_close(reader);
}

static void a_call_is_revealed(void **state)
{
	struct stream streams[3];

	for (uint32_t i = 0; i < 3; i++) {
		streams[i] = stream_of(i + 1, 100, 100 + (int)i);
		stream_run(&streams[i], 100000);
	}
	write_trace(in_dir("some.data"), streams, 3);
	struct fc_reader *reader = trace_open(in_dir("some.data"));
	struct kept kept = kept_of(reader);
	const struct fc_outline_opts opts = { .reader = reader };
	struct fc_outline *outline = fc_outline_create(&opts);
	struct fc_walk *walk = fc_outline_walk(outline);
	unsigned seed = 3;
	for (int round = 0; round < 200; round++) {
		const struct fc_call *call =
			&kept.calls.at[(size_t)rand_r(&seed) % kept.calls.nr];
		struct fc_walk_place place;
		uint32_t depth;
		assert_true(fc_walk_find(walk, call->strand - 1, call->begin_tsc, call->func,
					 &place, &depth));
		fc_outline_reveal(outline, call->strand - 1, place, depth);
		work(outline);
		struct fc_node *node = fc_outline_selected(outline);
		assert_int_equal(node->step.func, call->func);
		assert_int_equal(node->step.depth, depth);
		assert_true(node->step.begin_tsc <= call->begin_tsc &&
			    node->step.end_tsc >= call->begin_tsc);
		/* Around it are those that were open. */
		for (node = fc_outline_parent(outline, node); node;
		     node = fc_outline_parent(outline, node)) {
			assert_int_equal(node->step.depth, --depth);
			assert_true(node->step.begin_tsc <= call->begin_tsc &&
				    node->step.end_tsc >= call->begin_tsc);
		}
		assert_int_equal(depth, 0);
	}
	/* The last of all: from there on back there is another one, and none behind. */
	fc_outline_end(outline);
	work(outline);
	assert_null(fc_outline_next(outline, fc_outline_last(outline)));
	assert_non_null(fc_outline_prev(outline, fc_outline_last(outline)));
	fc_outline_home(outline);
	work(outline);
	assert_null(fc_outline_prev(outline, fc_outline_selected(outline)));
	fc_outline_destroy(outline);
	fc_vec_free(&kept.calls);
	fc_reader_close(reader);
}

/* ---- hunts ---- */

static int by_time(const void *a, const void *b)
{
	const struct fc_call *x = a, *y = b;
	BY(begin_tsc);
	BY(strand);
	return 0;
}

static void hunts_find_every_call_in_order(void **state)
{
	struct stream streams[3];
	uint8_t is_wanted[8] = { 0 };

	is_wanted[50 / 8] |= 1 << 50 % 8;
	for (uint32_t i = 0; i < 3; i++) {
		streams[i] = stream_of(i + 1, 100, 100 + (int)i);
		for (int k = 0; k < 50; k++) {
			stream_run(&streams[i], 600);
			stream_add(&streams[i], FC_ENTRY, 50);
		}
	}
	write_trace(in_dir("hunt.data"), streams, 3);
	struct fc_reader *reader = trace_open(in_dir("hunt.data"));
	struct kept kept = kept_of(reader);
	size_t nr = 0;
	for (size_t i = 0; i < kept.calls.nr; i++)
		if (kept.calls.at[i].func == 50)
			kept.calls.at[nr++] = kept.calls.at[i];
	assert_true(nr > 100);
	qsort(kept.calls.at, nr, sizeof(struct fc_call), by_time);
	for (int is_back = 0; is_back < 2; is_back++) {
		struct fc_hunt_opts opts = { .reader = reader,
					     .is_wanted = is_wanted,
					     .nr_ids = 60,
					     .is_back = is_back,
					     .strand = UINT32_MAX,
					     .tsc = is_back ? UINT64_MAX : 0 };
		for (size_t i = 0; i <= nr; i++) {
			struct fc_hunt *hunt = fc_hunt_create(&opts);
			struct fc_hunt_found found;
			int ret = fc_hunt_work(hunt, UINT64_MAX, &found);
			fc_hunt_destroy(hunt);
			assert_int_equal(ret, i < nr);
			if (!ret)
				break;
			const struct fc_call *call = &kept.calls.at[is_back ? nr - 1 - i : i];
			assert_int_equal(found.tsc, call->begin_tsc);
			assert_int_equal(found.strand + 1, call->strand);
			assert_int_equal(found.depth, call->depth);
			opts.tsc = found.tsc;
			opts.strand = found.strand;
			opts.place = found.place;
		}
	}
	fc_vec_free(&kept.calls);
	fc_reader_close(reader);
}

static void expect_values(struct fc_reels *reels, size_t k, uint32_t record, uint32_t func,
			  bool is_result, uint64_t number)
{
	uint32_t nr;
	const uint64_t *words = fc_reels_values(reels, 0, k, record, func, is_result, &nr);
	assert_non_null(words);
	assert_int_equal(nr, 2);
	assert_int_equal(words[1], number);
	assert_null(fc_reels_values(reels, 0, k, record, func + 1, is_result, &nr));
	assert_null(fc_reels_values(reels, 0, k, record, func, !is_result, &nr));
}

/* Calls are the same for who wants no values of them. */
static void expect_same_without(struct fc_reader *reader, size_t nr)
{
	const struct fc_play_opts opts = { .no_values = true };
	struct kept with = kept_of(reader), without = { .sink = with.sink };
	fc_play(reader, &opts, &without.sink);
	assert_int_equal(with.calls.nr, nr);
	assert_int_equal(without.calls.nr, nr);
	for (size_t i = 0; i < nr; i++) {
		assert_non_null(with.calls.at[i].values);
		assert_null(without.calls.at[i].values);
		with.calls.at[i].values = NULL;
		assert_memory_equal(&with.calls.at[i], &without.calls.at[i],
				    sizeof(struct fc_call));
	}
	fc_vec_free(&with.calls);
	fc_vec_free(&without.calls);
}

/* Also where a packet ends between them and their record. */
static void values_are_those_of_their_records(void **state)
{
	enum { CALLS = 100001 };
	struct stream s = stream_of(1, 100, 100);
	for (uint64_t i = 0; i < CALLS; i++) {
		uint32_t func = 1 + i % 5;
		stream_mark(&s, FC_MARK_VALUES, 2, (uint64_t[]){ fca_format(func, false), i });
		stream_add(&s, FC_ENTRY, func);
		if (i % 3 == 0) /* of nobody */
			stream_mark(&s, FC_MARK_VALUES, 2,
				    (uint64_t[]){ fca_format(99, true), 7 });
		stream_mark(&s, FC_MARK_VALUES, 2, (uint64_t[]){ fca_format(func, true), ~i });
		stream_return(&s);
	}
	write_trace(in_dir("values.data"), &s, 1);
	struct fc_reader *reader = trace_open(in_dir("values.data"));
	struct fc_reels *reels = fc_reels_create_with_values(reader, 3);
	uint64_t nr = 0;
	assert_true(fc_reader_nr_packets(reader, 0) > 3);
	for (size_t k = 0; k < fc_reader_nr_packets(reader, 0); k++) {
		uint32_t end = fc_reels_get(reels, 0, k)->nr;
		for (uint32_t r = 0; r < end; r++) {
			bool is_result = fc_reels_get(reels, 0, k)->at[r].kind == FC_EXIT;
			expect_values(reels, k, r, 1 + nr % 5, is_result, is_result ? ~nr : nr);
			nr += is_result;
		}
	}
	assert_int_equal(nr, CALLS);
	expect_same_without(reader, CALLS);
	fc_reels_destroy(reels);
	fc_reader_close(reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_strands_are_walked_both_ways),
		cmocka_unit_test(long_calls_are_walked_past),
		cmocka_unit_test(deep_recursion_is_walked),
		cmocka_unit_test(damaged_packets_are_gaps),
		cmocka_unit_test(children_are_read_by_pages),
		cmocka_unit_test(a_call_is_revealed),
		cmocka_unit_test(hunts_find_every_call_in_order),
		cmocka_unit_test(values_are_those_of_their_records),
	};
	return cmocka_run_group_tests(tests, dir_make, dir_remove);
}
