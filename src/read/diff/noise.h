/* SPDX-License-Identifier: Apache-2.0 */
/*
 * noise.h - which functions changed by more than runs of one program differ by anyway.
 *
 * Numbers of calls. They changed if those of one side's runs are all above those of the other's,
 * by more than the runs of a side differ among themselves. Of one run each any difference is one.
 *
 * Own time. Two figures of each function are compared, by the logarithm of how many times as much
 * they are on side B:
 *
 *	usual	what a call usually takes: the mean without the longest eighth of the calls, which
 *		may have been interrupted. Only of functions with many short calls. Of several
 *		runs the mean of those in the middle, of the other figures the median.
 *	sum	of all calls, interrupted or not.
 *
 * Either changed if it is beyond the pace by more than the noise:
 *
 *	pace	what the machine may account for: from nothing to the median of how the usual
 *		figures of the other functions changed, and as far beyond as these differ, but to
 *		twice the median at most. So no function is part of its own pace. With fewer than
 *		three others, or a median of more than twice as long or half as long, there is no
 *		pace. For sums it also goes to how much more of the time was lost to interruptions.
 *	noise	with several runs: how a function's figure varies between runs of the same side,
 *		or that of most functions if that is more, times what Student's t asks for.
 *		Before that each run's usual figures are divided by how much slower than the
 *		side's other runs it was for most functions. To no change half of the noise is
 *		enough, if the change goes the other way than the pace.
 *		With one run each, of a usual figure: how the change varies between eighths of
 *		the run, but a quarter at least; or twice as long where there is no pace, or
 *		where calls were interrupted for a fifth of a run, as others on the machine use
 *		its caches; and by 200 us, or four times as long. Of a sum, of which nothing is
 *		known: three times as long, by more than 20 ms, and by more than twice what
 *		calls of other functions were held up for; or, of four calls or more, the
 *		shortest one three times as long, and all by 100 us. Sums of short calls, and of
 *		calls that wait for others, are not compared then; the latter by more than 20 ms
 *		otherwise.
 *
 * What is less than 1 us and 1 % of the run is too little to matter.
 */
#ifndef FC_READ_DIFF_NOISE_H
#define FC_READ_DIFF_NOISE_H

#include "read/diff/costs.h"
#include "read/diff/timekinds.h"

/* A function. */
struct fc_judged {
	const struct fc_cost *costs[2]; /* one of each run of each side */
	enum fc_kind_of_time kind;
	/* What fc_noise_judge() finds: */
	bool has_other_calls, has_other_time;
	bool is_unsure; /* it seems to have changed, and more runs would tell */
	/*
	 * Of own time, from A to B, without interruptions where they are known. If only the number
	 * of calls is another: what the calls take that there are more or less of.
	 */
	double change_ns;
};

struct fc_noise {
	double pace;  /* how many times as long most functions took; 1 if it is not known */
	double least; /* a usual figure changed by less than this share of it is noise */
};

void fc_noise_judge(struct fc_judged *functions, size_t nr, const size_t nr_runs[2],
		    struct fc_noise *ret);

#endif
