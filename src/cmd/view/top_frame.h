/* SPDX-License-Identifier: Apache-2.0 */
/* top_frame.h - what fctrace top shows of one interval, in seconds and shares. */
#ifndef FC_CMD_VIEW_TOP_FRAME_H
#define FC_CMD_VIEW_TOP_FRAME_H

#include "calls/names.h"
#include "cmd/options/settings.h"
#include "read/sums/rates.h"
#include "trace/clock.h"

struct fc_top_row {
	struct fc_name name;
	struct fc_rate rate;
	double calls_per_s;
	double total, self; /* shares of the interval: 1 is all the time of one thread */
	uint64_t avg_ns, max_ns;
};

struct fc_top_thread {
	int pid, tid;
	double calls_per_s;
	double busy; /* share of the interval */
	uint32_t depth;
	struct fc_name name; /* of the innermost function */
	bool has_name;
};

struct fc_top_frame {
	uint64_t nr; /* 1.. */
	double begin_s, seconds;
	double calls_per_s; /* that were seen */
	uint64_t lost, waited_ns;
	size_t nr_counted, nr_out; /* functions that are not recorded at the end */
	FC_VEC(struct fc_top_row) rows;
	FC_VEC(struct fc_top_thread) threads;
	bool has_times; /* not with --no-time */
	struct fc_top_frame *next;
};

/* Names live as long as the namer's. */
struct fc_top_frame *fc_top_frame_create(const struct fc_rates_view *view,
					 const struct fc_namer *namer,
					 const struct fc_clock *clock, bool has_times);
void fc_top_frame_destroy(struct fc_top_frame *frame);

/* As -s and the screen call it. */
const char *fc_top_key_name(enum fc_top_key key);
void fc_top_frame_sort(struct fc_top_frame *frame, enum fc_top_key key);

#endif
