/* SPDX-License-Identifier: Apache-2.0 */
/*
 * callers.h - a sink that sums calls for each pair of a caller and a function it called.
 *
 * Over all callers of a function, calls and self times add up to those of report.h. Totals do
 * where there is no recursion: a call within a call of the same pair counts once, but one
 * within a call by somebody else is part of both.
 */
#ifndef FC_READ_SUMS_CALLERS_H
#define FC_READ_SUMS_CALLERS_H

#include <stddef.h>

#include "calls/call.h"
#include "calls/names.h"

/* In place of a caller. */
enum fc_callers_pseudo {
	FC_CALLERS_UNKNOWN = 0, /* it was entered within a gap: nobody knows what it was */
	FC_CALLERS_OUTERMOST = FC_FUNC_MAX + 1, /* nobody: the first call of a stack */
	FC_CALLERS_COUNTED,			/* of calls that were only counted: not known */
	FC_CALLERS_BEYOND,			/* others, as there are too many pairs */
};

/* A caller's name, or what stands in its place. */
struct fc_name fc_callers_name(const struct fc_namer *namer, uint32_t caller);

struct fc_callers_row {
	uint32_t caller; /* or an fc_callers_pseudo */
	uint32_t callee;
	bool is_timed;	/* the end of one of its calls was seen */
	uint64_t calls; /* without those that a forked child inherited */
	uint64_t total; /* ticks in these calls and below */
	uint64_t self;	/* ticks in the function itself */
	/* Of total, off the CPU; and off it in no function that this one called. */
	uint64_t wait, self_wait;
	/*
	 * Of those calls that are within no other of the same function: ticks in them and below,
	 * which add up to the function's total as report.h has it; calls, themselves too.
	 */
	uint64_t once_total, once_calls;
};

/* There are at most so many pairs, and one more for each function. About 72 bytes each. */
#define FC_CALLERS_PAIRS (2u << 20)

struct fc_callers;
/* Pairs beyond max_pairs are summed by function, as called by FC_CALLERS_BEYOND. */
struct fc_callers *fc_callers_create(size_t max_pairs);
void fc_callers_destroy(struct fc_callers *callers);
struct fc_call_sink *fc_callers_sink(struct fc_callers *callers);
/* So many calls more, of which nothing else is known. */
void fc_callers_add_counted(struct fc_callers *callers, uint32_t func, uint64_t calls);

/* Rows 0..nr-1, in no special order. */
size_t fc_callers_nr(const struct fc_callers *callers);
struct fc_callers_row fc_callers_get(const struct fc_callers *callers, size_t i);
/* Ticks that the program waited for fctrace: they are inside the times of its calls. */
uint64_t fc_callers_waited(const struct fc_callers *callers);

#endif
