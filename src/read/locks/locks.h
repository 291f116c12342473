/* SPDX-License-Identifier: Apache-2.0 */
/*
 * locks.h - a sink that finds the locks of a trace: those that functions of the C library are given
 * (lock_op.h), and words of futex() that are part of none of these.
 *
 * It takes calls in order of time, with their values. A lock is an address in a process: what lies there
 * after it was freed counts as the same one.
 */
#ifndef FC_READ_LOCKS_LOCKS_H
#define FC_READ_LOCKS_LOCKS_H

#include <stddef.h>

#include "calls/call.h"
#include "calls/names.h"
#include "read/locks/lock.h"
#include "values/recorded.h"

struct fc_locks;
/* Both outlive it. values may be NULL: there are none. */
struct fc_locks *fc_locks_create(const struct fc_namer *namer, const struct fc_values *values);
void fc_locks_destroy(struct fc_locks *locks);
struct fc_call_sink *fc_locks_sink(struct fc_locks *locks);
/*
 * From the begin on, who is to be told of each thread that was woken or got a lock that another one released,
 * some time after it went on. It outlives locks.
 */
void fc_locks_tell(struct fc_locks *locks, const struct fc_lock_teller *teller);
/* Between the calls, as fc_play() tells of it. */
void fc_locks_life(struct fc_locks *locks, const struct fc_life_info *life);

/* Locks 0..nr-1, in the order in which they were seen. When the sink's finish() was called. */
size_t fc_locks_nr(const struct fc_locks *locks);
const struct fc_lock *fc_locks_get(const struct fc_locks *locks, size_t i);

/* What was seen, whether somebody waited or not. */
struct fc_locks_seen {
	uint64_t ops;	   /* calls of functions of locks, whose lock is known */
	uint64_t blind;	   /* the same, that were recorded without their arguments */
	uint64_t futexes;  /* calls of futex() */
	uint64_t no_locks; /* waits in it for the end of a thread */
	bool has_gaps;	   /* records were lost */
};
struct fc_locks_seen fc_locks_seen(const struct fc_locks *locks);

#endif
