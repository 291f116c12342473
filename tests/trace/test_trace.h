/* SPDX-License-Identifier: Apache-2.0 */
/* test_trace.h - streams of ring words made up for tests, and traces made of them. */
#ifndef FC_TEST_TRACE_H
#define FC_TEST_TRACE_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/vec.h"
#include "trace/reader.h"
#include "trace/writer.h"

#define QUANTUM_MASK (~7ull) /* a 2.3 GHz clock has a time shift of 3 */
#define BEGIN_TSC    5000000000ull

/* What a strand did: its ring words, and the events that must come back. */
struct stream {
	struct fc_strand_info info;
	uint64_t tsc;
	FC_VEC(uint64_t) words;
	FC_VEC(struct fc_event) events;
	FC_VEC(uint64_t *) kept; /* the events' words */
	FC_VEC(uint32_t) stack; /* the first functions of the open calls */
	size_t sent;		/* words */
	unsigned seed;
};

static inline unsigned stream_random(struct stream *s)
{
	s->seed = s->seed * 1103515245u + 12345u;
	return s->seed >> 8;
}

static inline struct stream stream_of(uint32_t id, int pid, int tid)
{
	return (struct stream){ .info = { id, pid, tid },
				.tsc = BEGIN_TSC + id,
				.seed = id };
}

static inline void stream_free(struct stream *s)
{
	fc_vec_free(&s->words);
	fc_vec_free(&s->events);
	fc_vec_each (&s->kept, words)
		free(*words);
	fc_vec_free(&s->kept);
	fc_vec_free(&s->stack);
}

static inline struct fc_event *stream_expect(struct stream *s, uint8_t kind,
					     uint32_t func)
{
	struct fc_event event = {
		.tsc = s->tsc & QUANTUM_MASK,
		.strand = s->info.id,
		.pid = s->info.pid,
		.tid = s->info.tid,
		.func = func,
		.kind = kind,
	};
	fc_vec_push(&s->events, event);
	return &s->events.at[s->events.nr - 1];
}

static inline void stream_add(struct stream *s, enum fc_kind kind, uint32_t func)
{
	fc_vec_push(&s->words, fc_record(s->tsc, func, kind));
	stream_expect(s, (uint8_t)kind, func);
	if (kind == FC_ENTRY || (kind == FC_TAIL && !s->stack.nr))
		fc_vec_push(&s->stack, func);
	if (kind == FC_EXIT && s->stack.nr)
		s->stack.nr--;
	if (kind == FC_POP)
		s->stack.nr = func < s->stack.nr ? func : s->stack.nr;
	s->tsc += 20 + stream_random(s) % 300;
}

static inline void stream_mark(struct stream *s, enum fc_mark mark, uint32_t nr,
			       const uint64_t *words)
{
	fc_vec_push(&s->words, fc_record(s->tsc, fc_mark_func(mark, nr), FC_MARK));
	struct fc_event *event = stream_expect(s, FC_MARK, 0);
	event->mark = (uint8_t)mark;
	uint64_t *kept = fc_alloc(nr * sizeof(*kept));
	fc_vec_push(&s->kept, kept);
	for (uint32_t i = 0; i < nr; i++) {
		fc_vec_push(&s->words, words[i]);
		kept[i] = words[i];
	}
	event->words = kept;
	event->nr_words = (uint8_t)nr;
	if (mark == FC_MARK_LOST && nr >= 2 && words[1] && words[1] - 1 < s->stack.nr)
		s->stack.nr = words[1] - 1;
	s->tsc += 50;
}

/* The innermost call returns by the stub of the function that was entered. */
static inline void stream_return(struct stream *s)
{
	stream_add(s, FC_EXIT, s->stack.at[s->stack.nr - 1]);
}

/* A little of everything that a target does, mostly calls and returns. */
static inline void stream_step(struct stream *s)
{
	unsigned what = stream_random(s) % 100, func = 1 + stream_random(s) % 40;
	size_t depth = s->stack.nr;
	uint64_t lost[2] = { 1 + stream_random(s) % 1000,
			     1 + (depth ? stream_random(s) % depth : 0) };
	uint64_t waited = stream_random(s) % 100000;
	uint64_t four[4] = { s->tsc, 1, UINT64_MAX, 4 };

	if (what < 2)
		stream_add(s, FC_POP, depth ? stream_random(s) % depth : 0);
	else if (what < 5)
		stream_add(s, FC_ENTRY_ONLY, 5000 + func);
	else if (what < 6 && stream_random(s) % 20 == 0)
		stream_mark(s, FC_MARK_LOST, 2, lost);
	else if (what < 7 && stream_random(s) % 20 == 0)
		stream_mark(s, FC_MARK_SYNC, 4, four);
	else if (what < 8 && stream_random(s) % 20 == 0)
		stream_mark(s, FC_MARK_WAITED, 1, &waited);
	else if (what < 11 && depth)
		stream_add(s, FC_TAIL, 100000 + func);
	else if (what < 55 && depth)
		stream_return(s);
	else if (depth < 60)
		stream_add(s, FC_ENTRY, func * func);
	else
		stream_return(s);
}

static inline void stream_run(struct stream *s, size_t nr_steps)
{
	for (size_t i = 0; i < nr_steps; i++)
		stream_step(s);
}

/* Give the next words up to (not into the middle of) a record behind about nr words. */
static inline int stream_send(struct stream *s, struct fc_tap *tap, size_t nr)
{
	size_t end = s->sent;
	while (end < s->words.nr && end - s->sent < nr)
		end += 1 + fc_record_words(s->words.at[end]);
	int ret =
		tap->records(tap, &s->info, s->words.at + s->sent, end - s->sent, s->tsc);
	s->sent = end;
	return ret;
}

static inline uint64_t stream_lost(const struct stream *s)
{
	uint64_t lost = 0;
	for (size_t i = 0; i < s->events.nr; i++)
		if (s->events.at[i].kind == FC_MARK &&
		    s->events.at[i].mark == FC_MARK_LOST)
			lost += fc_event_word(&s->events.at[i], 0);
	return lost;
}

static inline uint64_t stream_marks(const struct stream *s)
{
	uint64_t marks = 0;
	for (size_t i = 0; i < s->events.nr; i++)
		marks += s->events.at[i].kind == FC_MARK;
	return marks;
}

/* Returns how many waits there were. */
static inline uint64_t stream_waits(const struct stream *s, uint64_t *ticks)
{
	uint64_t waits = 0;
	*ticks = 0;
	for (size_t i = 0; i < s->events.nr; i++) {
		const struct fc_event *event = &s->events.at[i];
		if (event->kind != FC_MARK || event->mark != FC_MARK_WAITED)
			continue;
		waits++;
		*ticks += fc_event_word(event, 0);
	}
	return waits;
}

static inline uint64_t stream_calls(const struct stream *s)
{
	uint64_t calls = 0;
	for (size_t i = 0; i < s->events.nr; i++) {
		uint8_t kind = s->events.at[i].kind;
		calls += kind == FC_ENTRY || kind == FC_TAIL || kind == FC_ENTRY_ONLY;
	}
	return calls;
}

/* ---- traces ---- */

static inline struct fc_clock test_clock(void)
{
	return (struct fc_clock){ .tsc0 = BEGIN_TSC - 1000,
				  .mono0_ns = 77000000000,
				  .real0_ns = 1700000000000000000,
				  .tsc1 = BEGIN_TSC - 1000 + 2300000000,
				  .mono1_ns = 78000000000 };
}

static inline struct fc_writer *trace_create(const char *path)
{
	static char *argv[] = { "prog", "an argument", NULL };
	struct fc_session session = {
		.argc = 2,
		.argv = argv,
		.options = "record --libs=all",
		.clock = test_clock(),
	};
	struct fc_writer *writer = NULL;
	if (fc_writer_create(path, &session, &writer))
		fail_msg("%s", fc_fail_text());
	return writer;
}

/* Some functions of stream_step() stand for time off the CPU. */
static inline void trace_add_off_cpu(struct fc_tap *tap)
{
	static const struct fc_func_info funcs[] = {
		{ .name = "asleep", .id = 16, .how = FC_HOW_HOOKED, .why = "test" },
		{ .name = "runnable", .id = 25, .how = FC_HOW_HOOKED, .why = "test" },
		{ .name = "stopped", .id = 100009, .how = FC_HOW_HOOKED, .why = "test" },
	};
	static const struct fc_module_info module = { 1, FC_OFF_CPU_MODULE, "", funcs, 3 };
	assert_int_equal(tap->module(tap, &module), 0);
}

static inline int trace_close(struct fc_writer *writer, int status)
{
	struct fc_clock clock = test_clock();
	struct fc_writer_sums sums;
	return fc_writer_close(writer, status, &clock, &sums);
}

static inline struct fc_reader *trace_open(const char *path)
{
	struct fc_reader *reader = NULL;
	if (fc_reader_open(path, &reader))
		fail_msg("%s", fc_fail_text());
	return reader;
}

/* A folder of its own for each test program, gone at its end. */
static char test_dir[64];

static inline const char *in_dir(const char *name)
{
	static char path[4][256];
	static unsigned next;
	char *to = path[next++ % 4];
	snprintf(to, sizeof(path[0]), "%s/%s", test_dir, name);
	return to;
}

static inline int dir_make(void **state)
{
	snprintf(test_dir, sizeof(test_dir), "/tmp/fctrace-test-XXXXXX");
	return mkdtemp(test_dir) ? 0 : -1;
}

static inline int dir_remove(void **state)
{
	char *command = fc_asprintf("rm -rf %s", test_dir);
	int ret = system(command);
	free(command);
	return ret;
}

struct file_bytes {
	uint8_t *at;
	size_t nr;
};

static inline struct file_bytes file_read(const char *path)
{
	struct file_bytes bytes = { 0 };
	FILE *f = fopen(path, "rb");
	assert_non_null(f);
	fseek(f, 0, SEEK_END);
	bytes.nr = (size_t)ftell(f);
	rewind(f);
	bytes.at = fc_alloc(bytes.nr);
	assert_int_equal(fread(bytes.at, 1, bytes.nr, f), bytes.nr);
	fclose(f);
	return bytes;
}

static inline void file_write(const char *path, const void *bytes, size_t nr)
{
	FILE *f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, nr, f), nr);
	fclose(f);
}

#endif
