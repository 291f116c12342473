/* SPDX-License-Identifier: Apache-2.0 */
/* opts.h - what is asked of a source of events: which functions, and how they are recorded. */
#ifndef FC_CAPTURE_OPTS_H
#define FC_CAPTURE_OPTS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/progress.h"
#include "capture/patch/plan.h"
#include "trace/source.h"

enum fc_libs {
	FC_LIBS_API = 0, /* the exported functions of libraries */
	FC_LIBS_NONE,
	FC_LIBS_ALL,
};

enum fc_loss {
	FC_LOSS_BLOCK = 0, /* a full ring makes the target wait */
	FC_LOSS_DROP,	   /* a full ring drops records, counted exactly */
	FC_LOSS_RING,	   /* the newest overwrite the oldest; the tap has dump() */
};

/* With FC_LOSS_RING: when to write what there is, besides crashes and the end. */
struct fc_dump_func {
	char *glob;
	uint64_t min_ns; /* 0: at its entry, else when a call that took so long returns */
	uint64_t nth;	 /* of these calls only this one, in each program; 0: each */
	bool is_own;	 /* nobody has asked for it: nothing is said where none matches */
};

struct fc_dump_on {
	sigset_t signals; /* sent to a target, or to fctrace itself */
	const struct fc_dump_func *funcs;
	size_t nr_funcs; /* at most FCA_MAX_WATCHES */
};

/*
 * Globs of functions at whose calls the recording of their thread begins, or ends. NULL-terminated, or NULL: none.
 * With on, threads begin unrecorded.
 */
struct fc_turns {
	char **on, **off_at;
};

/* Bytes of a ring, powers of two: the least, the most, and what is used if nobody asks. */
#define FC_RING_LEAST	(64u << 10)
#define FC_RING_MOST	(64u << 20)
#define FC_RING_DEFAULT (1u << 20)

struct fc_masks;
struct fc_well;
struct fc_values_asked;

struct fc_user_opts {
	enum fc_libs libs;
	enum fc_counting counting;
	enum fc_loss loss;
	struct fc_dump_on dump_on;
	struct fc_turns turns;
	char **modules; /* -m: hook only modules (base name or path) that match one of these
			   globs; NULL-terminated, NULL: all */
	char **only;	/* -F: only what is called under functions that match one of these
			   globs is wanted; NULL-terminated, NULL: all. The rest may still come */
	bool no_follow; /* children run untraced */
	bool no_cache;	/* plan anew, keep no plans on disk */
	bool perf_map;	/* name stubs for samplers: capture/hook/perf_map.h */
	double budget;	/* how much of its own time tracing may cost a program: 0.05; 0: any.
			  counting is FC_COUNT_SWITCHED then */
	bool is_off;	/* record nothing until told to */
	const char
		*trace_path; /* absolute: where dumps go, for `fctrace dump`; NULL: nowhere */
	struct fc_filter_info filter;	      /* that the tap begins with: for who asks */
	const struct fc_values_asked *values; /* NULL: none */
	const struct fc_values_asked
		*marks;		      /* how much of what marks are given; NULL: no marks */
	const struct fc_masks *masks; /* of all that has values; NULL: nothing has */
	uint64_t ring_bytes;	      /* of each strand; 0: the default */
	uint64_t for_ns;	      /* trace for so long, then let go; 0: to the end */
	uint64_t tell_ns; /* the tap's counts() is told at once, and then so often; 0: now and
			     then, and without a budget only at the end */
	/* Asked a few times a tenth of a second: true lets go, as after for_ns. Takes
	   tell_ns; may be NULL. */
	bool (*is_enough)(void *ctx);
	/* Other sources of the same session, then NULL; or NULL (capture/drain/well.h). */
	struct fc_well *const *wells;
	char *const
		*kthreads; /* of fc_tasks_backend: globs of kernel threads, else all threads */
	void (*say)(void *ctx, const char *sentence); /* what the user should know, once each */
	/* While files are read and planned, by any thread, now and then and when it is done
	   (done is all); may be NULL. */
	void (*planning)(void *ctx, const struct fc_progress *progress);
	void *ctx;
};

#endif
