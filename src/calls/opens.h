/* SPDX-License-Identifier: Apache-2.0 */
/*
 * opens.h - what a sink keeps of the calls that are open in each strand.
 *
 * A strand without open calls gives its memory to another: so there is as much as strands were
 * busy at a time, however many threads came and went.
 */
#ifndef FC_CALLS_OPENS_H
#define FC_CALLS_OPENS_H

#include <stdbool.h>

#include "base/paged.h"
#include "base/vec.h"
#include "calls/strands.h"

/* An open call: the numbers of what the sink adds it to; 0: none. */
struct fc_open_frame {
	uint32_t number, echo;
	bool is_again;
	uint64_t below; /* calls that it made, and these made */
};

struct fc_open_strand {
	struct fc_open_strand *next_free;
	FC_VEC(struct fc_open_frame) frames; /* outermost first */
	/* Of these, what is said of functions or numbers that are not open is of no interest... */
	struct fc_paged numbers;
	struct fc_paged counts; /* ...and here it is 0, the sink sees to that */
};

struct fc_open_strands {
	struct fc_strands strands;
	uint32_t last_id; /* calls come in runs of one strand */
	struct fc_open_strand **last;
	struct fc_open_strand *free;
};

void fc_opens_init(struct fc_open_strands *opens);
void fc_opens_deinit(struct fc_open_strands *opens);

/* The open calls of a strand; made if it has none. */
struct fc_open_strand *fc_opens_get(struct fc_open_strands *opens, uint32_t strand);
/* Its last frame was taken away. */
void fc_opens_put(struct fc_open_strands *opens, uint32_t strand);

#endif
