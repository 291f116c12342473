/* SPDX-License-Identifier: Apache-2.0 */
/* launch.h - starts a program, attached, with nothing about it changed. */
#ifndef FC_CAPTURE_TARGET_LAUNCH_H
#define FC_CAPTURE_TARGET_LAUNCH_H

#include <signal.h>

struct fc_launch {
	int pid;
	int error_fd; /* the child writes an errno here if the program cannot be executed */
};

/* What the program is to find; the tracer's own are different. */
struct fc_launch_signals {
	sigset_t mask;
	struct sigaction file_size; /* of SIGXFSZ */
	struct sigaction child;	    /* of SIGCHLD */
};

/*
 * Make this process's signals a tracer's, and keep what they were: a file limit is an error of
 * write(), and stops of tracees are told even if whoever started fctrace ignores SIGCHLD.
 */
void fc_launch_keep_signals(struct fc_launch_signals *ret);

/*
 * Fork a child that is seized with ptrace options and will execute path with argv, with
 * the given signals. -errno with a sentence: there is no child.
 */
int fc_launch_start(struct fc_launch *launch, const char *path, char *const *argv,
		    const struct fc_launch_signals *signals, unsigned long options);

/* Why the child could not execute its program: -errno with a sentence; 0: it did. */
int fc_launch_error(struct fc_launch *launch, const char *path);

/* The file that argv[0] stands for, found as execvp() would; malloc()ed. -ENOENT, -EACCES. */
int fc_launch_find_program(const char *name, char **ret);

#endif
