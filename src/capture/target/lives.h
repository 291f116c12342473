/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lives.h - births, execs and deaths of what is traced, as ptrace tells of them.
 *
 *	its maker's event -----.
 *	                       +--> born(): what it begins with --> go(), or let_go()
 *	its own first stop ----'
 *
 * The two come in either order. Who stops first is parked if only its maker can tell what it begins
 * with, until then, or until its maker cannot tell any more: it was killed before it did.
 */
#ifndef FC_CAPTURE_TARGET_LIVES_H
#define FC_CAPTURE_TARGET_LIVES_H

#include "capture/target/exe.h"
#include "capture/target/tracee.h"

struct fc_birth {
	struct fc_tracee *child;   /* of no process: it is not to be followed */
	struct fc_process *parent; /* of a thread its own; NULL: it is not traced */
	struct fc_tracee *maker;   /* NULL: it has not told */
	bool is_thread;
	bool has_parents_memory; /* shared, not copied */
	bool is_late;		 /* it runs already: its maker told after that */
};

/* What whoever traces does. */
struct fc_lives_does {
	/* As struct fc_life_info; text may be NULL. */
	void (*tell)(void *ctx, int what, int pid, int tid, int other, int status,
		     const char *text);
	/* Must one of a parent that is traced stay until its maker has told? */
	bool (*waits)(void *ctx, const struct fc_birth *birth);
	void (*born)(void *ctx, const struct fc_birth *birth);
	/* It is at its first stop. */
	void (*go)(void *ctx, struct fc_tracee *child);
	/* The same, and it is not followed: detach from it, and remove it. */
	void (*let_go)(void *ctx, struct fc_tracee *child);
	/*
	 * A thread of the process, or with tid 0 all of it, has ended: what its exit tells as other.
	 * NULL: that is nothing to it.
	 */
	int (*ended)(void *ctx, struct fc_process *process, int tid);
};

struct fc_lives {
	struct fc_tracees *tracees;
	const struct fc_lives_does *does;
	void *ctx;
	bool no_follow;
};

/*
 * A thread stops with this status. NULL: that is seen to: it was its first stop, or it is none that
 * is traced.
 */
struct fc_tracee *fc_lives_stopped(struct fc_lives *lives, int tid, int status);

/* maker stops by this event, as it has made a thread or a process. */
void fc_lives_told(struct fc_lives *lives, struct fc_tracee *maker, int event);

/*
 * No thread of the process, or with pid 0 of any, tells any more of what it has made: who waits for
 * that begins, while what it has from its parent is still known.
 */
void fc_lives_adopt(struct fc_lives *lives, int pid);

/*
 * The process of the tracee, its leader now, runs a new program: its other threads have vanished,
 * and what was known of both is forgotten as by struct fc_tracees. path: of the program.
 */
void fc_lives_exec(struct fc_lives *lives, struct fc_tracee *tracee, char path[FC_EXE_PATH]);

/* A thread has ended, and its process with its leader: they are removed. True: a process was. */
bool fc_lives_ended(struct fc_lives *lives, int tid, int status);

#endif
