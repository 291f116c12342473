/* SPDX-License-Identifier: Apache-2.0 */
/* opts.h - what is to be looked at, and who knows what the user means. */
#ifndef FC_SHOW_TUI_OPTS_H
#define FC_SHOW_TUI_OPTS_H

#include "calls/cut.h"
#include "calls/names.h"
#include "trace/reader.h"
#include "values/recorded.h"

struct fc_tui_opts {
	struct fc_reader *reader;
	struct fc_namer namer;		/* any thread may ask it */
	const struct fc_values *values; /* what calls were given means; NULL: nothing is told */
	const char *path;		/* of the trace */
	struct fc_range range;		/* what is shown at first; zeroed: all */
	int tid;			/* of this thread; 0: of all */
	/*
	 * What the user means by a time ("1.5s", "14:03:22"), and by a range of it ("1.5s~2s");
	 * *to_tsc 0: to the end. -errno with a sentence.
	 */
	int (*find_time)(void *ctx, const char *text, uint64_t *tsc);
	int (*find_range)(void *ctx, const char *text, uint64_t *from_tsc, uint64_t *to_tsc);
	void *ctx;
};

#endif
