/* SPDX-License-Identifier: Apache-2.0 */
/* strand.h - one stack's state inside the target. */
#ifndef FC_CAPTURE_AGENT_STRAND_STRAND_H
#define FC_CAPTURE_AGENT_STRAND_STRAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/agent/abi.h"
#include "capture/agent/base/bounds.h"
#include "capture/agent/base/config.h"
#include "capture/agent/fetch.h"
#include "trace/record.h"

enum muted {
	MUTED_NOT = 0,
	MUTED_UNWANTED, /* nobody asked for these calls */
	MUTED_LOST,	/* they cannot be recorded, and are counted */
};

enum { NR_WATCHED = 32, NR_KEPT = 32, SLICE_CAME = 1 };

/* The first page is kept over fork, the second is wiped. */
struct strand {
	struct fca_shadow *shadow_base;
	struct fca_shadow *shadow_end;
	struct fca_shadow
		*attic; /* entries given up whose site was still in place; NULL: none */
	uint64_t low;
	uint64_t high; /* first address above this stack, as far as known */
	struct fca_ring *ring;
	uint32_t generation;		/* the ring's when it was claimed */
	int32_t pid, tid;		/* tid 0: not in use */
	uint32_t is_muted;		/* enum muted */
	struct fca_shadow *shadow_open; /* up to here it may be written */
	uint64_t unwind_slot;		/* return slot of the unwinder at work, 0: none */
	uint64_t leaving;   /* for disarm(): slot of a call whose exit was interrupted */
	uint64_t busy_slot; /* quiet: return slot of the call that the agent works for */
	uint64_t tail_at;   /* how many words of the ring were written at the last TAIL */
	uint64_t tail_stub; /* and the stub that wrote it */
	uint64_t gate_slot; /* return slot of the outermost open gate, 0: none */
	uint64_t has_mates; /* its thread may have other strands */
	uint64_t
		is_told_off; /* the program itself has said so, of its thread (FCA_SWITCH_OFF) */
	struct watched {
		uint64_t slot, tsc;
	} watched[NR_WATCHED]; /* calls that are timed, the outermost first */
	uint64_t nr_watched;
	uint64_t
		spill_low; /* its stack was seen to reach so far below low, where it records nothing:
			       the shadow stack has no room; low: it has */
	uint32_t index;	      /* among all strands */
	uint32_t nr_freed;    /* the arena's, when no ring was free for it; 0: there was one */
	struct bounds bounds; /* of its stack, if they are known; or 0, 0 */
	struct kept {
		uint64_t slot, reg[FCA_MAX_KEPT];
		const struct fca_fetches *result; /* that asks for these */
	} kept[NR_KEPT]; /* for the exits of open calls, the outermost first */
	uint64_t nr_kept;
	/* Within its bounds other stacks were seen, or pages that may be no more. */
	uint64_t is_split;
	uint64_t is_beside; /* its thread has the pointer of another process' (vfork) */
	/*
	 * What unwind_slot held when one began there that copies frames away; SLICE_CAME: it is about
	 * to bring others back. 0: none is at work.
	 */
	uint64_t slice_ret;
	uint64_t is_sliced_within; /* one was called within another one's work */
	uint64_t is_resized;	   /* its shadow stack, at this moment */
	struct left {
		uint64_t slot, to;
	} left; /* a jump to that stack pointer is about to be made there (rewind_left()); to 0: none */
	char unused[FCA_PAGE - (35 + 2 * NR_WATCHED + (2 + FCA_MAX_KEPT) * NR_KEPT) * 8];
	uint64_t room;	 /* FCA_STRAND_ROOM */
	uint64_t thread; /* FCA_STRAND_THREAD: %fs of its thread */
	uint64_t shadow; /* FCA_STRAND_SHADOW: top entry */
	uint64_t self;	 /* FCA_STRAND_SELF */

	uint64_t *cursor; /* FCA_STRAND_CURSOR: a strand's address for stubs */
	uint64_t *limit;
	uint64_t hot_low;
	uint64_t *counts;      /* FCA_STRAND_COUNTS: by function */
	uint64_t is_off;       /* FCA_STRAND_OFF, its lowest byte */
	uint64_t *words;       /* the ring's first; NULL: none, or wiped */
	uint64_t words_before; /* written in earlier rounds of the ring */
	uint64_t *on_limit;    /* the limit as it was when the last gate was closed; or NULL */
	uint64_t waited_until; /* the last wait that was told ended then */

	/* With --loss=ring (segment.c): */
	uint64_t *segment_end;	/* of the segment that is being filled */
	uint64_t nr_segments;	/* begun so far */
	uint64_t nr_mark_words; /* of the words written: those behind the heads of marks */
	uint64_t synced;	/* the last time that the ring tells in full */

	__attribute__((aligned(FCA_PAGE))) char end[];
};

/* What %gs, or the table of threads, has of a strand, and back. */
static inline uint64_t strand_address(const struct strand *s)
{
	return (uint64_t)&s->cursor;
}

static inline struct strand *strand_at(uint64_t address)
{
	return (struct strand *)(address - offsetof(struct strand, cursor));
}

/* A thread's goroutines': it goes where they are. */
static inline bool strand_is_go(const struct strand *s)
{
	return s->bounds.kind == FC_STRAND_GO;
}

/* Is slot of its stack, as far as that was seen? */
static inline bool strand_holds(const struct strand *s, uint64_t slot)
{
	return slot >= s->low && slot < s->high;
}

/* There are gates, and none is open, or the program wants none of it: nothing is to be recorded. */
static inline bool strand_is_shut(const struct strand *s)
{
	return (agent_config.has_gates && !s->gate_slot) || s->is_told_off;
}

#endif
