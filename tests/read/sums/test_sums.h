/* SPDX-License-Identifier: Apache-2.0 */
/* test_sums.h - names, a clock and random events, for tests that compare what two sinks sum. */
#ifndef FC_TEST_SUMS_H
#define FC_TEST_SUMS_H

#include <stdio.h>
#include <stdlib.h>

#include "calls/call.h"
#include "read/sums/report.h"

enum { NR_FUNCS = 40 };

static inline const char *name_text(uint32_t func)
{
	static char text[4][16];
	static unsigned next;
	char *to = text[next++ % 4];
	snprintf(to, sizeof(text[0]), "f%02u", func);
	return to;
}

static inline struct fc_name name_of(void *ctx, uint32_t func)
{
	return (struct fc_name){ name_text(func), "prog" };
}

static const struct fc_namer namer = { name_of, NULL };
static const struct fc_clock clock_ns = { .tsc1 = 1000, .mono1_ns = 1000 };

/* All that a damaged or forged trace may tell, in any order. */
static inline struct fc_event random_event(unsigned *seed, uint64_t *tsc)
{
	unsigned what = (unsigned)rand_r(seed) % 100;
	struct fc_event event = { .tsc = *tsc += (unsigned)rand_r(seed) % 50,
				  .strand = 1 + (unsigned)rand_r(seed) % 3,
				  .pid = 7,
				  .func = 1 + (unsigned)rand_r(seed) % (NR_FUNCS - 1) };

	event.tid = (int)event.strand;
	if (what < 45)
		event.kind = FC_ENTRY;
	else if (what < 88)
		event.kind = FC_EXIT;
	else if (what < 92)
		event.kind = FC_TAIL;
	else if (what < 95)
		event.kind = FC_ENTRY_ONLY;
	else if (what < 97)
		event.kind = FC_POP; /* func is a number of open calls */
	else
		event.kind = FC_MARK;
	if (event.kind == FC_MARK) {
		const uint8_t marks[] = { FC_MARK_LOST, FC_MARK_FORK, FC_MARK_RESUME,
					  FC_MARK_WAITED, FC_MARK_END };
		event.mark = marks[(unsigned)rand_r(seed) % 5];
		static uint64_t words[64][2], next;
		uint64_t *to = words[next++ % 64];
		to[0] = (unsigned)rand_r(seed) % 9;
		to[1] = (unsigned)rand_r(seed) % 20;
		event.words = to;
		event.nr_words = 2;
	}
	return event;
}

static inline const struct fc_report_row *row_of(const struct fc_report_row *rows, size_t nr,
					  uint32_t func)
{
	for (size_t i = 0; i < nr; i++)
		if (rows[i].func == func)
			return &rows[i];
	return NULL;
}

#endif
