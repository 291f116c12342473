/* SPDX-License-Identifier: Apache-2.0 */
/*
 * outside.h - values of a call by a thread that stands still, taken from outside: what a list of fetches
 * says (capture/agent/fetch.h), with the words that the agent would write.
 */
#ifndef FC_CAPTURE_SYSCALL_OUTSIDE_H
#define FC_CAPTURE_SYSCALL_OUTSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/agent/fetch.h"

enum { FC_OUTSIDE_REGS = 8 };

struct fc_outside_call {
	int tid;
	uint8_t nr_regs;
	uint8_t reg
		[FC_OUTSIDE_REGS]; /* DWARF's numbers, of the arguments and of the result... */
	uint64_t value[FC_OUTSIDE_REGS]; /* ...and what is in them */
	const uint8_t *kept;		 /* of its entry: which registers; NULL: none... */
	const uint32_t *behind; /* ...and what those pointed to that are FCA_KEPT_BEHIND */
	uint32_t
		error; /* it has failed with this one, and has written nothing; 0: it has not */
};

enum { FC_OUTSIDE_WORDS = 2048 }; /* at most; of longer texts the rest is cut */

/* At an entry: what the exit will ask for that lies behind pointers, by their places in fetches->kept. */
void fc_outside_keep(const struct fc_outside_call *call, const struct fca_fetches *fetches,
		     uint32_t ret[FCA_MAX_KEPT]);
/* The mark of these values, and those by which its texts go on: how many words; 0: there are no values. */
size_t fc_outside_tell(const struct fc_outside_call *call, const struct fca_fetches *fetches,
		       uint64_t tsc, uint64_t ret[FC_OUTSIDE_WORDS]);

#endif
