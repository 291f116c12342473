/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sieve.h - a tap before the trace writer that lets through only the calls asked for.
 *
 * Records are decoded, filtered and encoded again, so the trace that is written is smaller
 * and as well-formed as one without filters: it replays to the same tree as the full trace
 * replayed with these filters. Modules, maps and lives pass unchanged.
 */
#ifndef FC_CALLS_SIEVE_H
#define FC_CALLS_SIEVE_H

#include "calls/filter.h"
#include "trace/source.h"

struct fc_sieve;

/* opts->match, ctx and values are ours: modules tell names, and what results mean. */
struct fc_sieve *fc_sieve_create(const struct fc_filter_opts *opts, struct fc_tap *next);
/*
 * A call that the next tap knows to be open: of each strand from the outermost on, before its
 * records come. func may be 0: not known.
 */
void fc_sieve_add_open(struct fc_sieve *sieve, const struct fc_strand_info *strand,
		       uint32_t func, uint64_t begin_tsc);
/* Another filter from the next records on; as fc_filter_change(). */
void fc_sieve_change(struct fc_sieve *sieve, const struct fc_filter_info *info,
		     uint64_t min_ticks);
/* Only what a module that the next tap knows already is called, and what its values mean. */
int fc_sieve_add_module(struct fc_sieve *sieve, const struct fc_module_info *info);
void fc_sieve_destroy(struct fc_sieve *sieve);
struct fc_tap *fc_sieve_tap(struct fc_sieve *sieve);
const struct fc_filter *fc_sieve_filter(const struct fc_sieve *sieve);

/* No more comes: hand on what is still held. */
void fc_sieve_finish(struct fc_sieve *sieve, uint64_t tsc);

#endif
