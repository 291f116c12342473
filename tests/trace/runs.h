/* SPDX-License-Identifier: Apache-2.0 */
/* runs.h - fc_cursor_run() must tell what fc_cursor_next() tells, whatever is in a trace. */
#ifndef FC_TEST_RUNS_H
#define FC_TEST_RUNS_H

#include <stdlib.h>

#include "trace/test_mark.h"
#include "trace/reader.h"

/* Words are of marks only. */
static inline bool is_same_event(const struct fc_event *a, const struct fc_event *b)
{
	return a->tsc == b->tsc && a->strand == b->strand && a->pid == b->pid &&
	       a->tid == b->tid && a->func == b->func && a->kind == b->kind &&
	       a->mark == b->mark && (a->kind != FC_MARK || has_same_words(a, b));
}

/*
 * Two readers of the same bytes, for what a cursor finds damaged the next one passes over. The
 * first `max` events are compared, told in batches of different sizes.
 */
static inline bool runs_tell_the_same(struct fc_reader *by_next, struct fc_reader *by_run,
				      uint64_t from_tsc, size_t max)
{
	enum { BATCH = 700 };
	struct fc_event batch[BATCH], event;
	struct fc_cursor *next, *run;
	bool is_same = true;
	size_t nr = 1, size = 1;

	next = fc_cursor_create(by_next, &(struct fc_choice){ .from_tsc = from_tsc });
	run = fc_cursor_create(by_run, &(struct fc_choice){ .from_tsc = from_tsc });
	for (size_t told = 0; is_same && nr && told < max; told += nr) {
		nr = fc_cursor_run(run, batch, size);
		for (size_t i = 0; i < nr && is_same; i++)
			is_same = fc_cursor_next(next, &event) == 1 &&
				  is_same_event(&event, &batch[i]);
		is_same &= nr || fc_cursor_next(next, &event) == 0;
		size = size % BATCH * 3 % BATCH + 1;
	}
	fc_cursor_destroy(run);
	fc_cursor_destroy(next);
	return is_same;
}

#endif
