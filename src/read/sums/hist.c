/* SPDX-License-Identifier: Apache-2.0 */
/* hist.c - counts durations in buckets, and computes percentiles from them. */
#include "read/sums/hist.h"

#include <stdlib.h>

#include "base/memory.h"

uint64_t *fc_hist_make_octave(struct fc_hist *hist, unsigned octave)
{
	return hist->octave[octave] = fc_alloc(FC_HIST_STEPS * sizeof(uint64_t));
}

void fc_hist_deinit(struct fc_hist *hist)
{
	for (int i = 0; i < FC_HIST_OCTAVES; i++)
		free(hist->octave[i]);
	*hist = (struct fc_hist){ 0 };
}

void fc_hist_merge(struct fc_hist *into, const struct fc_hist *from)
{
	for (unsigned i = 0; i < FC_HIST_OCTAVES; i++) {
		if (!from->octave[i])
			continue;
		uint64_t *to = into->octave[i];
		if (!to)
			to = fc_hist_make_octave(into, i);
		for (int k = 0; k < FC_HIST_STEPS; k++)
			to[k] += from->octave[i][k];
	}
}

static uint64_t begin_of(unsigned octave, unsigned step)
{
	return octave ? (uint64_t)(FC_HIST_STEPS + step) << (octave - 1) : step;
}

static uint64_t width_of(unsigned octave)
{
	return octave ? 1ull << (octave - 1) : 1;
}

void fc_hist_each(const struct fc_hist *hist,
		  void (*fn)(void *ctx, uint64_t from, uint64_t to, uint64_t nr), void *ctx)
{
	for (unsigned i = 0; i < FC_HIST_OCTAVES; i++) {
		for (unsigned k = 0; hist->octave[i] && k < FC_HIST_STEPS; k++) {
			uint64_t from = begin_of(i, k);
			if (hist->octave[i][k])
				fn(ctx, from, from + width_of(i) - 1, hist->octave[i][k]);
		}
	}
}

struct walk {
	uint64_t before; /* values that are less */
	uint64_t nr;	 /* all */
	uint64_t rank;	 /* the one looked for, from 1 on */
	uint64_t found;
};

static void count(void *ctx, uint64_t from, uint64_t to, uint64_t nr)
{
	((struct walk *)ctx)->nr += nr;
}

static void find_rank(void *ctx, uint64_t from, uint64_t to, uint64_t nr)
{
	struct walk *walk = ctx;

	if (walk->before < walk->rank && walk->rank <= walk->before + nr)
		walk->found = from + (to - from) / 2;
	walk->before += nr;
}

uint64_t fc_hist_percentile(const struct fc_hist *hist, double share, uint64_t least,
			    uint64_t largest)
{
	struct walk walk = { 0 };

	fc_hist_each(hist, count, &walk);
	if (!walk.nr)
		return 0;
	double rank = share * (double)walk.nr;
	walk.rank = (uint64_t)rank;
	if ((double)walk.rank < rank || !walk.rank)
		walk.rank++;
	if (walk.rank >= walk.nr)
		return largest;
	fc_hist_each(hist, find_rank, &walk);
	return walk.found < least ? least : walk.found > largest ? largest : walk.found;
}
