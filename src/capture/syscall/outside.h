/* SPDX-License-Identifier: Apache-2.0 */
/*
 * outside.h - values of a call by a thread that stands still, taken from outside: what a plan of fetches
 * says (capture/agent/fetch.h), with the words that the agent would write.
 */
#ifndef FC_CAPTURE_SYSCALL_OUTSIDE_H
#define FC_CAPTURE_SYSCALL_OUTSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "values/wanted.h"

enum { FC_OUTSIDE_REGS = 8 };

struct fc_outside_call {
	int tid;
	uint8_t nr_regs;
	uint8_t reg
		[FC_OUTSIDE_REGS]; /* DWARF's numbers, of the arguments and of the result... */
	uint64_t value[FC_OUTSIDE_REGS]; /* ...and what is in them */
	const uint8_t *kept;		 /* of its entry's plan: which registers */
	uint32_t
		error; /* it has failed with this one, and has written nothing; 0: it has not */
};

/* The words behind the format's: how many, FCA_VALUE_WORDS - 1 at most. */
size_t fc_outside_fetch(const struct fc_outside_call *call, const struct fc_fetch_plan *plan,
			uint64_t ret[FCA_VALUE_WORDS]);

#endif
