/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lock_op.h - what functions do to locks, by their names.
 *
 * These are functions of the C library, whose names POSIX reserves, and the system call futex(). Those of
 * C11 (mtx_lock(), cnd_wait()) call them.
 */
#ifndef FC_READ_LOCKS_LOCK_OP_H
#define FC_READ_LOCKS_LOCK_OP_H

#include <stddef.h>

#include "calls/names.h"

enum fc_lock_kind {
	FC_LOCK_FUTEX = 0, /* a word that threads wait at; what it is part of is not known */
	FC_LOCK_MUTEX,
	FC_LOCK_RWLOCK,
	FC_LOCK_SPIN,
	FC_LOCK_COND,
	FC_LOCK_SEM,
	FC_LOCK_BARRIER,
	FC_NR_LOCKS,
};

enum fc_lock_act {
	FC_LOCK_TAKE,	  /* waits until it has the lock */
	FC_LOCK_TRY,	  /* takes it at once, or fails */
	FC_LOCK_RELEASE,  /* the lock that its thread has */
	FC_LOCK_WAIT,	  /* waits until another thread signals; nobody has such a lock */
	FC_LOCK_WAKE_ONE, /* signals */
	FC_LOCK_WAKE_ALL,
	FC_LOCK_MEET, /* signals, and waits until enough others do */
	FC_LOCK_CALL, /* futex(): its arguments say what it does */
	FC_LOCK_JOIN, /* waits for the end of a thread: there is no lock */
	FC_LOCK_OFF, /* it stands for time off the CPU: its result says who ended that, or nothing */
};

struct fc_lock_op {
	const char *name; /* without the _ in front */
	enum fc_lock_kind kind;
	enum fc_lock_act act;
	bool is_shared; /* together with others that are */
	bool may_fail;	/* waits for some time only */
	bool has_mutex; /* argument 2: it is released meanwhile */
};

/* NULL: it does nothing to locks. */
const struct fc_lock_op *fc_lock_op_find(struct fc_name name);

/* The i-th of the functions, but for futex(); NULL: there are no more. */
const char *fc_lock_op_name(size_t i);

/* "mutex"; and bytes of such an object in the C libraries that are known. */
const char *fc_lock_word(enum fc_lock_kind kind);
uint32_t fc_lock_size(enum fc_lock_kind kind);
/* Does a thread have such a lock, while others wait for it? */
bool fc_lock_has_holder(enum fc_lock_kind kind);

/*
 * Does this function take locks on behalf of others, which are of interest? Those of the C library, and of the
 * standard libraries of C++ and Rust, which are in the program itself, too.
 */
bool fc_lock_is_runtime(struct fc_name name);

#endif
