/* SPDX-License-Identifier: Apache-2.0 */
/* backend.h - a way to see the calls of programs that run: one record, in its source's own file. */
#ifndef FC_CAPTURE_BACKEND_H
#define FC_CAPTURE_BACKEND_H

#include "capture/opts.h"

/* What is asked for by options, and not every backend can do. */
enum fc_wish {
	FC_WISH_ATTACH = 0, /* processes that run already */
	FC_WISH_TIME,	    /* struct fc_user_opts.for_ns */
	FC_WISH_OFF,	    /* is_off */
	FC_WISH_RING,	    /* FC_LOSS_RING */
	FC_WISH_BUDGET,	    /* budget */
	FC_WISH_COUNT,	    /* counting and nothing else */
	FC_WISH_VALUES,	    /* values */
	FC_WISH_KERNEL,	    /* wells: what the kernel does for the threads */
	FC_NR_WISHES,
};

struct fc_backend {
	const char *name; /* as --backend has it */
	/* What it cannot do: a sentence for the user. NULL: it can. */
	const char *lacks[FC_NR_WISHES];

	/*
	 * Start argv[0] (looked up in $PATH as a shell would) with argv, trace it and its
	 * children to their end, and return with the first program's wait status in
	 * *wait_status. The calling thread becomes the tracer. SIGTERM and SIGHUP end the
	 * tracing only: the programs go on as if never traced, which is said, and *wait_status
	 * is -1 if the first one has not ended. After opts->for_ns they do so too, and their end
	 * is waited for. SIGXFSZ is ignored from here on.
	 * -ENOENT, -EACCES, -ENOEXEC, -EPERM… with a sentence: nothing was run.
	 * Errors of the tap do not end the target: it runs on, untraced records are dropped.
	 */
	int (*run)(const struct fc_user_opts *opts, char *const *argv, struct fc_tap *tap,
		   int *wait_status);

	/*
	 * Attach to processes that run, all their threads, and trace them until SIGINT, SIGQUIT,
	 * SIGTERM or SIGHUP comes or they have ended. Then each byte of their code and each
	 * return address is what it was, and they go on. What a dead fctrace has left in them is
	 * removed first. -ESRCH, -EPERM, -EBUSY (somebody else traces it)… with a sentence: they
	 * are as before. NULL if it lacks FC_WISH_ATTACH.
	 */
	int (*attach)(const struct fc_user_opts *opts, const int *pids, size_t nr_pids,
		      struct fc_tap *tap);
};

#endif
