/* SPDX-License-Identifier: Apache-2.0 */
/*
 * costs.h - what each function cost in one run: a report, and how its own time (self time) was
 * spread over its calls.
 *
 * The spread is known from a sample: of each function some hundred calls, chosen by a hash of when
 * they began. So it is the same sample each time that a trace is read, by however many threads.
 *
 * The call that its thread was in when it ended, and that had called nothing, is set apart: its end
 * is not the program's. For exit() that is _exit(), in which the kernel frees the process' memory.
 */
#ifndef FC_READ_DIFF_COSTS_H
#define FC_READ_DIFF_COSTS_H

#include "read/sums/report.h"
#include "trace/reader.h"

enum { FC_COST_PARTS = 8 };

/* A function in one run; zeroed: it was not called. */
struct fc_cost {
	uint32_t number;   /* of twins */
	uint64_t calls;	   /* also those of which nothing else is known */
	uint64_t nr_timed; /* calls of which the own time is known */
	double sum_ns;	   /* own time, all calls */
	double cut_ns; /* own time of calls that the end of their thread cut off: not in sum_ns */
	double shortest_ns; /* own time of the shortest call */
	double longest_ns;  /* own time of the longest call */
	double usual_ns;    /* of a call: the mean without the longest eighth of them */
	unsigned nr_parts;  /* of the run, in order of time, with as many calls each */
	double part_ns[FC_COST_PARTS]; /* usual_ns in each */
};

struct fc_costs;
/* report: summed in the same pass, and the caller's. */
struct fc_costs *fc_costs_create(const struct fc_report_opts *report);
void fc_costs_destroy(struct fc_costs *costs);
struct fc_call_sink *fc_costs_sink(struct fc_costs *costs);
struct fc_report *fc_costs_report(struct fc_costs *costs);

/* Sum a whole trace with all CPUs. -errno with a sentence: the reader's. */
int fc_costs_crunch(struct fc_reader *reader, const struct fc_report_opts *report,
		    struct fc_costs **ret);

/*
 * No more calls come: work out what each function cost, and free the sample. Those that share a
 * number are one function.
 */
void fc_costs_settle(struct fc_costs *costs, const struct fc_clock *clock,
		     uint32_t (*number_of)(void *ctx, uint32_t func), void *ctx);
/* Then: by number. calls is 0: the report has that. They live as long as costs. */
const struct fc_cost *fc_costs_settled(const struct fc_costs *costs, size_t *nr);

#endif
