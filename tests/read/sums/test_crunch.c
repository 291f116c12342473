/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that run a trace in pieces tell the very calls that playing it in order tells. */
#include "calls/play.h"
#include "read/sums/crunch.h"
#include "trace/checksum.h"
#include "trace/packet.h"

#include "rounds.h"
#include "trace/test_trace.h"

/* ---- a sink that keeps all it is told ---- */

/* With its words, which are gone when it was told. */
struct mark {
	struct fc_event event;
	uint64_t words[4];
};

struct kept {
	struct fc_call_sink sink;
	FC_VEC(struct fc_call) calls;
	FC_VEC(struct mark) events;
	int nr_finished;
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
	struct mark mark = { .event = *event };
	memcpy(mark.words, event->words, event->nr_words * sizeof(uint64_t));
	mark.event.words = NULL;
	fc_vec_push(&((struct kept *)sink)->events, mark);
}

static void keep_finish(struct fc_call_sink *sink)
{
	((struct kept *)sink)->nr_finished++;
}

static struct fc_call_sink *keep_create(void *ctx)
{
	struct kept *kept = fc_alloc(sizeof(*kept));
	kept->sink = (struct fc_call_sink){ keep_enter, keep_leave, keep_event, keep_finish };
	return &kept->sink;
}

static void keep_merge(struct fc_call_sink *into, struct fc_call_sink *from)
{
	struct kept *to = (struct kept *)into, *other = (struct kept *)from;
	fc_vec_each (&other->calls, call)
		fc_vec_push(&to->calls, *call);
	fc_vec_each (&other->events, event)
		fc_vec_push(&to->events, *event);
}

static void keep_destroy(struct fc_call_sink *sink)
{
	struct kept *kept = (struct kept *)sink;
	fc_vec_free(&kept->calls);
	fc_vec_free(&kept->events);
	free(kept);
}

static const struct fc_crunch_opts opts = {
	.create = keep_create,
	.merge = keep_merge,
	.destroy = keep_destroy,
};

/* ---- compare ---- */

#define BY(field)                                                                              \
	if (x->field != y->field)                                                              \
	return x->field < y->field ? -1 : 1

static int compare_calls(const void *a, const void *b)
{
	const struct fc_call *x = a, *y = b;
	BY(strand);
	BY(begin_tsc);
	BY(end_tsc);
	BY(depth);
	BY(func);
	BY(caller);
	BY(self_ticks);
	BY(wait_ticks);
	BY(self_wait_ticks);
	BY(is_off_cpu);
	BY(left);
	BY(is_recursive);
	BY(is_inherited);
	BY(is_resumed);
	BY(pid);
	BY(tid);
	return 0;
}

static int compare_events(const void *a, const void *b)
{
	const struct mark *with_words = a, *others = b;
	const struct fc_event *x = &with_words->event, *y = &others->event;
	BY(strand);
	BY(tsc);
	BY(mark);
	BY(kind);
	BY(pid);
	BY(tid);
	BY(func);
	BY(nr_words);
	return memcmp(with_words->words, others->words, sizeof(others->words));
}

static void assert_same(struct kept *a, struct kept *b)
{
	assert_int_equal(a->nr_finished, 1);
	assert_int_equal(b->nr_finished, 1);
	assert_int_equal(a->calls.nr, b->calls.nr);
	assert_int_equal(a->events.nr, b->events.nr);
	if (a->calls.nr) {
		qsort(a->calls.at, a->calls.nr, sizeof(*a->calls.at), compare_calls);
		qsort(b->calls.at, b->calls.nr, sizeof(*b->calls.at), compare_calls);
	}
	if (a->events.nr) {
		qsort(a->events.at, a->events.nr, sizeof(*a->events.at), compare_events);
		qsort(b->events.at, b->events.nr, sizeof(*b->events.at), compare_events);
	}
	for (size_t i = 0; i < a->calls.nr; i++)
		assert_int_equal(compare_calls(&a->calls.at[i], &b->calls.at[i]), 0);
	for (size_t i = 0; i < a->events.nr; i++)
		assert_int_equal(compare_events(&a->events.at[i], &b->events.at[i]), 0);
}

enum how { BY_THREADS, IN_ORDER }; /* how fc_crunch() is to do it */

static void check(struct fc_reader *reader, enum how how)
{
	static const struct fc_play_opts nothing = { 0 };
	struct fc_call_sink *played = keep_create(NULL), *crunched = NULL, *by_threads = NULL;

	int ret = fc_crunch_unordered(reader, &opts, &by_threads);
	assert_int_equal(ret, how == BY_THREADS ? 0 : -EAGAIN);
	if (by_threads)
		keep_destroy(by_threads);
	assert_int_equal(fc_crunch(reader, &opts, &crunched), 0);
	fc_play(reader, &nothing, played);
	assert_same((struct kept *)crunched, (struct kept *)played);
	keep_destroy(crunched);
	keep_destroy(played);
}

static void check_file(const char *path, enum how how)
{
	struct fc_reader *reader = trace_open(path);
	check(reader, how);
	fc_reader_close(reader);
}

/* ---- traces ---- */

enum { PER_PACKET = 30 }; /* records */

/* All that a strand did, in packets of a few records. */
static void write_stream(struct fc_tap *tap, struct stream *s)
{
	while (s->sent < s->words.nr) {
		for (int i = 0; i < PER_PACKET && s->sent < s->words.nr; i++)
			assert_int_equal(stream_send(s, tap, 1), 0);
		tap->tick(tap, s->tsc + 3000000000);
	}
}

static void write_life(struct fc_tap *tap, enum fc_life life, int pid, int tid, uint64_t tsc)
{
	struct fc_life_info info = { life, pid, tid, 1, 0, tsc, "" };
	tap->life(tap, &info);
}

/* One strand of process 7 and how it ended, if it did. */
static void check_stream(struct stream *s, bool has_ended, enum how how)
{
	struct fc_writer *writer = trace_create(in_dir("one"));
	struct fc_tap *tap = fc_writer_tap(writer);
	if (s->info.id % 4 < 2)
		trace_add_off_cpu(tap);
	write_life(tap, FC_LIFE_START, 7, 7, BEGIN_TSC);
	write_stream(tap, s);
	if (has_ended)
		tap->strand_end(tap, &s->info, s->tsc + 500);
	assert_int_equal(trace_close(writer, 0), 0);
	check_file(in_dir("one"), how);
	stream_free(s);
}

/* Calls and returns, tail calls, pops, entry only and waits, but nothing lost. */
static void run_whole(struct stream *s, size_t nr_steps)
{
	for (size_t i = 0; i < nr_steps; i++) {
		unsigned what = stream_random(s) % 100, func = 1 + stream_random(s) % 40;
		size_t depth = s->stack.nr;
		uint64_t waited = stream_random(s) % 100000;
		if (what < 2)
			stream_add(s, FC_POP, depth ? stream_random(s) % (depth + 3) : 0);
		else if (what < 5)
			stream_add(s, FC_ENTRY_ONLY, 5000 + func);
		else if (what < 7)
			stream_mark(s, FC_MARK_WAITED, 1, &waited);
		else if (what < 11)
			stream_add(s, FC_TAIL, 100000 + func);
		else if (what < 12) /* a call from before the trace began */
			stream_add(s, FC_EXIT, 7000);
		else if (what < 55 && depth)
			stream_return(s);
		else
			stream_add(s, FC_ENTRY, func * func);
	}
}

static void whole_strands_are_cut_into_pieces(void **state)
{
	for (uint32_t i = 1; i <= 30; i++) {
		struct stream s = stream_of(i, 7, 7);
		run_whole(&s, 40 * i);
		check_stream(&s, i % 2, BY_THREADS);
	}
}

static void lost_records_are_told_alike(void **state)
{
	for (uint32_t i = 1; i <= 30; i++) {
		struct stream s = stream_of(i, 7, 7);
		stream_run(&s, 1500);
		check_stream(&s, i % 2, BY_THREADS);
	}
}

static void calls_of_a_gap_are_left_alike(void **state)
{
	for (uint32_t i = 1; i <= 10; i++) {
		struct stream s = stream_of(i, 7, 7);
		uint64_t lost[2] = { 100, 1 };
		run_whole(&s, 200);
		lost[1] = s.stack.nr + 1 + i; /* more are open than before */
		stream_mark(&s, FC_MARK_LOST, 2, lost);
		for (uint32_t k = 0; k < i; k++)
			stream_add(&s, FC_EXIT, 3000 + k);
		run_whole(&s, 700);
		check_stream(&s, true, BY_THREADS);
	}
}

static void a_gap_of_unknown_depth_closes_nothing(void **state)
{
	struct stream s = stream_of(1, 7, 7);
	uint64_t lost = 3;
	run_whole(&s, 300);
	stream_mark(&s, FC_MARK_LOST, 1, &lost);
	run_whole(&s, 300);
	check_stream(&s, true, BY_THREADS);
}

static void deep_recursion_is_not_cut_but_told_alike(void **state)
{
	struct stream s = stream_of(1, 7, 7);
	for (int i = 0; i < 3000; i++)
		stream_add(&s, FC_ENTRY, 1 + (unsigned)i % 3);
	for (int i = 0; i < 2950; i++)
		stream_return(&s);
	run_whole(&s, 500);
	check_stream(&s, true, BY_THREADS);
}

static void what_a_child_inherited_stays_so_in_later_pieces(void **state)
{
	for (int is_known = 0; is_known < 2; is_known++) {
		struct stream s = stream_of(1, 7, 7);
		uint64_t fork[2] = { 1, is_known ? 6 : 0 }, waited = 77;
		stream_mark(&s, FC_MARK_FORK, 2, fork);
		for (unsigned i = 1; i <= 5; i++) {
			stream_add(&s, FC_ENTRY, i);
			stream_mark(&s, FC_MARK_WAITED, 1, &waited);
		}
		if (!is_known)
			stream_return(&s);
		run_whole(&s, 600);
		while (s.stack.nr)
			stream_return(&s);
		check_stream(&s, true, BY_THREADS);
	}
}

static void calls_with_no_known_begin_stay_so_in_later_pieces(void **state)
{
	struct stream s = stream_of(1, 7, 7);
	uint64_t resume[3] = { 1000, 4, 2 };
	for (int times = 0; times < 3; times++) {
		stream_mark(&s, FC_MARK_RESUME, 3, resume);
		s.stack.nr = 0;
		for (unsigned i = 0; i < 3; i++)
			stream_add(&s, FC_ENTRY, i); /* an unknown function, too */
		run_whole(&s, 500);
	}
	check_stream(&s, true, BY_THREADS);
}

/* Then the next piece would not know of which calls the begin is not known. */
static void a_piece_that_ends_among_inherited_calls_is_played_in_order(void **state)
{
	struct stream s = stream_of(1, 7, 7);
	uint64_t fork[2] = { 1, 901 };
	stream_mark(&s, FC_MARK_FORK, 2, fork);
	for (unsigned i = 1; i <= 900; i++)
		stream_add(&s, FC_ENTRY, i);
	run_whole(&s, 600);
	check_stream(&s, true, IN_ORDER);
}

/* Processes and threads end between, within and behind what their strands did. */
static void ends_of_threads_and_processes_end_calls_alike(void **state)
{
	static const enum fc_life lives[] = { FC_LIFE_EXIT, FC_LIFE_EXEC, FC_LIFE_THREAD_EXIT,
					      FC_LIFE_THREAD_START };
	for (int seed = 1; seed <= rounds(20, 40); seed++) {
		struct stream s[4];
		struct fc_writer *writer = trace_create(in_dir("ends"));
		struct fc_tap *tap = fc_writer_tap(writer);
		struct stream dice = stream_of((uint32_t)seed, 0, 0);
		uint64_t longest = 0;
		if (seed % 2)
			trace_add_off_cpu(tap);
		for (uint32_t i = 0; i < 4; i++) {
			s[i] = stream_of(i + 1, 7 + (int)i / 2, 7 + (int)i);
			run_whole(&s[i], 300 + stream_random(&dice) % 300);
			uint64_t ticks = s[i].tsc - BEGIN_TSC;
			longest = ticks > longest ? ticks : longest;
		}
		for (unsigned k = 0; k < (unsigned)seed % 6; k++) {
			uint64_t at = stream_random(&dice) % (longest + longest / 2);
			int tid = 7 + (int)(stream_random(&dice) % 4);
			write_life(tap, lives[stream_random(&dice) % 4], 7 + (tid - 7) / 2, tid,
				   BEGIN_TSC + at);
		}
		for (uint32_t i = 0; i < 4; i++) {
			write_stream(tap, &s[i]);
			if (stream_random(&dice) % 2)
				tap->strand_end(tap, &s[i].info, s[i].tsc + 5000);
			stream_free(&s[i]);
		}
		assert_int_equal(trace_close(writer, 0), 0);
		check_file(in_dir("ends"), BY_THREADS);
	}
}

static void full_packets_are_run_alike(void **state)
{
	struct stream s[2] = { stream_of(1, 7, 7), stream_of(2, 7, 8) };
	struct fc_writer *writer = trace_create(in_dir("full"));
	struct fc_tap *tap = fc_writer_tap(writer);
	for (int i = 0; i < 2; i++) {
		run_whole(&s[i], 400000);
		while (s[i].sent < s[i].words.nr)
			assert_int_equal(stream_send(&s[i], tap, 4096), 0);
		stream_free(&s[i]);
	}
	assert_int_equal(trace_close(writer, 0), 0);
	check_file(in_dir("full"), BY_THREADS);
}

static void a_trace_without_events_has_no_calls(void **state)
{
	struct fc_writer *writer = trace_create(in_dir("empty"));
	assert_int_equal(trace_close(writer, 0), 0);
	check_file(in_dir("empty"), BY_THREADS);
}

/* ---- groups ---- */

static void assert_inner_is_recursive(struct fc_call_sink *sink)
{
	const struct kept *kept = (struct kept *)sink;
	assert_int_equal(kept->calls.nr, 3);
	for (int i = 0; i < 3; i++)
		assert_int_equal(kept->calls.at[i].is_recursive, kept->calls.at[i].func == 3);
	keep_destroy(sink);
}

static void recursion_is_that_of_the_group(void **state)
{
	struct stream s = stream_of(1, 7, 7);
	struct fc_writer *writer = trace_create(in_dir("groups"));
	struct fc_crunch_opts grouped = opts;
	uint32_t *group = fc_alloc((FC_FUNC_MAX + 1) * sizeof(*group));
	struct fc_play_opts in_order = { .group = group };
	struct fc_call_sink *sink = NULL;

	stream_add(&s, FC_ENTRY, 1);
	stream_add(&s, FC_ENTRY, 2);
	stream_add(&s, FC_ENTRY, 3);
	for (int i = 0; i < 3; i++)
		stream_return(&s);
	write_stream(fc_writer_tap(writer), &s);
	assert_int_equal(trace_close(writer, 0), 0);
	group[1] = group[3] = 5;
	group[2] = 6;
	grouped.group = group;
	struct fc_reader *reader = trace_open(in_dir("groups"));
	assert_int_equal(fc_crunch(reader, &grouped, &sink), 0);
	assert_inner_is_recursive(sink);
	sink = keep_create(NULL);
	fc_play(reader, &in_order, sink);
	assert_inner_is_recursive(sink);
	fc_reader_close(reader);
	stream_free(&s);
	free(group);
}

/* ---- damage ---- */

static struct file_bytes damaged_source(void)
{
	struct stream s[3];
	struct fc_writer *writer = trace_create(in_dir("sound"));
	struct fc_tap *tap = fc_writer_tap(writer);
	trace_add_off_cpu(tap);
	for (uint32_t i = 0; i < 3; i++) {
		s[i] = stream_of(i + 1, 7, 7 + (int)i);
		stream_run(&s[i], 600);
		write_stream(tap, &s[i]);
		tap->strand_end(tap, &s[i].info, s[i].tsc);
		stream_free(&s[i]);
	}
	write_life(tap, FC_LIFE_THREAD_EXIT, 7, 8, BEGIN_TSC + 40000);
	assert_int_equal(trace_close(writer, 0), 0);
	return file_read(in_dir("sound"));
}

/* Whoever did it; fc_crunch() must not be misled by what its threads could not do. */
static void check_bytes(const uint8_t *bytes, size_t nr)
{
	static const struct fc_play_opts nothing = { 0 };
	struct fc_reader *reader = NULL;
	struct fc_call_sink *played, *crunched = NULL;

	if (fc_reader_open_memory(bytes, nr, "bytes", &reader))
		return;
	assert_int_equal(fc_crunch(reader, &opts, &crunched), 0);
	/* A reader leaves out what it once found damaged: another one, which knows of nothing. */
	fc_reader_close(reader);
	assert_int_equal(fc_reader_open_memory(bytes, nr, "bytes", &reader), 0);
	played = keep_create(NULL);
	fc_play(reader, &nothing, played);
	assert_same((struct kept *)crunched, (struct kept *)played);
	keep_destroy(crunched);
	keep_destroy(played);
	fc_reader_close(reader);
}

static void a_file_that_was_cut_is_told_alike(void **state)
{
	struct file_bytes file = damaged_source();
	for (size_t nr = 0; nr < file.nr; nr += (size_t)rounds(41, 13))
		check_bytes(file.at, nr);
	free(file.at);
}

static void damaged_packets_are_told_alike(void **state)
{
	struct file_bytes file = damaged_source();
	struct stream dice = stream_of(99, 0, 0);
	for (int i = 0; i < rounds(150, 400); i++) {
		size_t at = (size_t)stream_random(&dice) * 251 % file.nr;
		uint8_t was = file.at[at];
		file.at[at] ^= (uint8_t)(1 + stream_random(&dice) % 255);
		check_bytes(file.at, file.nr);
		file.at[at] = was;
	}
	free(file.at);
}

/* As a forger would: the checksum is right, what is in the packet is not. */
static void packets_that_are_wrong_inside_are_told_alike(void **state)
{
	struct file_bytes file = damaged_source();
	struct stream dice = stream_of(98, 0, 0);
	struct fc_packet packet;
	for (size_t off = FC_FILE_HEAD; !fc_packet_at(file.at, file.nr, off, &packet);
	     off = fc_packet_end(&packet)) {
		if (packet.kind != FC_PACKET_EVENTS)
			continue;
		uint8_t head[FC_PACKET_HEAD], *stored = file.at + off + FC_PACKET_HEAD;
		memcpy(head, file.at + off, sizeof(head));
		for (int i = 0; i < rounds(8, 20); i++) {
			size_t at = stream_random(&dice) % packet.stored_len;
			uint8_t was = stored[at];
			stored[at] ^= (uint8_t)(1 + stream_random(&dice) % 255);
			fc_packet_head_put(file.at + off, &packet,
					   fc_checksum(stored, packet.stored_len));
			check_bytes(file.at, file.nr);
			stored[at] = was;
		}
		memcpy(file.at + off, head, sizeof(head));
	}
	free(file.at);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_strands_are_cut_into_pieces),
		cmocka_unit_test(lost_records_are_told_alike),
		cmocka_unit_test(calls_of_a_gap_are_left_alike),
		cmocka_unit_test(a_gap_of_unknown_depth_closes_nothing),
		cmocka_unit_test(deep_recursion_is_not_cut_but_told_alike),
		cmocka_unit_test(what_a_child_inherited_stays_so_in_later_pieces),
		cmocka_unit_test(calls_with_no_known_begin_stay_so_in_later_pieces),
		cmocka_unit_test(a_piece_that_ends_among_inherited_calls_is_played_in_order),
		cmocka_unit_test(ends_of_threads_and_processes_end_calls_alike),
		cmocka_unit_test(full_packets_are_run_alike),
		cmocka_unit_test(a_trace_without_events_has_no_calls),
		cmocka_unit_test(recursion_is_that_of_the_group),
		cmocka_unit_test(a_file_that_was_cut_is_told_alike),
		cmocka_unit_test(damaged_packets_are_told_alike),
		cmocka_unit_test(packets_that_are_wrong_inside_are_told_alike),
	};
	return cmocka_run_group_tests(tests, dir_make, dir_remove);
}
