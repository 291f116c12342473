/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tracee.h - the threads and processes that are traced, by their ids. What else is known of them
 * is of whoever traces, by hooks or by steps: both may be the beginning of something larger.
 */
#ifndef FC_CAPTURE_TARGET_TRACEE_H
#define FC_CAPTURE_TARGET_TRACEE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fc_space;

struct fc_process {
	int pid;
	int nr_threads;
	bool is_asked_for;	/* by its id: not a child of such a process */
	struct fc_space *space; /* NULL: runs untraced */
	uint64_t cpu_ns;	/* that it has run, when it was last looked at */
	size_t program; /* the throttle's: which one it executes, from 1 on; 0: not asked */
	uint64_t hooking_ns; /* that its hooks took, since its exec */
	uint64_t cave;	     /* that another controller has left in it; 0: none */
	bool is_dying; /* by a signal that dumps core: its threads stay where they stopped */
	bool is_stuck; /* what is to be taken out of it cannot be */
	int nr_looks;  /* for copies of frames in it */
	struct fc_process *next;
};

enum fc_first_stop {
	FC_FIRST_NONE = 0, /* it has been */
	FC_FIRST_GO,
	FC_FIRST_DETACH,
};

enum fc_awaited {
	FC_AWAITED_TRACEME = 0, /* which fails, and must not (rival.h) */
	FC_AWAITED_FILTER,	/* which may fail (quiet.h) */
};

struct fc_tracee {
	int tid;
	struct fc_process *process; /* NULL: parked, or not to be followed */
	enum fc_first_stop first;
	int maker_pid;	       /* while it is parked: of the process that is to tell of it */
	uint64_t root;	       /* it begins with this strand, 0: with its maker's */
	bool is_held;	       /* stopped at rest until fc_release_all() */
	bool is_group_stopped; /* by SIGSTOP or its like: held or not, it is to stay so */
	bool was_stopped;      /* so, since its last signal */
	bool is_at_start;      /* of a program that is not hooked yet: it stands there */
	bool is_to_rest;       /* the next stop at rest holds it */
	bool has_traceme;      /* it has asked for its parent as its tracer */
	char name[16];	       /* its own, as it was told or seen last; "": not yet */
	char old_name
		[16]; /* as it told of that one, which the kernel may not know yet; "": it does */
	bool sees_calls;	 /* it stops at each system call, at its entry and its end */
	int call_stops;		 /* or only at so many, at most... */
	enum fc_awaited awaited; /* ...to come to this one */
	/*
	 * It has stopped for this signal, which has to wait: it will kill its process, or comes from an
	 * instruction that was moved (user/moved.h). 0: for none.
	 */
	int deadly;
	struct fc_tracee *next;
};

enum { FC_NR_BUCKETS = 256 };

struct fc_tracees {
	struct fc_tracee *bucket[FC_NR_BUCKETS];
	struct fc_process *first;
	size_t nr;
	bool sees_calls; /* new ones do */
	/* Of what begins with a tracee, or with a process; 0: there is nothing more. */
	size_t tracee_size, process_size;
	/*
	 * It is not traced any more, or runs a new program: what hangs on it is given back. NULL:
	 * nothing does.
	 */
	void (*forget)(struct fc_tracee *tracee);
	void (*forget_process)(struct fc_process *process);
};

/* A break leaves one bucket only. */
#define fc_tracees_each(tracees, tracee)                                                       \
	for (int at_ = 0; at_ < FC_NR_BUCKETS; at_++)                                          \
		for (struct fc_tracee *tracee = (tracees)->bucket[at_]; tracee;                \
		     tracee = tracee->next)

/* NULL: there is none, or no thread can have this id. */
struct fc_tracee *fc_tracee_find(struct fc_tracees *tracees, int tid);
/* process may be NULL. */
struct fc_tracee *fc_tracee_add(struct fc_tracees *tracees, int tid,
				struct fc_process *process);
/* It was parked, and is of that process. */
void fc_tracee_enter(struct fc_tracee *tracee, struct fc_process *process);
void fc_tracee_remove(struct fc_tracees *tracees, int tid);
/* The same, and its process goes with its last thread. */
void fc_tracee_leave(struct fc_tracees *tracees, struct fc_tracee *tracee);
/* It has stopped at its birth, and whoever made it has not told yet. */
bool fc_tracee_is_parked(const struct fc_tracee *tracee);

struct fc_process *fc_process_find(struct fc_tracees *tracees, int pid);
struct fc_process *fc_process_add(struct fc_tracees *tracees, int pid);
/* Its process runs a new program: only this thread is left. */
void fc_process_renew(struct fc_tracees *tracees, struct fc_tracee *tracee);
/* Also removes its threads. */
void fc_process_remove(struct fc_tracees *tracees, struct fc_process *process);
void fc_tracees_deinit(struct fc_tracees *tracees);

#endif
