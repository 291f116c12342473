/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inmate.h - a child of ours in a jail (jail.h) that answers questions.
 *
 * What it works on may have taken it over: it may be late, silent or lie, and whoever asks checks
 * each answer as what a stranger sent. It ends with this process, at the latest.
 */
#ifndef FC_DWARF_INMATE_H
#define FC_DWARF_INMATE_H

#include <stddef.h>
#include <sys/types.h>

#include "dwarf/jail.h"

enum {
	FC_INMATES = 200,     /* there are no more at a time */
	FC_INMATE_NO_JAIL = 3 /* status of one that could have done too much, and did nothing */
};

/* Zeroed means: none. */
struct fc_inmate {
	pid_t pid;
	int fd, life, wait_ms;
};

/*
 * In the child, work(ctx) reads questions from descriptor 0 and writes answers to it, each as one
 * message. -EBUSY: there are FC_INMATES; -errno. Without a sentence.
 */
int fc_inmate_start(struct fc_inmate *inmate, const struct fc_jail *jail,
		    void (*work)(const void *ctx), const void *ctx);

/*
 * The size of the answer, which is more than room if it was cut; 0: it has ended;
 * -ETIMEDOUT: it took far longer than its CPU time.
 */
ssize_t fc_inmate_ask(const struct fc_inmate *inmate, const void *question, size_t size,
		      void *answer, size_t room);

/* It ends now, if it has not yet: its status, as waitpid() tells. */
int fc_inmate_end(struct fc_inmate *inmate);

#endif
