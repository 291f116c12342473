/* SPDX-License-Identifier: Apache-2.0 */
/* test_feed.h - calls that are told by hand, for tests of what sums them. All are of process 7. */
#ifndef FC_TEST_FEED_H
#define FC_TEST_FEED_H

#include <stdlib.h>
#include <string.h>

#include "calls/call.h"

static inline void feed_one(struct fc_calls *calls, uint32_t strand, int tid, uint64_t tsc,
			    enum fc_kind kind, uint32_t func)
{
	struct fc_event event = { .tsc = tsc,
				  .strand = strand,
				  .pid = 7,
				  .tid = tid,
				  .func = func,
				  .kind = kind };
	fc_calls_feed(calls, &event);
}

/* "1 2 - -": enter 1, enter 2, leave, leave; each takes 10 ticks. */
static inline void feed_all(struct fc_calls *calls, uint32_t strand, int tid, uint64_t *tsc,
			    const char *what)
{
	for (const char *p = what; *p; p += strcspn(p, " "), p += strspn(p, " "))
		feed_one(calls, strand, tid, *tsc += 10, *p == '-' ? FC_EXIT : FC_ENTRY,
			 *p == '-' ? 0 : (uint32_t)atoi(p));
}

#endif
