/* SPDX-License-Identifier: Apache-2.0 */
/*
 * drain.h - the thread that empties the rings of all targets into the tap.
 *
 *   agent --ring--> drain --records()--> tap
 *   agent --bell--> drain --SIGUSR1--> tracer      (a letter: objects were loaded)
 *
 * All but the drain's own thread is the tracer's thread.
 */
#ifndef FC_CAPTURE_DRAIN_DRAIN_H
#define FC_CAPTURE_DRAIN_DRAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "capture/agent/abi.h"
#include "capture/drain/arena.h"
#include "capture/drain/well.h"
#include "trace/source.h"

struct fc_drain;

/*
 * numbers: the session's. ring_bytes: of each ring, as in struct fc_user_opts. nr_counters: of
 * each strand, 0 or FCA_NR_COUNTERS, or FCA_EDGES_WORDS for a table of edges. -errno with a
 * sentence. The calling thread is the tracer: it gets SIGUSR1 for letters. wells: they are started,
 * taken from in each round, and stopped behind the last ring; as in struct fc_user_opts.
 */
int fc_drain_start(struct fc_tap *tap, struct fc_numbers *numbers, uint64_t ring_bytes,
		   uint32_t nr_counters, struct fc_well *const *wells, struct fc_drain **ret);
/* Words of each ring. */
uint64_t fc_drain_ring_words(const struct fc_drain *drain);

/*
 * Give the memfd its size, map it and drain it from now on. is_drop, only_pid: as in
 * struct fca_arena. fd stays the caller's.
 */
int fc_drain_add(struct fc_drain *drain, int fd, bool is_drop, int only_pid,
		 struct fc_arena **ret);

/* Thread own_tid of process number (struct fca_config) is thread tid of process pid here. */
void fc_drain_born(struct fc_drain *drain, uint32_t number, int own_tid, int pid, int tid);

/*
 * Some processes of an arena are to have another one, of the memfd fd, which stays the caller's:
 * the processes for which is_own() is true, and whose threads are held. What their rings hold is
 * copied; *nr_rings is how many there must be. -errno with a sentence. Otherwise nothing is drained
 * until fc_drain_end_split(), which says whether they have it now.
 */
int fc_drain_split(struct fc_drain *drain, struct fc_arena *arena, int fd,
		   bool (*is_own)(void *ctx, int pid), void *ctx, struct fc_arena **ret,
		   uint32_t *nr_rings);
void fc_drain_end_split(struct fc_drain *drain, struct fc_arena *old, struct fc_arena *new,
			bool (*is_own)(void *ctx, int pid), void *ctx, bool is_done);

/*
 * The thread (tid) or all threads of the process (tid 0) have ended. True: some of the thread's
 * strands go on in other threads.
 */
bool fc_drain_gone(struct fc_drain *drain, struct fc_arena *arena, int pid, int tid);

/*
 * A process of the arena cannot be let go, and its agent goes on alone: it is to find what it
 * knows of, as if this fctrace had been killed.
 */
void fc_drain_leave(struct fc_arena *arena);

/* One space less uses the arena; with the last one it is drained and unmapped. */
void fc_drain_release(struct fc_drain *drain, struct fc_arena *arena);

/* Code was mapped into a process of the arena, as fc_places_add() wants it. */
void fc_drain_place(struct fc_drain *drain, struct fc_arena *arena,
		    const struct fc_mapped *place);

/* Function ids below nr_funcs are in use: their counters are summed up. */
void fc_drain_set_funcs(struct fc_drain *drain, uint32_t nr_funcs);
/* Calls counted so far, by function id; returns how many ids. ret has room for all counters. */
uint32_t fc_drain_counts(struct fc_drain *drain, uint64_t *ret);

/*
 * Write what the rings hold now, because of `why`; the tap has dump(). Returns when it has been
 * copied, or after a second if it cannot be yet: the drain's thread writes on.
 */
void fc_drain_dump(struct fc_drain *drain, const char *why);

/* Wait, at most so long, until all that was recorded before has been taken from the rings. */
void fc_drain_catch_up(struct fc_drain *drain, int ms);

struct fc_drain_sums {
	uint64_t nr_words; /* taken from rings: one a record, more for a mark */
	uint64_t nr_lost;  /* records */
};
struct fc_drain_sums fc_drain_sums(struct fc_drain *drain);

/*
 * Drain what is left, end all strands, stop the thread. lost_by: records, as far as the targets
 * have told why. Returns the tap's first error.
 */
int fc_drain_stop(struct fc_drain *drain, uint64_t lost_by[FCA_NR_LOST]);

#endif
