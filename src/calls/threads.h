/* SPDX-License-Identifier: Apache-2.0 */
/* threads.h - which of its stacks a thread is on: its own, a signal's, a coroutine's. */
#ifndef FC_CALLS_THREADS_H
#define FC_CALLS_THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Strand ids; 0: none yet. */
struct fc_thread {
	bool is_there;
	int tid;
	uint32_t first;	   /* the first that was seen: the thread's own stack */
	uint32_t current;  /* the last that went on */
	uint64_t last_tsc; /* of what was told last; kept by who needs it */
};

/* Found by tid: a hash table with linear probing, at most half full. */
struct fc_threads {
	struct fc_thread *at;
	size_t nr, room;
};

/* The thread, new if it was not there. Good until the next call. */
struct fc_thread *fc_threads_make(struct fc_threads *threads, int tid);
void fc_threads_deinit(struct fc_threads *threads);

#endif
