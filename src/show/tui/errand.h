/* SPDX-License-Identifier: Apache-2.0 */
/*
 * errand.h - sums over a trace or a part of its time, made by a thread of its own while keys are answered.
 *
 * That thread has a reader of its own: the trace is opened twice.
 */
#ifndef FC_SHOW_TUI_ERRAND_H
#define FC_SHOW_TUI_ERRAND_H

#include <stdbool.h>

#include "calls/cut.h"
#include "read/sums/callers.h"
#include "read/sums/graph.h"
#include "read/sums/report.h"

enum fc_errand_kind {
	FC_ERRAND_FUNCTIONS, /* of the whole time by all CPUs, else in order of time */
	FC_ERRAND_PATHS,     /* in order of time */
	FC_NR_ERRANDS
};

struct fc_errand_opts {
	enum fc_errand_kind kind;
	const char *path;
	struct fc_reader *reader; /* of the same trace; only looked at */
	struct fc_namer namer;	  /* any thread may ask it */
	int tid;		  /* of one thread; 0: all */
	struct fc_range range;	  /* calls are cut to it; 0 and 0: the whole time */
};

static inline bool fc_errand_is_of_part(const struct fc_errand_opts *opts)
{
	return opts->range.from_tsc || opts->range.to_tsc;
}

/* The call of a function that took longest. */
struct fc_longest {
	uint64_t ticks; /* 1 more; 0: none that began there and whose end was seen */
	uint64_t begin_tsc;
	uint32_t strand; /* its id */
	uint32_t depth;
};

struct fc_errand;
struct fc_errand *fc_errand_start(const struct fc_errand_opts *opts);
/* It is stopped, soon: then it is done. */
void fc_errand_cancel(struct fc_errand *errand);
/* Wherever it is: it is stopped. */
void fc_errand_destroy(struct fc_errand *errand);

/* Is it what these ask for? */
bool fc_errand_is_for(const struct fc_errand *errand, const struct fc_errand_opts *opts);
/* No two have the same; none has 0. */
uint64_t fc_errand_nr(const struct fc_errand *errand);
const struct fc_range *fc_errand_range(const struct fc_errand *errand);
bool fc_errand_is_done(const struct fc_errand *errand);
/* 0 to 1, as far as is known. */
double fc_errand_progress(const struct fc_errand *errand);

/* Once it is done. NULL, or why there is nothing. */
const char *fc_errand_trouble(const struct fc_errand *errand);
/* What of the trace is missing, as far as it was found; NULL: nothing. */
const char *fc_errand_missing(const struct fc_errand *errand);
/* FC_ERRAND_FUNCTIONS: the rows, by total; they may be sorted. */
struct fc_report_row *fc_errand_rows(const struct fc_errand *errand, size_t *nr);
const struct fc_longest *fc_errand_longest(const struct fc_errand *errand, uint32_t func);
/* FC_ERRAND_PATHS */
const struct fc_graph *fc_errand_graph(const struct fc_errand *errand);
const struct fc_callers *fc_errand_callers(const struct fc_errand *errand);

#endif
