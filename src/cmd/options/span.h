/* SPDX-License-Identifier: Apache-2.0 */
/* span.h - a part of a trace's time, as the user says it. */
#ifndef FC_CMD_OPTIONS_SPAN_H
#define FC_CMD_OPTIONS_SPAN_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/reader.h"

struct fc_moment {
	enum { FC_MOMENT_NONE = 0, FC_MOMENT_SINCE, FC_MOMENT_SHARE, FC_MOMENT_CLOCK } how;
	uint64_t ns;	      /* since the start, or the time of day */
	double share;	      /* of the whole time, 0 to 1 */
	int year, month, day; /* of a time of day; 0: not told */
};

struct fc_span {
	const char *text;	   /* as it was said; NULL: no span was */
	struct fc_moment from, to; /* with is_around, to is none */
	bool is_around;
	uint64_t window_ns; /* to both sides */
};

/* FROM~TO; TIME or TIME,WINDOW. -EINVAL with a sentence. */
int fc_span_parse(const char *arg, struct fc_span *ret);
int fc_span_parse_around(const char *arg, struct fc_span *ret);

/*
 * The span in this trace; *to_tsc is the first time behind it, 0: it goes to the end. -EINVAL
 * with a sentence: it ends before it begins. -ENOENT with a sentence: the trace has nothing
 * there.
 */
int fc_span_find(const struct fc_span *span, struct fc_reader *reader, uint64_t *from_tsc,
		 uint64_t *to_tsc);

#endif
