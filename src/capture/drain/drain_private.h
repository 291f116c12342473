/* SPDX-License-Identifier: Apache-2.0 */
/* drain_private.h - what the files that make up the drain share. */
#ifndef FC_CAPTURE_DRAIN_DRAIN_PRIVATE_H
#define FC_CAPTURE_DRAIN_DRAIN_PRIVATE_H

#include <pthread.h>
#include <sys/types.h>

#include "capture/drain/drain.h"
#include "capture/drain/moves.h"
#include "capture/drain/ring.h"

enum { FC_BATCH_WORDS = 16 * 1024 };

struct fc_ring_view {
	struct fc_ring ring;
	struct fc_strand_info strand; /* with the thread that its last words were of */
	int first_tid;		      /* the one that it began in */
	bool is_open;
	bool is_closing;   /* set by the tracer */
	uint32_t nr_idle;  /* naps since its last record */
	bool was_idle;	   /* when it was last looked at */
	uint64_t woken;	   /* tail when the target was last woken */
	uint64_t seen_tsc; /* when the ring was last looked at */
};

struct fc_arena_rings {
	uint32_t nr_open, nr_claims; /* when they were last looked for */
	uint32_t open[FCA_MAX_RINGS];
	struct fc_ring_view at[FCA_MAX_RINGS];
};

struct fc_drain;

/* What becomes of what is in the rings. On the drain's thread, but for the first and the last. */
struct fc_drain_mode {
	bool keeps_words; /* a ring is full of records when it ends */
	void (*init)(struct fc_drain *drain);
	/* A ring that is in use, each round: how many words were taken. */
	size_t (*take)(struct fc_drain *drain, struct fc_ring_view *view);
	/* Its strand has ended: what is left, and what was lost. */
	void (*end)(struct fc_drain *drain, struct fc_ring_view *view);
	/* Records for which no ring was free. */
	void (*no_ring)(struct fc_drain *drain, uint64_t lost);
	/* The counters of a ring that has ended, with `counting` held. */
	void (*sum_up)(struct fc_drain *drain, struct fc_arena *arena,
		       const uint64_t *counters);
	/* Behind each round; and when nothing is traced any more, before all rings end. */
	void (*look)(struct fc_drain *drain);
	void (*finish)(struct fc_drain *drain);
	/* What was counted, when that thread has ended. */
	void (*tell)(struct fc_drain *drain);
	void (*deinit)(struct fc_drain *drain);
};

extern const struct fc_drain_mode fc_drain_records, fc_drain_edges, fc_drain_flight;

struct fc_drain {
	struct fc_tap *tap;
	struct fc_numbers *numbers; /* the session's */
	struct fc_well *const *wells;
	const struct fc_drain_mode *mode;
	struct fc_edges *edges;	      /* of fc_drain_edges */
	struct fc_recorder *recorder; /* of fc_drain_flight */
	uint32_t nr_counters;	      /* of each ring */
	pthread_mutex_t counting; /* counted, edges, the counters of rings, places of arenas */
	uint64_t *counted;	  /* by function: calls of strands that have ended */
	uint32_t nr_funcs;	  /* ids below this one are in use... */
	uint32_t max_funcs;	  /* ...and no more than these have a counter */
	pthread_t thread;
	pid_t tracer;
	struct fc_keeper *keeper; /* the tracer's */
	struct fc_ids *ids;
	pthread_mutex_t round; /* held while rings are drained */
	pthread_mutex_t list;  /* the tracer adds and walks, the drain's thread unlinks */
	struct fc_arena *first;
	bool is_stopping;
	uint64_t ring_words;
	int error; /* of the tap, the first */
	bool was_napping;
	bool is_whole; /* this round is for all rings */
	uint32_t nr_rounds;
	uint64_t nr_words; /* taken; others may look */
	uint64_t nr_lost;  /* of rings that are closed */
	uint64_t buffer[FC_BATCH_WORDS];

	uint64_t round_tsc;	       /* when rings were last looked for */
	bool has_begun;		       /* a process was hooked: there is something to tell of */
	uint64_t lost_by[FCA_NR_LOST]; /* as struct fca_arena's, of those that are gone */
};

/* Bytes of an arena; of a ring with its counters; and where those of ring i are. */
size_t fc_drain_arena_size(const struct fc_drain *drain);
size_t fc_drain_ring_size(const struct fc_drain *drain);
uint64_t *fc_drain_words(const struct fc_drain *drain, const struct fc_arena *arena,
			 uint32_t i);

/* Rings that may be in use: no more than the arena has, whatever it says. */
uint32_t fc_drain_count_rings(const struct fc_drain *drain, const struct fc_arena *arena);

/* Whose ring it is, as its agent says. */
void fc_drain_find_ids(struct fc_drain *drain, const struct fca_ring *ring, int *pid, int *tid);

/* Where its threads are found. */
struct fc_moves fc_drain_moves(struct fc_drain *drain, const struct fca_ring *ring);

/* Nobody has it any more; its words are as they were before the first. */
void fc_drain_free_ring(struct fca_arena *at, uint32_t i, struct fc_ring_view *view);

/* For a mode: counters are by function. */
void fc_drain_sum_funcs(struct fc_drain *drain, struct fc_arena *arena,
			const uint64_t *counters);
void fc_drain_tell_funcs(struct fc_drain *drain);

/* On the drain's thread: look at all rings once, returns the words taken; end released arenas. */
size_t fc_drain_all(struct fc_drain *drain);
void fc_drain_reap(struct fc_drain *drain);
/* Any thread: that one sleeps no longer. */
void fc_drain_ring_bell(struct fc_drain *drain);

/* It is drained from now on. */
void fc_drain_link(struct fc_drain *drain, struct fc_arena *arena);

#endif
