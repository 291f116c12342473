/* SPDX-License-Identifier: Apache-2.0 */
/*
 * user.h - the source of events for programs in user space, driven through ptrace.
 *
 * The calling thread becomes the tracer; a second thread drains the rings into the tap.
 */
#ifndef FC_CAPTURE_USER_USER_H
#define FC_CAPTURE_USER_USER_H

#include <stddef.h>

#include "capture/backend.h"

/* patch: hooks are written into the program. */
extern const struct fc_backend fc_user_backend;

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
/* The same of an fctrace that this user runs: another's is as one that cannot be asked. */
int fc_user_ask_own(int pid, const char *words, size_t size, int *status, char **answer);

#endif
