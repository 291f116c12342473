/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wakings.h - who ended the waits at one lock: calls that wake, beside the waits that ended.
 *
 *	thread 1   wait |----------------|         only 3 woke meanwhile: it was 3
 *	thread 2      wait |-----------------|     3 has woken thread 1: it was 4
 *	thread 3             wake |--|  woke one
 *	thread 4                      wake |--|  woke one
 *
 * Which of several that wait is woken, the kernel promises nobody. So a wait is said to be ended by a
 * thread only if no other could have: where several could, nobody knows which did.
 */
#ifndef FC_READ_LOCKS_WAKINGS_H
#define FC_READ_LOCKS_WAKINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

#define FC_WAKES_ALL UINT64_MAX

/* A call that wakes. */
struct fc_waking {
	uint64_t id;
	int tid;
	uint32_t strand, func;
	bool is_open;	/* its end, and how many it woke, are not known yet */
	bool is_signal; /* no system call: it wakes so many at most */
	uint64_t begin, end;
	uint64_t left; /* it woke, and which is not known */
};

/* A wait that ended as somebody woke it. */
struct fc_woken {
	int tid;
	uint32_t strand;
	bool by_signal;	     /* of these; else of the others */
	int by_tid;	     /* that the kernel says; 0: it does not */
	uint64_t begin, end; /* when it could be woken */
	uint64_t ticks;	     /* how long its thread waited in all */
};

/* Zeroed: none. */
struct fc_wakings {
	FC_VEC(struct fc_waking) list; /* by begin */
	FC_VEC(struct fc_woken) waits; /* nothing was said of */
	uint64_t last_id;
	uint64_t dropped_tsc; /* of those before that some may be missing */
};

enum fc_woken_by {
	FC_WOKEN_BY_ONE,     /* that one */
	FC_WOKEN_BY_SEVERAL, /* more than one thread could have */
	FC_WOKEN_BY_NOBODY,  /* that is traced */
};

/* It begins; returns its id. */
uint64_t fc_wakings_begin(struct fc_wakings *wakings, const struct fc_waking *waking);
/* It has ended, and woke so many. */
void fc_wakings_end(struct fc_wakings *wakings, uint64_t id, uint64_t tsc, uint64_t nr);
void fc_wakings_wait(struct fc_wakings *wakings, const struct fc_woken *wait);
/* Up to then some may not be known. */
void fc_wakings_doubt(struct fc_wakings *wakings, uint64_t tsc);

/*
 * Tell of each wait of which that is known by now: by is NULL if it was not one. oldest_tsc: when the
 * longest of those that are not over began; what woke before is forgotten.
 */
typedef void fc_woken_fn(void *ctx, const struct fc_woken *wait, enum fc_woken_by how,
			 const struct fc_waking *by);
void fc_wakings_tell(struct fc_wakings *wakings, uint64_t oldest_tsc, fc_woken_fn *fn,
		     void *ctx);
/* Nothing comes any more: tell of all. */
void fc_wakings_finish(struct fc_wakings *wakings, fc_woken_fn *fn, void *ctx);
void fc_wakings_deinit(struct fc_wakings *wakings);

#endif
