/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lock.h - one lock: who has it, who asks for it, and how long who waited for whom.
 *
 *	fc_lock_ask()    1 asks     |======|                 it waited 7, 5 of these for 2, 2 for 3
 *	fc_lock_hold()   2 has it |------|
 *	                 3 has it         |--|
 *
 * A thread waits for a lock if another one has it meanwhile, or if it slept in futex(). Times are ticks.
 */
#ifndef FC_READ_LOCKS_LOCK_H
#define FC_READ_LOCKS_LOCK_H

#include "read/locks/lock_op.h"
#include "read/locks/wakings.h"

/* What stands in place of a thread. */
enum fc_lock_nobody {
	FC_LOCK_THREAD = 0,  /* it is one */
	FC_LOCK_NOT_TRACED,  /* a thread of which nothing was recorded here */
	FC_LOCK_ONE_OF_MANY, /* several could have woken it: one of them */
	FC_LOCK_TIMEOUT,     /* the wait ended by itself */
	FC_LOCK_INTERRUPTED, /* by a signal */
	FC_LOCK_FAILED,	     /* one of these two */
	FC_LOCK_LEFT,	     /* by cancellation, or a jump */
	FC_LOCK_NOT_OVER,    /* the wait had not ended when recording, or its thread, did */
};

/* What one did in waits for one lock, in one function. */
enum fc_lock_role {
	FC_LOCK_WAITED,
	FC_LOCK_HELD, /* the lock, while others waited: how many did, how long */
	FC_LOCK_WOKE, /* those that waited: how many, how long they had */
	FC_NR_LOCK_ROLES,
};

struct fc_lock_times {
	uint64_t waits, total, longest;
};

struct fc_lock_who {
	int tid;       /* 0: */
	int nobody;    /* enum fc_lock_nobody */
	uint32_t func; /* of the program: which asked for the lock, or woke; 0: none is known */
	/* Of FC_LOCK_HELD: what it was in as the longest of these waits began; 0: it had no lock then. */
	uint32_t doing;
	struct fc_lock_times times;
};

/* A thread, in a strand, in a function of the program. */
struct fc_lock_by {
	int tid;
	uint32_t strand, func;
};

/* One that was woken, or got the lock, and the one that woke it, or released it. */
struct fc_lock_wake {
	int pid, from_tid, to_tid;
	uint32_t from_strand, to_strand;
	uint64_t from_tsc, to_tsc; /* when it was about to, and when the other one went on */
};

/* Who is told of each. */
struct fc_lock_teller {
	void (*tell)(void *ctx, const struct fc_lock_wake *wake);
	void *ctx;
};

struct fc_lock_hold {
	int tid;
	uint32_t func;
	uint32_t depth; /* so often it was taken */
	bool is_shared;
	uint64_t since;
};

/* How a sleep in futex() ended. */
enum fc_lock_sleep {
	FC_LOCK_NO_SLEEP = 0,
	FC_LOCK_SLEEP_WOKEN,
	FC_LOCK_SLEEP_TIMEOUT,
	FC_LOCK_SLEEP_INTERRUPTED,
	FC_LOCK_SLEEP_NOT_OVER,
};

/* While one asks for it, a thread had the lock for so long. */
struct fc_lock_part {
	int tid;
	uint32_t func, doing;
	uint64_t ticks;
};

/* A thread that asks for a lock, from one call of a function to its end. */
struct fc_lock_ask {
	struct fc_lock_ask *next; /* for the same lock */
	int tid;
	uint32_t strand, func;
	bool is_shared;
	bool has_waited;
	uint64_t begin;
	enum fc_lock_sleep sleep; /* the last */
	uint64_t sleep_begin, sleep_end;
	int woken_by; /* in it, last, as the kernel says; 0: it does not */
	FC_VEC(struct fc_lock_part) parts;
};

struct fc_lock {
	int pid;
	enum fc_lock_kind kind;
	uint64_t address;
	uint32_t first_func; /* of the program, that did something with it first */
	uint64_t first_tsc;
	bool has_ops; /* functions that take or release it were seen: its holders are known */
	uint64_t taken;
	struct fc_lock_times times;
	uint64_t longest_tsc; /* when the longest wait began */
	FC_VEC(struct fc_lock_who) who[FC_NR_LOCK_ROLES];

	const struct fc_lock_teller *teller; /* NULL: nobody is told */
	FC_VEC(struct fc_lock_hold) holds;
	struct fc_waking released; /* the last time that nobody had it any more; tid 0: never */
	struct fc_lock_ask *asks;
	struct fc_wakings wakings;
};

/* The ask is the lock's, until its end. */
struct fc_lock_ask *fc_lock_ask(struct fc_lock *lock, struct fc_lock_by by, bool is_shared,
				uint64_t tsc);

/* Just now: what the thread of a hold is doing, for which the ask has to wait. */
void fc_lock_ask_sees(struct fc_lock_ask *ask, const struct fc_lock_hold *hold, uint32_t doing);

/* How an ask ended. */
enum fc_lock_ending {
	FC_LOCK_ENDED, /* as it should */
	FC_LOCK_ENDED_TIMEOUT,
	FC_LOCK_ENDED_INTERRUPTED,
	FC_LOCK_ENDED_FAILED, /* one of these two */
	FC_LOCK_ENDED_LEFT,
	FC_LOCK_ENDED_NEVER,
	FC_LOCK_ENDED_AT_ONCE, /* it did not wait: forget it */
};
void fc_lock_ask_end(struct fc_lock *lock, struct fc_lock_ask *ask, uint64_t tsc,
		     enum fc_lock_ending ending);

/* The thread has got the lock, once more or for the first time. */
void fc_lock_hold(struct fc_lock *lock, struct fc_lock_by by, bool is_shared, uint64_t tsc);
/* It has released it. False: it did not have it. */
bool fc_lock_release(struct fc_lock *lock, struct fc_lock_by by, uint64_t tsc);
/* The same, of a lock that another thread may have taken, and that no others share. */
void fc_lock_release_any(struct fc_lock *lock, struct fc_lock_by by, uint64_t tsc);

/* A thread wakes so many at most, without a system call that was seen. */
void fc_lock_signal(struct fc_lock *lock, struct fc_lock_by by, uint64_t tsc, uint64_t nr);
/* It is about to, by one: until it is told of its end. Returns the waking's id. */
uint64_t fc_lock_wake(struct fc_lock *lock, struct fc_lock_by by, uint64_t tsc);
void fc_lock_wake_end(struct fc_lock *lock, uint64_t id, uint64_t tsc, uint64_t nr);

/* The program that had it in its memory is gone. */
void fc_lock_forget(struct fc_lock *lock);
/*
 * Something that was done up to tsc is not known: this thread (0: any) may have released the lock, and who
 * has woken meanwhile may be another one.
 */
void fc_lock_doubt(struct fc_lock *lock, int tid, uint64_t tsc);
/* Nothing comes any more. */
void fc_lock_finish(struct fc_lock *lock);
void fc_lock_deinit(struct fc_lock *lock);

#endif
