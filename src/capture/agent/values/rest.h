/* SPDX-License-Identifier: Apache-2.0 */
/* rest.h - the arguments that stand for "...", one behind the other. */
#ifndef FC_CAPTURE_AGENT_VALUES_REST_H
#define FC_CAPTURE_AGENT_VALUES_REST_H

#include <stdbool.h>
#include <stdint.h>

struct agent_frame;

struct rest {
	const struct agent_frame *frame; /* NULL: registers are in memory, at saved */
	uint64_t saved;
	uint32_t nr_int, nr_vector; /* registers that were taken */
	uint64_t stack;		    /* where the next one is */
	uint64_t begin,
		end; /* of the stack that is there for certain: the kernel copies other words */
};

/* At a call: what its named arguments took. stack: where the first one is that is on the stack. */
void rest_begin(struct rest *rest, const struct agent_frame *frame, uint32_t nr_int,
		uint32_t nr_vector, uint64_t stack, uint64_t begin, uint64_t end);
/* A va_list, which argument number i that is an integer points to. False: it cannot be read. */
bool rest_begin_list(struct rest *rest, const struct agent_frame *frame, uint32_t i,
		     uint64_t begin, uint64_t end);

/* The next one. False: it is nowhere. */
bool rest_word(struct rest *rest, uint64_t *ret);
bool rest_double(struct rest *rest, uint64_t *ret);
bool rest_long_double(struct rest *rest, uint64_t ret[2]);

#endif
