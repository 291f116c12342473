/* SPDX-License-Identifier: Apache-2.0 */
/* What rings hold goes to the tap; or, where calls are counted by caller, their tables do. */
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/drain/drain_private.h"
#include "trace/clock.h"
#include "trace/record.h"

enum {
	PATIENCE = 3, /* naps before an unwritten word with others behind it is passed over */
};

/*
 * By when the words just taken were written. A record's tick turns over every minute or two:
 * after a longer pause of this thread (a terminal that was held), the words are those that
 * filled the ring soon after its beginning.
 */
static uint64_t now_of(const struct fc_ring_view *view)
{
	const uint64_t turn = 1ull << FC_RECORD_TICK_BITS, margin = turn / 256;
	uint64_t now = fc_clock_tsc(), latest = view->seen_tsc + turn - margin;
	return view->seen_tsc && now > latest ? latest : now;
}

/* The records' sink may fail (disk full): the target is drained all the same. */
static void pour(struct fc_drain *drain, struct fc_ring_view *view, const uint64_t *words,
		 size_t nr)
{
	if (!nr)
		return;
	const struct fca_ring *ring = view->ring.shared;
	uint64_t now = now_of(view);
	int ret;
	if (ring && __atomic_load_n(&ring->has_moved, __ATOMIC_RELAXED)) {
		struct fc_moves moves = fc_drain_moves(drain, ring);
		view->strand.kind = fc_ring_kind(ring);
		ret = fc_moves_tell(&moves, drain->tap, &view->strand, words, nr, now);
	} else {
		ret = drain->tap->records(drain->tap, &view->strand, words, nr, now);
	}
	if (ret && !drain->error)
		drain->error = ret;
}

/* For who waits for that: all that the ring's strand wrote before look_tsc has been told. */
static void pour_nothing(struct fc_drain *drain, struct fc_ring_view *view, uint64_t look_tsc)
{
	if (drain->wells && fc_ring_is_empty(&view->ring))
		drain->tap->records(drain->tap, &view->strand, NULL, 0, look_tsc);
}

/* A target that waits for room goes on when half the ring is free. */
static void wake(struct fc_ring_view *view, bool is_empty)
{
	struct fca_ring *ring = view->ring.shared;
	if (!__atomic_load_n(&ring->waiting, __ATOMIC_SEQ_CST) ||
	    (!is_empty && ring->tail - view->woken < view->ring.nr_words / 2))
		return;
	view->woken = ring->tail;
	__atomic_store_n(&ring->waiting, 0, __ATOMIC_SEQ_CST);
	__atomic_fetch_add(&ring->gate, 1, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, &ring->gate, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static size_t records_take(struct fc_drain *drain, struct fc_ring_view *view)
{
	uint64_t look_tsc = fc_clock_tsc();
	size_t nr = fc_ring_take(&view->ring, drain->buffer, FC_BATCH_WORDS);
	view->was_idle = !nr;
	if (nr) {
		view->nr_idle = 0;
		__atomic_store_n(&drain->nr_words, drain->nr_words + nr, __ATOMIC_RELAXED);
		pour(drain, view, drain->buffer, nr);
	} else if (drain->was_napping || view->ring.shared->waiting) {
		/* A handler that waits for room may have interrupted the writer of a word. */
		if (view->ring.shared->waiting || ++view->nr_idle > PATIENCE)
			fc_ring_skip_hole(&view->ring);
	}
	if (!nr)
		pour_nothing(drain, view, look_tsc);
	view->seen_tsc = look_tsc;
	wake(view, !nr);
	return nr;
}

/* The rest of its records. Returns how many it lost that it does not tell of. */
static uint64_t take_rest(struct fc_drain *drain, struct fc_ring_view *view)
{
	const struct fca_ring *ring = view->ring.shared;
	do {
		while (records_take(drain, view))
			;
	} while (fc_ring_skip_hole(&view->ring));
	return ring->lost - ring->lost_told + fc_ring_clear(&view->ring);
}

static void end_strand(struct fc_drain *drain, struct fc_ring_view *view, uint64_t lost)
{
	uint64_t tsc = fc_clock_tsc();
	uint64_t words[] = { fc_record(tsc, fc_mark_func(FC_MARK_LOST, 2), FC_MARK), lost, 1 };
	if (lost)
		pour(drain, view, words, 3);
	drain->tap->strand_end(drain->tap, &view->strand, tsc);
}

static void records_end(struct fc_drain *drain, struct fc_ring_view *view)
{
	end_strand(drain, view, take_rest(drain, view));
}

/* Said on a strand of their own. */
static void records_no_ring(struct fc_drain *drain, uint64_t lost)
{
	struct fc_ring_view view = { .strand = { .id = fc_numbers_strand(drain->numbers) } };
	end_strand(drain, &view, lost);
}

static void nothing(struct fc_drain *drain)
{
}

const struct fc_drain_mode fc_drain_records = {
	.init = nothing,
	.take = records_take,
	.end = records_end,
	.no_ring = records_no_ring,
	.sum_up = fc_drain_sum_funcs,
	.look = nothing,
	.finish = nothing,
	.tell = fc_drain_tell_funcs,
	.deinit = nothing,
};

/* ---- tables of edges: there are no records but marks ---- */

static void edges_init(struct fc_drain *drain)
{
	drain->edges = fc_edges_create();
	drain->max_funcs = 0; /* none has a counter of its own */
}

static void edges_end(struct fc_drain *drain, struct fc_ring_view *view)
{
	fc_edges_lose(drain->edges, take_rest(drain, view));
	end_strand(drain, view, 0);
}

static void edges_no_ring(struct fc_drain *drain, uint64_t lost)
{
	fc_edges_lose(drain->edges, lost);
}

static void edges_sum_up(struct fc_drain *drain, struct fc_arena *arena,
			 const uint64_t *counters)
{
	fc_edges_take(drain->edges, &arena->places, (const struct fca_edges *)counters);
}

static void edges_tell(struct fc_drain *drain)
{
	if (drain->tap->edges)
		fc_edges_tell(drain->edges, drain->tap);
}

static void edges_deinit(struct fc_drain *drain)
{
	fc_edges_destroy(drain->edges);
}

const struct fc_drain_mode fc_drain_edges = {
	.init = edges_init,
	.take = records_take,
	.end = edges_end,
	.no_ring = edges_no_ring,
	.sum_up = edges_sum_up,
	.look = nothing,
	.finish = nothing,
	.tell = edges_tell,
	.deinit = edges_deinit,
};
