/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rates.h - a sink that tells, interval by interval, what functions and threads did in it.
 *
 *	        begin                       end
 *	main  ----|----------------------------|----        open: counts up to now
 *	serve     |  -----    -----     -------|----
 *
 * A call is counted in the interval of its entry. Time belongs to the interval in which it
 * passed, of calls that are still open as well: the sums of all intervals are those of a report.
 *
 * With a budget some functions are only counted, or not seen, at times (enum fc_hook_state).
 * What can be said of them then is reckoned, and marked so.
 */
#ifndef FC_READ_SUMS_RATES_H
#define FC_READ_SUMS_RATES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"
#include "calls/call.h"
#include "trace/source.h"

/* A function in an interval. */
struct fc_rate {
	uint32_t func;
	uint8_t state;		/* enum fc_hook_state, at its end */
	bool is_entry_only;	/* its calls' ends are never seen */
	bool is_unseen;		/* all the time: nothing is known of its calls */
	bool is_calls_reckoned; /* a part of the time it was not seen: calls is for all of it */
	bool has_times;		/* total and self are known, or in part reckoned: */
	bool is_times_reckoned; /* for calls that were counted, from those that were recorded */
	bool is_max_open;	/* the longest call has not ended */
	double calls;		/* entered in the interval */
	double last_calls;	/* if it is unseen: as when it was seen last */
	double total_ticks, self_ticks; /* as in a report, but of the interval */
	uint64_t nr_timed, avg_ticks;	/* calls that ended in it; how long one took */
	uint64_t max_ticks;  /* the longest of these, or of the open ones up to now */
	uint64_t nr_open;    /* at its end */
	uint64_t seen_calls; /* entered in the interval, that were recorded or counted */
	uint64_t calls_ever; /* since the start, the same */
};

/* A thread. */
struct fc_rate_thread {
	int pid, tid;
	uint64_t calls;
	uint64_t busy_ticks; /* in functions that are shown */
	uint32_t depth;	     /* open calls of its innermost stack, at the end */
	uint32_t func;	     /* the innermost of them; 0: none */
};

struct fc_rates_view {
	uint64_t begin_tsc, end_tsc;
	uint64_t lost;		      /* records */
	uint64_t waited;	      /* ticks that the program waited for the tracer */
	FC_VEC(struct fc_rate) funcs; /* all that were called ever, or are not recorded */
	FC_VEC(struct fc_rate_thread) threads; /* that live, or did something */
};

struct fc_rates;
struct fc_rates *fc_rates_create(void);
void fc_rates_destroy(struct fc_rates *rates);
struct fc_call_sink *fc_rates_sink(struct fc_rates *rates);

/* What follows comes in order of time with the calls. As a tap's hooks() and counts(). */
void fc_rates_hooks(struct fc_rates *rates, const struct fc_hook_info *info, size_t nr);
void fc_rates_counts(struct fc_rates *rates, const uint64_t *calls, uint32_t nr);
/* A thread has ended, or with tid 0 a process. */
void fc_rates_task_end(struct fc_rates *rates, int pid, int tid);

/*
 * An interval ends at tsc, and the next begins. calls: who feeds the sink, and knows what is
 * open. The view is the caller's. False, with no view: the first time, which begins the first interval;
 * calls that came before are in it.
 */
bool fc_rates_close(struct fc_rates *rates, const struct fc_calls *calls, uint64_t tsc,
		    struct fc_rates_view *ret);
void fc_rates_view_deinit(struct fc_rates_view *view);

#endif
