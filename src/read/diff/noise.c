/* SPDX-License-Identifier: Apache-2.0 */
/*
 * noise.c - estimates how much self times vary without a cause, and judges each change by it.
 */
#include "read/diff/noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/order.h"

#define MANY	    16	 /* calls: then it does not matter that some were interrupted */
#define SHORT_NS    1e6	 /* a call that is not longer is seldom interrupted */
#define PACE_NS	    20e3 /* own time of a function that shows the pace of the machine */
#define PACE_LEAST  3	 /* functions that show it */
#define PACE_MOST   2.0	 /* times as long: the machine does not become slower than that */
#define LEAST_NS    1e3	 /* a smaller change does not matter */
#define LEAST_SHARE 0.01 /* of the run: the same */
#define STUB_NS	    10	 /* a call: recording it takes about so much more or less */
#define LOST_MOST   0.99 /* of the time */

/* One run each: */
#define ONE_USUAL    1.25
#define ONE_UNPACED  2.0
#define ONE_BUSY     0.2   /* of its time a run was interrupted for: the machine was busy */
#define ONE_CACHE_NS 200e3 /* to fill the caches after others used them takes about that, */
#define ONE_CACHE    4.0   /* and nothing takes so many times as long because of it */
#define ONE_SUM	     3.0
#define ONE_SUM_NS   20e6
#define FEW	     4	   /* calls: not all of them were interrupted */
#define FEW_NS	     100e3 /* own time of all, which does not change by chance */
#define UNSURE	     0.05  /* of the run: a change that is worth more runs */
#define UNSURE_NS    1e6   /* the same */

/* Several runs: */
#define MORE_USUAL    1.03
#define MORE_UNPACED  1.1
#define LEAST_DEVIATE 0.005
/* One run of so many may be anything, but not of so few. */
#define OUTLIERS_USUAL 3
#define OUTLIERS_SUM   5
#define CENTRE	       3 /* a third of the runs at either end is not in the middle */

#define MAD_TO_SIGMA 1.4826 /* of a normal distribution */

/* The figures of a run that are compared. */
enum figure { USUAL, SUM, NR_TIMES, CALLS = NR_TIMES };

/* The figures of a function before it is judged. */
struct shape {
	double middle[NR_TIMES][2]; /* of the side's runs */
	double deviation[NR_TIMES]; /* of the logarithms, between runs of a side */
	bool is_short;		    /* many short calls on both sides */
	bool has_pace;		    /* is one of those that the pace is found by */
	double usual_change;	    /* as a logarithm */
	double held_up_ns;	    /* the longest call by so much longer than usual */
};

struct judge {
	struct fc_judged *functions;
	size_t nr;
	const size_t *nr_runs;
	bool is_one; /* run a side */
	struct shape *shapes;
	double *room; /* for a figure of each run or function */
	/* Of each run: how many times as long it took as the runs of its side usually do. */
	double *paces_of[2];
	double run_ns;
	double deviation[NR_TIMES]; /* of most functions */
	double *paces;		    /* sorted: usual_change of those that have_pace */
	size_t nr_paces;
	double pace_spread;
	double lost;	   /* as a logarithm: how much more time B lost to interruptions */
	bool is_busy;	   /* the machine was, in a run of either side */
	double held_up[3]; /* the longest, of different functions */
};

/* ---- figures of runs ---- */

static int by_size(const void *a, const void *b)
{
	return fc_order(*(const double *)a, *(const double *)b);
}

static void sort(double *at, size_t nr)
{
	if (nr)
		qsort(at, nr, sizeof(*at), by_size);
}

/* at is sorted. */
static double middle_of(const double *at, size_t nr)
{
	if (!nr)
		return 0;
	return nr % 2 ? at[nr / 2] : (at[nr / 2 - 1] + at[nr / 2]) / 2;
}

/*
 * The mean of those in the middle: of a CPU with two speeds the median of ten runs is either, and
 * that of ten others the other.
 */
static double centre_of(const double *at, size_t nr)
{
	size_t out = nr / CENTRE;
	double sum = 0;

	if (nr <= CENTRE)
		return middle_of(at, nr);
	for (size_t i = out; i < nr - out; i++)
		sum += at[i];
	return sum / (double)(nr - 2 * out);
}

static double figure_of(const struct judge *judge, const struct fc_judged *function, int side,
			size_t run, enum figure which)
{
	const struct fc_cost *cost = &function->costs[side][run];

	switch (which) {
	case USUAL:
		return cost->usual_ns / judge->paces_of[side][run];
	case SUM:
		return cost->sum_ns;
	default:
		return (double)cost->calls;
	}
}

/* Sorted into judge->room. */
static const double *figures_of(const struct judge *judge, const struct fc_judged *function,
				int side, enum figure which)
{
	for (size_t i = 0; i < judge->nr_runs[side]; i++)
		judge->room[i] = figure_of(judge, function, side, i, which);
	sort(judge->room, judge->nr_runs[side]);
	return judge->room;
}

static double log_of(double ns)
{
	return log(ns + 1);
}

/*
 * How the logarithms vary between the runs of a side: by the median distance from its median,
 * so that a few runs that were disturbed do not count.
 */
static double deviation_of(struct judge *judge, const struct fc_judged *function,
			   enum figure which, const double middle[2])
{
	size_t nr = 0;

	for (int side = 0; side < 2; side++)
		for (size_t i = 0; judge->nr_runs[side] > 1 && i < judge->nr_runs[side]; i++) {
			double own = log_of(figure_of(judge, function, side, i, which));
			judge->room[nr++] = fabs(own - log_of(middle[side]));
		}
	sort(judge->room, nr);
	/* The distances of the medians themselves are 0, and say nothing. */
	size_t nr_none = 0;
	while (nr_none < 2 && nr_none < nr && judge->room[nr_none] == 0)
		nr_none++;
	return MAD_TO_SIGMA * middle_of(judge->room + nr_none, nr - nr_none);
}

/* ---- shapes ---- */

static bool has_short_calls(struct judge *judge, const struct fc_judged *function,
			    const struct shape *shape)
{
	for (int side = 0; side < 2; side++) {
		for (size_t i = 0; i < judge->nr_runs[side]; i++)
			if (function->costs[side][i].nr_timed < MANY)
				return false;
		if (shape->middle[USUAL][side] > SHORT_NS)
			return false;
	}
	return true;
}

static double held_up_of(const struct judge *judge, const struct fc_judged *function)
{
	double longest = 0;

	for (int side = 0; side < 2; side++)
		for (size_t i = 0; i < judge->nr_runs[side]; i++) {
			const struct fc_cost *cost = &function->costs[side][i];
			longest = fmax(longest, cost->longest_ns - cost->usual_ns);
		}
	return longest;
}

static void find_shape(struct judge *judge, size_t i)
{
	const struct fc_judged *function = &judge->functions[i];
	struct shape *shape = &judge->shapes[i];

	for (enum figure which = 0; which < NR_TIMES; which++) {
		for (int side = 0; side < 2; side++) {
			const double *at = figures_of(judge, function, side, which);
			size_t nr = judge->nr_runs[side];
			shape->middle[which][side] =
				which == USUAL ? centre_of(at, nr) : middle_of(at, nr);
		}
		shape->deviation[which] =
			deviation_of(judge, function, which, shape->middle[which]);
	}
	shape->is_short = has_short_calls(judge, function, shape);
	shape->has_pace = shape->is_short && function->kind == FC_TIME_WORK &&
			  shape->middle[SUM][0] >= PACE_NS && shape->middle[SUM][1] >= PACE_NS;
	shape->usual_change = log_of(shape->middle[USUAL][1]) - log_of(shape->middle[USUAL][0]);
	shape->held_up_ns = shape->has_pace ? held_up_of(judge, function) : 0;
}

static void find_shapes(struct judge *judge)
{
	for (size_t i = 0; i < judge->nr; i++)
		find_shape(judge, i);
}

/* The own time of all calls of a run, by this figure. */
static double time_of(const struct judge *judge, const struct fc_judged *function,
		      const struct shape *shape, int side, enum figure which)
{
	double calls = 1;

	if (which == USUAL)
		calls = middle_of(figures_of(judge, function, side, CALLS),
				  judge->nr_runs[side]);
	return calls * shape->middle[which][side];
}

/* ---- the runs ---- */

/* Of one run: how much longer most functions took than in the side's other runs. */
static double pace_of_run(const struct judge *judge, int side, size_t run)
{
	size_t nr = 0;

	for (size_t i = 0; i < judge->nr; i++) {
		const struct shape *shape = &judge->shapes[i];
		if (!shape->has_pace)
			continue;
		double own = figure_of(judge, &judge->functions[i], side, run, USUAL);
		judge->room[nr++] = log_of(own) - log_of(shape->middle[USUAL][side]);
	}
	sort(judge->room, nr);
	return nr < PACE_LEAST ? 1 : exp(middle_of(judge->room, nr));
}

/* A run in which the machine was slow is no noise of each function. */
static void find_paces_of_runs(struct judge *judge)
{
	for (int side = 0; side < 2; side++)
		for (size_t i = 0; judge->nr_runs[side] > 1 && i < judge->nr_runs[side]; i++)
			judge->paces_of[side][i] = pace_of_run(judge, side, i);
	find_shapes(judge);
}

static bool is_work(const struct fc_judged *function)
{
	return function->kind == FC_TIME_WORK;
}

/* How long it was at work, without interruptions where these are known. */
static void find_run(struct judge *judge)
{
	for (int side = 0; side < 2; side++) {
		double run_ns = 0;
		for (size_t i = 0; i < judge->nr; i++) {
			const struct fc_judged *function = &judge->functions[i];
			const struct shape *shape = &judge->shapes[i];
			if (is_work(function))
				run_ns += time_of(judge, function, shape, side,
						  shape->is_short ? USUAL : SUM);
		}
		judge->run_ns = fmax(judge->run_ns, run_ns);
	}
}

/* Only of functions of which something is known. */
static void find_deviations(struct judge *judge)
{
	for (enum figure which = 0; which < NR_TIMES; which++) {
		size_t nr = 0;
		for (size_t i = 0; i < judge->nr; i++) {
			const struct shape *shape = &judge->shapes[i];
			if (!is_work(&judge->functions[i]) ||
			    (which == USUAL && !shape->is_short) ||
			    fmax(shape->middle[SUM][0], shape->middle[SUM][1]) <
				    LEAST_SHARE * judge->run_ns)
				continue;
			judge->room[nr++] = shape->deviation[which];
		}
		sort(judge->room, nr);
		judge->deviation[which] = fmax(middle_of(judge->room, nr), LEAST_DEVIATE);
	}
}

static void find_paces(struct judge *judge)
{
	for (size_t i = 0; i < judge->nr; i++)
		if (judge->shapes[i].has_pace)
			judge->paces[judge->nr_paces++] = judge->shapes[i].usual_change;
	sort(judge->paces, judge->nr_paces);
	double pace = middle_of(judge->paces, judge->nr_paces);
	for (size_t i = 0; i < judge->nr_paces; i++)
		judge->room[i] = fabs(judge->paces[i] - pace);
	sort(judge->room, judge->nr_paces);
	judge->pace_spread = MAD_TO_SIGMA * middle_of(judge->room, judge->nr_paces);
}

/* The share of its time that a side's calls took longer than usual for. */
static double lost_of(const struct judge *judge, int side)
{
	double lost = 0, all = 0;

	for (size_t i = 0; i < judge->nr; i++)
		for (size_t k = 0; judge->shapes[i].has_pace && k < judge->nr_runs[side]; k++) {
			const struct fc_cost *cost = &judge->functions[i].costs[side][k];
			double usually = cost->usual_ns * (double)cost->nr_timed;
			lost += fmax(cost->sum_ns - usually, 0);
			all += cost->sum_ns;
		}
	return all > 0 ? fmin(lost / all, LOST_MOST) : 0;
}

static void find_interruptions(struct judge *judge)
{
	double lost[2] = { lost_of(judge, 0), lost_of(judge, 1) };

	judge->is_busy = fmax(lost[0], lost[1]) > ONE_BUSY;
	judge->lost = log(1 - lost[0]) - log(1 - lost[1]);
	judge->lost = fmax(fmin(judge->lost, log(ONE_SUM)), -log(ONE_SUM));
	for (size_t i = 0; i < judge->nr; i++) {
		double own = judge->shapes[i].held_up_ns;
		for (size_t k = 0; k < 3; k++) {
			if (own <= judge->held_up[k])
				continue;
			double next = judge->held_up[k];
			judge->held_up[k] = own;
			own = next;
		}
	}
}

/* The second of those that other functions were held up for: one alone may do so by itself. */
static double held_up_others(const struct judge *judge, const struct shape *shape)
{
	return judge->held_up[shape->held_up_ns >= judge->held_up[1] ? 2 : 1];
}

/* ---- the pace ---- */

/* Where it stands among those that the pace is found by; nr_paces: nowhere. */
static size_t place_of(const struct judge *judge, const struct shape *shape)
{
	size_t from = 0, to = judge->nr_paces;

	if (!shape || !shape->has_pace)
		return judge->nr_paces;
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (judge->paces[middle] < shape->usual_change)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/* The median of the others' changes; shape NULL: of all. */
static bool find_pace(const struct judge *judge, const struct shape *shape, double *ret)
{
	size_t own = place_of(judge, shape), nr = judge->nr_paces - (own < judge->nr_paces);
	size_t lower = nr ? (nr - 1) / 2 : 0, upper = nr / 2;

	*ret = 0;
	if (nr < PACE_LEAST)
		return false;
	double pace =
		(judge->paces[lower + (lower >= own)] + judge->paces[upper + (upper >= own)]) /
		2;
	if (fabs(pace) > log(PACE_MOST))
		return false;
	*ret = pace;
	return true;
}

struct bounds {
	double from, to; /* as a logarithm: what the machine may account for */
	double pace;
	bool is_paced;
};

static struct bounds bounds_of(const struct judge *judge, const struct shape *shape,
			       enum figure which)
{
	struct bounds ret;

	ret.is_paced = find_pace(judge, shape, &ret.pace);
	double beyond = fmin(fabs(ret.pace), 2 * judge->pace_spread);
	ret.from = fmin(0, ret.pace - beyond);
	ret.to = fmax(0, ret.pace + beyond);
	if (which == SUM) {
		ret.from = fmin(ret.from, judge->lost);
		ret.to = fmax(ret.to, judge->lost);
	}
	return ret;
}

static bool is_beyond(const struct bounds *bounds, double change, double noise)
{
	return change > bounds->to + noise || change < bounds->from - noise;
}

/* ---- one run each ---- */

static bool is_relevant(const struct judge *judge, double change_ns)
{
	return fabs(change_ns) >= fmax(LEAST_NS, LEAST_SHARE * judge->run_ns);
}

/* The change of the eighths of the run: their median, and how they vary. */
static double change_of_parts(const struct judge *judge, const struct fc_judged *function,
			      const struct shape *shape, double *deviation)
{
	const struct fc_cost *a = function->costs[0], *b = function->costs[1];
	unsigned nr = a->nr_parts;

	*deviation = 0;
	if (a->nr_parts != b->nr_parts)
		return shape->usual_change;
	for (unsigned i = 0; i < nr; i++)
		judge->room[i] = log_of(b->part_ns[i]) - log_of(a->part_ns[i]);
	sort(judge->room, nr);
	double change = middle_of(judge->room, nr);
	for (unsigned i = 0; i < nr; i++)
		judge->room[i] = fabs(judge->room[i] - change);
	sort(judge->room, nr);
	*deviation = MAD_TO_SIGMA * middle_of(judge->room, nr);
	return change;
}

/* What others do to the caches makes some functions slower than most, with no pace to show it. */
static double least_of_one(const struct judge *judge, bool is_paced)
{
	return is_paced && !judge->is_busy ? ONE_USUAL : ONE_UNPACED;
}

static bool may_be_cache(const struct judge *judge, const struct fc_judged *function,
			 const struct shape *shape)
{
	double change = time_of(judge, function, shape, 1, USUAL) -
			time_of(judge, function, shape, 0, USUAL);

	return fabs(change) < ONE_CACHE_NS && fabs(shape->usual_change) < log(ONE_CACHE);
}

static bool has_one_usual(const struct judge *judge, const struct fc_judged *function,
			  const struct shape *shape)
{
	struct bounds bounds = bounds_of(judge, shape, USUAL);
	double deviation;
	double change = change_of_parts(judge, function, shape, &deviation);
	double least = log(least_of_one(judge, bounds.is_paced));

	double noise = fmax(least, 2 * deviation);

	return is_beyond(&bounds, change, noise) &&
	       is_beyond(&bounds, shape->usual_change, noise) &&
	       change * shape->usual_change > 0 && !may_be_cache(judge, function, shape) &&
	       fabs(shape->middle[USUAL][1] - shape->middle[USUAL][0]) >= STUB_NS;
}

static bool has_one_sum(const struct judge *judge, const struct shape *shape)
{
	const double *both = shape->middle[SUM];
	struct bounds bounds = bounds_of(judge, shape, SUM);

	return is_beyond(&bounds, log_of(both[1]) - log_of(both[0]), log(ONE_SUM)) &&
	       fabs(both[1] - both[0]) > fmax(ONE_SUM_NS, 2 * held_up_others(judge, shape));
}

/*
 * Of a few calls: that even the shortest one is another. It was not interrupted, as long as there
 * are some.
 */
static bool has_one_shortest(const struct judge *judge, const struct fc_judged *function,
			     const struct shape *shape)
{
	const struct fc_cost *a = function->costs[0], *b = function->costs[1];
	uint64_t calls = a->nr_timed < b->nr_timed ? a->nr_timed : b->nr_timed;
	struct bounds bounds = bounds_of(judge, shape, SUM);
	double change = b->shortest_ns - a->shortest_ns;

	return calls >= FEW && fabs(change) * (double)calls >= FEW_NS &&
	       is_relevant(judge, change * (double)calls) &&
	       is_beyond(&bounds, log_of(b->shortest_ns) - log_of(a->shortest_ns),
			 log(ONE_SUM));
}

/* ---- several runs ---- */

/* About Student's t for three in ten thousand, by the degrees of freedom. */
static double students_t(const size_t nr_runs[2])
{
	return 3.8 * (1 + 6 / (double)(nr_runs[0] + nr_runs[1] - 2));
}

/* How far apart the two sides' figures are without a change, where runs deviate by so much. */
static double noise_of(const size_t nr_runs[2], double deviation, bool is_paced)
{
	double error = deviation * sqrt(1.0 / (double)nr_runs[0] + 1.0 / (double)nr_runs[1]);
	return fmax(log(is_paced ? MORE_USUAL : MORE_UNPACED), students_t(nr_runs) * error);
}

struct span {
	double from, to;
};

/* Of the logarithms of a figure, without the few runs at either end. */
static struct span span_of(const struct judge *judge, const struct fc_judged *function,
			   int side, enum figure which)
{
	const double *at = figures_of(judge, function, side, which);
	size_t nr = judge->nr_runs[side];
	size_t out = (nr - 1) / (which == USUAL ? OUTLIERS_USUAL : OUTLIERS_SUM);

	return (struct span){ log_of(at[out]), log_of(at[nr - 1 - out]) };
}

/* Are the runs of one side beyond those of the other? By how much; the longer span in *ret. */
static double gap_of(const struct judge *judge, const struct fc_judged *function,
		     enum figure which, double *ret)
{
	struct span a = span_of(judge, function, 0, which);
	struct span b = span_of(judge, function, 1, which);

	*ret = fmax(a.to - a.from, b.to - b.from);
	return fmax(a.from - b.to, b.from - a.to);
}

/*
 * If the machine was a little faster in the runs of B, what became slower by 5 % took only 3 %
 * longer: to no change half of the noise is far enough, if it is all of it to the pace.
 */
static bool is_off_pace(const struct bounds *bounds, double change, double noise)
{
	return is_beyond(bounds, change, noise / 2) && fabs(change - bounds->pace) > noise &&
	       (bounds->pace * change < 0 || is_beyond(bounds, change, noise));
}

static bool has_more(const struct judge *judge, const struct fc_judged *function,
		     const struct shape *shape, enum figure which)
{
	const double *both = shape->middle[which];
	struct bounds bounds = bounds_of(judge, shape, which);
	double deviation = fmax(shape->deviation[which], judge->deviation[which]), span;
	double gap = gap_of(judge, function, which, &span);
	double change = log_of(both[1]) - log_of(both[0]);
	double noise = noise_of(judge->nr_runs, deviation, bounds.is_paced);

	if (which == SUM)
		return gap > span && is_beyond(&bounds, change, noise);
	return gap > 0 && is_off_pace(&bounds, change, noise);
}

/* ---- one function ---- */

static bool is_all(const struct judge *judge, const struct fc_judged *function, int side,
		   bool is_called)
{
	for (size_t i = 0; i < judge->nr_runs[side]; i++)
		if (!function->costs[side][i].calls == is_called)
			return false;
	return true;
}

static bool has_other_calls(const struct judge *judge, const struct fc_judged *function)
{
	double from[2], to[2];

	for (int side = 0; side < 2; side++) {
		const double *at = figures_of(judge, function, side, CALLS);
		from[side] = at[0];
		to[side] = at[judge->nr_runs[side] - 1];
		/* New, or gone, in all runs. */
		if (is_all(judge, function, side, false) &&
		    is_all(judge, function, !side, true))
			return true;
	}
	return fmax(from[0] - to[1], from[1] - to[0]) > fmax(to[0] - from[0], to[1] - from[1]);
}

static double change_ns(const struct judge *judge, const struct fc_judged *function,
			const struct shape *shape, enum figure which)
{
	return time_of(judge, function, shape, 1, which) -
	       time_of(judge, function, shape, 0, which);
}

/* With one run of each: a sum of short calls may be one call that was interrupted. */
static bool has_one(const struct judge *judge, const struct fc_judged *function,
		    const struct shape *shape, enum figure which)
{
	if (shape->is_short)
		return which == USUAL && has_one_usual(judge, function, shape);
	return which == SUM && function->kind != FC_TIME_WAIT &&
	       (has_one_sum(judge, shape) || has_one_shortest(judge, function, shape));
}

/* The kernel lets others run where they can do so at once: how long depends on them. */
static bool is_short_wait(const struct fc_judged *function, enum figure which, double change)
{
	return function->kind == FC_TIME_WAIT && which == SUM && fabs(change) < ONE_SUM_NS;
}

static bool has_changed(const struct judge *judge, const struct fc_judged *function,
			const struct shape *shape, enum figure which)
{
	double change = change_ns(judge, function, shape, which);

	if (function->kind == FC_TIME_JOIN || !is_relevant(judge, change) ||
	    is_short_wait(function, which, change))
		return false;
	return judge->is_one ? has_one(judge, function, shape, which)
			     : has_more(judge, function, shape, which);
}

/* Does it seem to have changed by much, but one run of each does not tell that from noise? */
static bool is_unsure(const struct judge *judge, const struct shape *shape, double change,
		      enum figure which)
{
	struct bounds bounds = bounds_of(judge, shape, which);
	const double *both = shape->middle[which];

	return judge->is_one && fabs(change) >= fmax(UNSURE_NS, UNSURE * judge->run_ns) &&
	       (which == USUAL || !shape->is_short) &&
	       is_beyond(&bounds, log_of(both[1]) - log_of(both[0]), log(ONE_USUAL));
}

/* Judge it by this figure. False: that did not change. */
static bool judge_by(const struct judge *judge, struct fc_judged *function,
		     const struct shape *shape, enum figure which)
{
	double change = change_ns(judge, function, shape, which);

	function->has_other_time = has_changed(judge, function, shape, which);
	function->is_unsure = is_work(function) && !function->has_other_time &&
			      !function->has_other_calls &&
			      is_unsure(judge, shape, change, which);
	if (!function->has_other_time && !function->is_unsure)
		return false;
	function->change_ns = change;
	return true;
}

/* What the calls take that there are more or less of; that the others vary is no change. */
static double change_of_calls(const struct judge *judge, const struct fc_judged *function,
			      const struct shape *shape)
{
	double calls[2], ns = 0, nr = 0;

	for (int side = 0; side < 2; side++) {
		calls[side] = middle_of(figures_of(judge, function, side, CALLS),
					judge->nr_runs[side]);
		ns += time_of(judge, function, shape, side, USUAL);
		nr += calls[side];
	}
	return nr > 0 ? (calls[1] - calls[0]) * ns / nr : 0;
}

static void judge_one(struct judge *judge, size_t i)
{
	struct fc_judged *function = &judge->functions[i];
	const struct shape *shape = &judge->shapes[i];

	function->has_other_calls = function->has_other_time = function->is_unsure = false;
	function->change_ns = change_ns(judge, function, shape, shape->is_short ? USUAL : SUM);
	if (function->kind == FC_TIME_LOADER)
		return;
	function->has_other_calls = has_other_calls(judge, function);
	if (!shape->is_short || !judge_by(judge, function, shape, USUAL))
		judge_by(judge, function, shape, SUM);
	if (function->has_other_calls && !function->has_other_time)
		function->change_ns = change_of_calls(judge, function, shape);
}

static double least_of(const struct judge *judge, bool is_paced)
{
	if (judge->is_one)
		return least_of_one(judge, is_paced);
	return exp(noise_of(judge->nr_runs, judge->deviation[USUAL], is_paced));
}

static size_t room_for(const size_t nr_runs[2], size_t nr)
{
	return nr_runs[0] + nr_runs[1] + nr + FC_COST_PARTS;
}

void fc_noise_judge(struct fc_judged *functions, size_t nr, const size_t nr_runs[2],
		    struct fc_noise *ret)
{
	double pace;
	struct judge judge = {
		.functions = functions,
		.nr = nr,
		.nr_runs = nr_runs,
		.is_one = nr_runs[0] == 1 && nr_runs[1] == 1,
		.shapes = fc_alloc((nr + 1) * sizeof(struct shape)),
		.room = fc_alloc(room_for(nr_runs, nr) * sizeof(double)),
		.paces = fc_alloc((nr + 1) * sizeof(double)),
	};

	for (int side = 0; side < 2; side++) {
		judge.paces_of[side] = fc_alloc(nr_runs[side] * sizeof(double));
		for (size_t i = 0; i < nr_runs[side]; i++)
			judge.paces_of[side][i] = 1;
	}
	find_shapes(&judge);
	find_paces_of_runs(&judge);
	find_run(&judge);
	find_deviations(&judge);
	find_paces(&judge);
	find_interruptions(&judge);
	for (size_t i = 0; i < nr; i++)
		judge_one(&judge, i);
	bool is_paced = find_pace(&judge, NULL, &pace);
	*ret = (struct fc_noise){ exp(pace), least_of(&judge, is_paced) - 1 };
	free(judge.shapes);
	free(judge.room);
	free(judge.paces);
	free(judge.paces_of[0]);
	free(judge.paces_of[1]);
}
