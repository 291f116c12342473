/* SPDX-License-Identifier: Apache-2.0 */
/* session.h - what the files that make up the tracer share. The tracer's thread only. */
#ifndef FC_CAPTURE_USER_SESSION_H
#define FC_CAPTURE_USER_SESSION_H

#include <signal.h>

#include "base/vec.h"
#include "capture/drain/queue.h"
#include "capture/drain/teller.h"
#include "capture/hook/space.h"
#include "capture/target/launch.h"
#include "capture/target/lives.h"
#include "capture/target/suspend.h"
#include "capture/user/control.h"
#include "trace/clock.h"

struct fc_redactor;
struct fc_throttle;
struct fc_weave;

/* Code of a process that is about to be its file's again (dropped.h). */
struct fc_drop {
	int pid;
	uint64_t lo, hi;
	FC_VEC(uint32_t) funcs; /* ids; unhooked until then */
};

struct fc_drops {
	FC_VEC(struct fc_drop) awaited;
	uint64_t next_ns,
		pause_ns; /* when to look, by the monotonic clock, and how long after */
};

struct fc_tracer {
	struct fc_shared shared;
	struct fc_redactor *redactor; /* before the tap that was given; NULL: no values */
	struct fc_weave *weave;	      /* before that one; NULL: there is one source */
	struct fc_queue *queue;	      /* before these; shared.tap is its tap */
	struct fc_tracees tracees;
	struct fc_lives lives;
	struct fc_launch launch;
	int first_pid;
	bool is_attached; /* not launched: SIGINT is for fctrace */
	sigset_t signals; /* that it waits for; blocked */
	int wait_status;  /* -1: not known */
	bool is_started;  /* the first program was executed */
	bool has_looked;  /* for functions of --dump-on, when what it starts with was there */
	bool is_ending;	  /* tracing stops here */
	int was_told;	  /* by this signal; 0: its time was over */
	uint64_t told_ns; /* since when something that is to be undone knows of that */
	bool is_serving;  /* an event is seen to: nothing is held, or half done */
	bool is_holding;  /* who stops at rest stays there */
	int error;	  /* of the first program's start */
	/* fc_events_take(): for those who do not stand above it, but must wait for some. */
	bool (*take)(struct fc_tracer *tracer);
	FC_VEC(int) executed; /* processes, as they came to a program's start (execs.h) */
	FC_VEC(int) dying;    /* threads that a signal is about to kill (signals/dying.h) */
	FC_VEC(int) moved;    /* threads whose fault is in an instruction that was moved */
	struct fc_job job;
	struct fc_clock clock; /* to tell how long a watched call took */
	uint64_t wake_ns;      /* --loss=ring: when strands are to be woken next */
	uint64_t rights_ns;    /* when to look for changed rights next (sever.h) */
	struct fc_drops drops;
	/* When to look how threads are called, and not before (comms.h). */
	uint64_t comms_ns, comms_least_ns;
	FC_VEC(struct fc_space *) lent; /* of processes that are traced by themselves */
	struct fc_throttle *throttle;	/* NULL: no budget */
	struct fc_teller *teller;     /* NULL: nobody asks for counts, or the throttle tells */
	struct fc_control *control;   /* NULL: nobody can talk to it */
	struct fc_filter_info filter; /* in force */
};

/* Tell the user and the trace; each sentence once. */
#define fc_tracer_say(tracer, pid, ...) fc_shared_say(&(tracer)->shared, pid, __VA_ARGS__)
void fc_tracer_life(struct fc_tracer *tracer, int what, int pid, int tid, int other, int status,
		    const char *text);

/* With --loss=ring: write what there is now. */
__attribute__((format(printf, 2, 3))) void fc_tracer_dump(struct fc_tracer *tracer,
							  const char *fmt, ...);

/*
 * Does this signal tell it to let go? While it runs a program, SIGINT and SIGQUIT are that program's
 * business.
 */
bool fc_tracer_heeds(const struct fc_tracer *tracer, int sig);
/* Has a signal come, and is not taken yet, that tells it to let go? */
bool fc_tracer_is_told(const struct fc_tracer *tracer);

/* Record from now on, or not: all that is traced, and what is born later. The trace tells of it. */
void fc_tracer_switch(struct fc_tracer *tracer, bool is_on);

#endif
