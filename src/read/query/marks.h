/* SPDX-License-Identifier: Apache-2.0 */
/*
 * marks.h - the marks of a trace (lost records, forks, waits…), strand after strand: only
 * packets that have some are decoded.
 */
#ifndef FC_READ_QUERY_MARKS_H
#define FC_READ_QUERY_MARKS_H

#include "read/query/seek.h"

struct fc_marks;
/* Of want, the strands and begin_min and begin_max count: when the mark was made. */
struct fc_marks *fc_marks_create(struct fc_reader *reader, const struct fc_scan_want *want);
void fc_marks_destroy(struct fc_marks *marks);
struct fc_marks_row {
	struct fc_event event; /* a mark that has a word; its words are the cursor's */
	bool is_recorded;      /* false: a LOST that stands for damaged packets */
	uint64_t id;	       /* the same for the same mark, whatever else is wanted */
};

/* 0 at the end, 1 with *ret filled. */
int fc_marks_next(struct fc_marks *marks, struct fc_marks_row *ret);

#endif
