/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hist.h - how durations are spread, to about 3 %: sixteen buckets of equal width for each
 * doubling, which are there once something falls between.
 */
#ifndef FC_READ_SUMS_HIST_H
#define FC_READ_SUMS_HIST_H

#include <stdint.h>

enum {
	FC_HIST_BITS = 4, /* of a value behind its first that tell buckets apart */
	FC_HIST_STEPS = 1 << FC_HIST_BITS,
	FC_HIST_OCTAVES = 64 - FC_HIST_BITS + 1,
};

struct fc_hist {
	uint64_t *octave[FC_HIST_OCTAVES]; /* FC_HIST_STEPS each, or NULL */
};

/* Out of line: room for an octave. */
uint64_t *fc_hist_make_octave(struct fc_hist *hist, unsigned octave);
void fc_hist_deinit(struct fc_hist *hist);

static inline void fc_hist_add(struct fc_hist *hist, uint64_t value)
{
	/* Octave 0 has the values below FC_HIST_STEPS, 1 those up to twice that, and so on. */
	unsigned bits = 63 - (unsigned)__builtin_clzll(value | (FC_HIST_STEPS - 1));
	unsigned octave = bits - (FC_HIST_BITS - 1);
	unsigned shift = octave ? octave - 1 : 0;
	uint64_t *steps = hist->octave[octave];
	if (__builtin_expect(!steps, 0))
		steps = fc_hist_make_octave(hist, octave);
	steps[value >> shift & (FC_HIST_STEPS - 1)]++;
}

void fc_hist_merge(struct fc_hist *into, const struct fc_hist *from);

/* fn is told of each bucket that is not empty, the least first: nr values from..to. */
void fc_hist_each(const struct fc_hist *hist,
		  void (*fn)(void *ctx, uint64_t from, uint64_t to, uint64_t nr), void *ctx);

/*
 * The value that `share` of all do not exceed, as the middle of its bucket, but within what is
 * known as the least and the largest. 0: there are none.
 */
uint64_t fc_hist_percentile(const struct fc_hist *hist, double share, uint64_t least,
			    uint64_t largest);

#endif
