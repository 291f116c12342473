/* SPDX-License-Identifier: Apache-2.0 */
/* drain_private.h - what the files that make up the drain share. */
#ifndef FC_CAPTURE_DRAIN_DRAIN_PRIVATE_H
#define FC_CAPTURE_DRAIN_DRAIN_PRIVATE_H

#include <pthread.h>
#include <sys/types.h>

#include "capture/drain/drain.h"
#include "capture/drain/ring.h"

enum { FC_BATCH_WORDS = 16 * 1024 };

struct fc_ring_view {
	struct fc_ring ring;
	struct fc_strand_info strand;
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

struct fc_drain {
	struct fc_tap *tap;
	uint32_t nr_counters;	  /* of each ring */
	pthread_mutex_t counting; /* counted, edges, the counters of rings, places of arenas */
	uint64_t *counted;	  /* by function: calls of strands that have ended */
	uint32_t nr_funcs;	  /* ids below this one are in use */
	struct fc_edges *edges;	  /* instead of counted; NULL: it is not */
	pthread_t thread;
	pid_t tracer;
	struct fc_keeper *keeper; /* the tracer's */
	struct fc_ids *ids;
	pthread_mutex_t round; /* held while rings are drained */
	pthread_mutex_t list;  /* the tracer adds and walks, the drain's thread unlinks */
	struct fc_arena *first;
	bool is_stopping;
	uint32_t nr_strands;
	uint64_t ring_words;
	int error; /* of the tap, the first */
	bool was_napping;
	bool is_whole; /* this round is for all rings */
	uint32_t nr_rounds;
	uint64_t nr_words; /* taken; others may look */
	uint64_t nr_lost;  /* of rings that are closed */
	uint64_t buffer[FC_BATCH_WORDS];

	/* With --loss=ring: */
	struct fc_flight *flight; /* NULL: it is not */
	struct fc_dumper *dumper;
	pthread_mutex_t dump; /* of what is asked for, which the tracer waits for */
	pthread_cond_t was_looked;
	char *why;	       /* NULL: no dump is asked for */
	uint64_t round_tsc;    /* when rings were last looked for */
	uint64_t dumped_until; /* no record behind it: nothing new is to be dumped at the end */
	bool has_begun;	       /* a process was hooked: there is something to tell of */
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

/* Nobody has it any more; its words are as they were before the first. */
void fc_drain_free_ring(struct fca_arena *at, uint32_t i, struct fc_ring_view *view);

/* It is drained from now on. */
void fc_drain_link(struct fc_drain *drain, struct fc_arena *arena);

#endif
