/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What draining costs: records of a trace, written into rings again as fast as memory allows,
 * and taken out by the very code that records.
 *
 *   drain TRACE OUT [MILLIONS]
 *
 *   writer 1 --ring 1--\
 *                       drain's thread --> OUT
 *   writer 2 --ring 2--/
 *
 * Best of five. The first line is of that; its figure is CPU time of the drain's thread, for two writers
 * and a drain may share two CPUs. The second line is of one thread that fills rings and
 * empties them in turn, and tells the parts.
 */
#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/vec.h"
#include "capture/drain/drain.h"
#include "capture/drain/ring.h"
#include "capture/user/user.h"
#include "trace/encode.h"
#include "trace/file.h"
#include "trace/packets.h"
#include "trace/reader.h"
#include "trace/writer.h"

enum {
	NR_WRITERS = 2,
	RING_WORDS = FC_RING_DEFAULT / 8,
	ROUNDS = 5,		/* the best counts */
	WORDS_MAX = 512 * 1024, /* of a recording; what is longer is cut off */
	STEP = 8192, /* words between two looks at the ring's tail, as in the agent */
	BACK_S = 70, /* replayed time begins so long ago; a tick turns over in 60 s or more */
};

/* What is written again and again: times begin at 0, and calls are all left at its end. */
struct recording {
	FC_VEC(uint64_t) words;
	uint64_t ticks; /* from its begin to where it begins again */
	struct fc_clock clock;
};

__attribute__((noreturn)) static void fail(void)
{
	fprintf(stderr, "drain: %s\n", fc_fail_text());
	exit(1);
}

static double now_s(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double ticks_a_s(const struct fc_clock *clock)
{
	return (double)(clock->tsc1 - clock->tsc0) * 1e9 /
	       (double)(clock->mono1_ns - clock->mono0_ns);
}

/* ---- the recording ---- */

static void recording_add(struct recording *rec, const struct fc_event *event, uint64_t begin)
{
	uint64_t at = event->tsc - begin;
	if (event->kind == FC_MARK) /* of few words, and rare: left out */
		return;
	rec->ticks = at + 64;
	fc_vec_push(&rec->words, fc_record(at, event->func, event->kind));
}

/* From the middle of the trace on, the strand that comes first there. */
static void recording_load(struct recording *rec, const char *path)
{
	struct fc_reader *reader;
	struct fc_cursor *cursor;
	struct fc_totals totals;
	struct fc_event event;
	struct fc_clock now;
	if (fc_reader_open(path, &reader))
		fail();
	fc_clock_start(&now);
	rec->clock = *fc_reader_clock(reader);
	rec->clock.step = now.step; /* recorded and written here */
	fc_reader_totals(reader, &totals);
	uint64_t begin = rec->clock.tsc0 + (rec->clock.tsc1 - rec->clock.tsc0) / 2, strand = 0;
	cursor = fc_cursor_create(reader, &(struct fc_choice){ .from_tsc = begin });
	while (rec->words.nr < WORDS_MAX && fc_cursor_next(cursor, &event)) {
		bool is_first = !strand && event.tsc >= begin;
		if (is_first) {
			strand = event.strand;
			begin = event.tsc;
		}
		if (strand == event.strand)
			recording_add(rec, &event, begin);
	}
	fc_cursor_destroy(cursor);
	fc_reader_close(reader);
	if (rec->words.nr < WORDS_MAX / 64) {
		fprintf(stderr, "drain: %s has too few records for this\n", path);
		exit(1);
	}
	fc_vec_push(&rec->words, fc_record(rec->ticks, 0, FC_POP));
}

/* ---- writers ---- */

struct writer {
	const struct recording *rec;
	struct fca_arena *arena; /* NULL: the drain is the same thread */
	struct fca_ring *ring;
	uint64_t *words;
	uint64_t cursor, end; /* words */
	uint64_t base;	      /* time at which the recording began this time */
	size_t next;	      /* in the recording */
	double cpu_s;
};

static uint64_t room_of(const struct writer *w)
{
	uint64_t tail = __atomic_load_n(&w->ring->tail, __ATOMIC_ACQUIRE);
	return tail + RING_WORDS - w->cursor;
}

static void wait_for_room(struct writer *w)
{
	while (room_of(w) < STEP) {
		uint32_t gate = __atomic_load_n(&w->ring->gate, __ATOMIC_ACQUIRE);
		__atomic_store_n(&w->ring->waiting, 1, __ATOMIC_SEQ_CST);
		if (w->arena->asleep) {
			__atomic_fetch_add(&w->arena->bell, 1, __ATOMIC_SEQ_CST);
			syscall(SYS_futex, &w->arena->bell, FUTEX_WAKE, 1, NULL, NULL, 0);
		}
		struct timespec ms = { .tv_nsec = 50000000 };
		syscall(SYS_futex, &w->ring->gate, FUTEX_WAIT, gate, &ms, NULL, 0);
	}
}

static void write_some(struct writer *w, size_t nr)
{
	for (; nr; nr--) {
		uint64_t word = w->rec->words.at[w->next] + (w->base << FC_RECORD_LOW_BITS);
		__atomic_store_n(&w->words[w->cursor++ % RING_WORDS], word, __ATOMIC_RELEASE);
		if (++w->next == w->rec->words.nr) {
			w->next = 0;
			w->base += w->rec->ticks;
		}
	}
}

static void *writer_run(void *ctx)
{
	struct writer *w = ctx;
	while (w->cursor < w->end) {
		wait_for_room(w);
		write_some(w, STEP);
	}
	w->cpu_s = now_s(CLOCK_THREAD_CPUTIME_ID);
	return NULL;
}

static uint64_t words_for(const struct recording *rec, double millions)
{
	double a_turn = (double)rec->words.nr,
	       s_a_turn = (double)rec->ticks / ticks_a_s(&rec->clock);
	double nr = millions * 1e6 / NR_WRITERS, most = (BACK_S - 10) / s_a_turn * a_turn;
	return (uint64_t)(nr < most ? nr : most) / STEP * STEP;
}

static struct writer writer_of(const struct recording *rec, struct fca_ring *ring,
			       uint64_t *words, double millions)
{
	return (struct writer){
		.rec = rec,
		.ring = ring,
		.words = words,
		.end = words_for(rec, millions),
		.base = fc_clock_tsc() - (uint64_t)(BACK_S * ticks_a_s(&rec->clock)),
	};
}

static void tell(const char *how, double drain_s, uint64_t records, const char *out)
{
	struct stat st;
	if (stat(out, &st))
		st.st_size = 0;
	printf("%-12s %6.2f ns a record, %6.1f M records a second, %.3f byte a record\n", how,
	       drain_s * 1e9 / (double)records, (double)records / drain_s / 1e6,
	       (double)st.st_size / (double)records);
}

/* ---- two writers and the drain's thread ---- */

static struct fc_writer *trace_create(const struct recording *rec, const char *out)
{
	static char *argv[] = { "replayed", NULL };
	struct fc_session session = { .argc = 1, .argv = argv, .options = "" };
	struct fc_writer *writer;
	session.clock = rec->clock;
	if (fc_writer_create(out, &session, &writer))
		fail();
	return writer;
}

struct race {
	double drain_s, lasted_s;
	uint64_t records;
};

static void run_threads(const struct recording *rec, const char *out, double millions,
			struct race *best)
{
	struct fc_writer *trace = trace_create(rec, out);
	struct fc_numbers numbers = { 0 };
	struct fc_drain *drain;
	struct fc_arena *arena;
	struct writer writers[NR_WRITERS];
	pthread_t threads[NR_WRITERS];
	int fd = memfd_create("drain", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd < 0 || fc_drain_start(fc_writer_tap(trace), &numbers, 0, 0, NULL, &drain) ||
	    fc_drain_add(drain, fd, false, 0, &arena))
		fail();
	uint64_t *words = (uint64_t *)((char *)arena->at + FCA_ARENA_HEAD), records = 0;
	for (int i = 0; i < NR_WRITERS; i++) {
		struct fca_ring *ring = &arena->at->rings[i];
		ring->pid = getpid();
		ring->tid = i + 1;
		writers[i] = writer_of(rec, ring, words + (size_t)i * RING_WORDS, millions);
		writers[i].arena = arena->at;
		records += writers[i].end;
		__atomic_store_n(&ring->state, FCA_RING_USED, __ATOMIC_RELEASE);
	}
	__atomic_store_n(&arena->at->nr_rings, NR_WRITERS, __ATOMIC_RELEASE);
	__atomic_store_n(&arena->at->nr_claims, NR_WRITERS, __ATOMIC_RELEASE);
	double others_s = now_s(CLOCK_PROCESS_CPUTIME_ID), begin_s = now_s(CLOCK_MONOTONIC);
	for (int i = 0; i < NR_WRITERS; i++)
		pthread_create(&threads[i], NULL, writer_run, &writers[i]);
	for (int i = 0; i < NR_WRITERS; i++) {
		pthread_join(threads[i], NULL);
		others_s += writers[i].cpu_s;
	}
	fc_drain_release(drain, arena);
	uint64_t lost_by[FCA_NR_LOST];
	if (fc_drain_stop(drain, lost_by))
		fail();
	double all_s = now_s(CLOCK_PROCESS_CPUTIME_ID), end_s = now_s(CLOCK_MONOTONIC);
	struct fc_writer_sums sums;
	struct fc_clock clock = rec->clock;
	if (fc_writer_close(trace, 0, &clock, &sums))
		fail();
	close(fd);
	if (all_s - others_s < best->drain_s) {
		best->drain_s = all_s - others_s;
		best->lasted_s = end_s - begin_s;
		best->records = records;
	}
}

static void tell_threads(const struct race *best, const char *out)
{
	tell("two writers", best->drain_s, best->records, out);
	printf("             lasted %.2f s: %.1f M records a second\n", best->lasted_s,
	       (double)best->records / best->lasted_s / 1e6);
}

/* ---- one thread ---- */

struct parts {
	double take, encode, compress, write; /* s */
	uint64_t records;
};

struct lone {
	struct writer writer;
	struct fca_ring shared;
	struct fc_ring ring;
	struct fc_encoder enc;
};

static double lap(double *since)
{
	double now = now_s(CLOCK_THREAD_CPUTIME_ID), s = now - *since;
	*since = now;
	return s;
}

static void empty_ring(struct lone *s, struct fc_file *file, ZSTD_CCtx *zstd,
		       struct parts *parts)
{
	static uint64_t buffer[16 * 1024];
	static struct fc_bytes payload;
	uint64_t now = s->writer.base + s->writer.rec->ticks;
	double since = now_s(CLOCK_THREAD_CPUTIME_ID);
	size_t nr;
	while ((nr = fc_ring_take(&s->ring, buffer, 16 * 1024))) {
		parts->take += lap(&since);
		for (size_t done = 0; done < nr;) {
			done += fc_encoder_add(&s->enc, buffer + done, nr - done, now);
			parts->encode += lap(&since);
			if (!fc_encoder_is_full(&s->enc))
				continue;
			struct fc_events_head head;
			fc_encoder_finish(&s->enc, zstd, &payload, &head);
			parts->compress += lap(&since);
			fc_file_append(file, FC_PACKET_EVENTS, &payload, &head);
			parts->write += lap(&since);
		}
	}
	parts->take += lap(&since);
}

static double all_of(const struct parts *parts)
{
	return parts->take + parts->encode + parts->compress + parts->write;
}

static unsigned time_shift_of(const char *trace)
{
	struct fc_reader *reader;
	if (fc_reader_open(trace, &reader))
		fail();
	unsigned shift = fc_reader_time_shift(reader);
	fc_reader_close(reader);
	return shift;
}

static void run_alone(const struct recording *rec, const char *out, double millions,
		      unsigned time_shift, struct parts *best)
{
	struct lone *lone = fc_alloc(NR_WRITERS * sizeof(*lone));
	struct fc_seen seen;
	struct fc_file *file;
	struct parts parts = { 0 };
	uint64_t records;
	if (fc_file_create(out, &file))
		fail();
	ZSTD_CCtx *zstd = fc_events_zstd();
	fc_seen_init(&seen);
	for (int i = 0; i < NR_WRITERS; i++) {
		struct lone *s = &lone[i];
		uint64_t *words = fc_alloc(RING_WORDS * sizeof(*words));
		s->writer = writer_of(rec, &s->shared, words, millions);
		fc_ring_init(&s->ring, &s->shared, words, RING_WORDS);
		fc_encoder_init(&s->enc, time_shift, &seen,
				&(struct fc_strand_info){
					.id = (uint32_t)i + 1, .pid = 1, .tid = i + 1 });
	}
	while (lone[0].writer.cursor < lone[0].writer.end)
		for (int i = 0; i < NR_WRITERS; i++) {
			while (room_of(&lone[i].writer) >= STEP)
				write_some(&lone[i].writer, STEP);
			empty_ring(&lone[i], file, zstd, &parts);
		}
	records = lone[0].writer.cursor * NR_WRITERS;
	struct fc_clock clock = rec->clock;
	if (fc_file_close(file, 0, &clock))
		fail();
	for (int i = 0; i < NR_WRITERS; i++) {
		fc_encoder_deinit(&lone[i].enc);
		free(lone[i].writer.words);
	}
	fc_seen_deinit(&seen);
	ZSTD_freeCCtx(zstd);
	free(lone);
	if (all_of(&parts) / (double)records < all_of(best) / (double)best->records) {
		*best = parts;
		best->records = records;
	}
}

static void tell_alone(const struct parts *best, const char *out)
{
	double ns = 1e9 / (double)best->records;
	tell("alone", all_of(best), best->records, out);
	printf("             take %.2f, encode %.2f, compress %.2f, write %.2f ns\n",
	       best->take * ns, best->encode * ns, best->compress * ns, best->write * ns);
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		fprintf(stderr, "usage: drain TRACE OUT [MILLIONS]\n");
		return 2;
	}
	double millions = argc > 3 ? strtod(argv[3], NULL) : 20;
	struct recording rec = { 0 };
	recording_load(&rec, argv[1]);
	struct race race = { .drain_s = 1e9 };
	for (int i = 0; i < ROUNDS; i++)
		run_threads(&rec, argv[2], millions, &race);
	tell_threads(&race, argv[2]);
	struct parts parts = { .take = 1e9, .records = 1 };
	unsigned time_shift = time_shift_of(argv[2]); /* of what the threads wrote */
	for (int i = 0; i < ROUNDS; i++)
		run_alone(&rec, argv[2], millions, time_shift, &parts);
	tell_alone(&parts, argv[2]);
	fc_vec_free(&rec.words);
	return 0;
}
