/* SPDX-License-Identifier: Apache-2.0 */
/*
 * user.h - the source of events for programs in user space, driven through ptrace.
 *
 * The calling thread becomes the tracer; a second thread drains the rings into the tap.
 */
#ifndef FC_CAPTURE_USER_USER_H
#define FC_CAPTURE_USER_USER_H

#include <stddef.h>

#include "capture/opts.h"
#include "trace/source.h"

/*
 * Start argv[0] (looked up in $PATH as a shell would) with argv, trace it and its children
 * to their end, and return with the first program's wait status in *wait_status.
 * SIGTERM and SIGHUP end the tracing only: the programs go on as if never traced, which is
 * said, and *wait_status is -1 if the first one has not ended. After opts->for_ns they do so
 * too, and their end is waited for. SIGXFSZ is ignored from here on.
 * -ENOENT, -EACCES, -ENOEXEC, -EPERM… with a sentence: nothing was run.
 * Errors of the tap do not end the target: it runs on, untraced records are dropped.
 */
int fc_user_run(const struct fc_user_opts *opts, char *const *argv, struct fc_tap *tap,
		int *wait_status);

/*
 * Attach to processes that run, all their threads, and trace them until SIGINT, SIGQUIT,
 * SIGTERM or SIGHUP comes or they have ended. Then each byte of their code and each return
 * address is what it was, and they go on. What a dead fctrace has left in them is removed
 * first. -ESRCH, -EPERM, -EBUSY (somebody else traces it)… with a sentence: they are as before.
 */
int fc_user_attach(const struct fc_user_opts *opts, const int *pids, size_t nr_pids,
		   struct fc_tap *tap);

/*
 * Remove what fctrace has put into a process: an fctrace that traces it is told to let go,
 * one that has died is tidied up after. opts: say and ctx only. -errno with a sentence;
 * -ENOENT: there is nothing of it.
 */
int fc_user_detach(const struct fc_user_opts *opts, int pid);

/*
 * Ask the fctrace that traces process pid, or that is it. words: the command and its words, each
 * ended by a NUL. *status is what it says to exit with, *answer its text, malloc()ed. -errno with
 * a sentence: it is not traced, or fctrace cannot be asked.
 */
int fc_user_ask(int pid, const char *words, size_t size, int *status, char **answer);

#endif
