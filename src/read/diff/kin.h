/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kin.h - which strand of one trace is which of another, as ids differ from run to run.
 *
 * The first process goes with the first. Processes whose parents go together do if they ran the
 * same program, in the order they were forked. Of their threads the first go together, the others
 * if they began with the same function, in the order they were made; those that remain in that
 * order. A thread's strands (its stack, those of signals and coroutines) go by their order.
 */
#ifndef FC_READ_DIFF_KIN_H
#define FC_READ_DIFF_KIN_H

#include "base/vec.h"
#include "trace/reader.h"

struct fc_kin {
	uint32_t strand[2]; /* 0: that trace has none */
	int pid[2], tid[2];
	const char *program[2]; /* path that its process ran last, "" if it is not known */
	uint32_t nr_process;	/* 1 for the first */
	uint32_t nr_thread;	/* of the process, 1 for the first */
	uint32_t nr_stack;	/* of the thread, 1 for the first */
};

struct fc_kins {
	struct fc_kin *at;
	size_t nr, room;
};

struct fc_kin_opts {
	struct fc_reader *readers[2];
	/* The number of a strand's first call; 0: it made none. */
	uint32_t (*begin_of)(void *ctx, int side, uint32_t strand);
	void *ctx;
};

/* In the order of the first trace, then what only the second has. */
void fc_kin_find(const struct fc_kin_opts *opts, struct fc_kins *ret);

#endif
