/* SPDX-License-Identifier: Apache-2.0 */
/*
 * twins.h - which function of one trace is which of another.
 *
 * There are two sides, of one or more traces each: runs of the same program. Functions are the
 * same if their names and the base names of their files are, or, without a name, their places in
 * the file. Where the files are not the same build (their build ids differ) places say nothing:
 * then all functions of a file without a name are taken for one. A file that only one side has
 * goes with the one that only the other has if their names differ by a version alone (lua5.3 and
 * lua5.4), or if they are the programs that the two sides' first traces began with. Functions that
 * share a name share a number.
 */
#ifndef FC_READ_DIFF_TWINS_H
#define FC_READ_DIFF_TWINS_H

#include "trace/reader.h"

/* The traces of a side, at least one. */
struct fc_twins_side {
	struct fc_reader *const *readers;
	size_t nr;
};

struct fc_twin {
	/* Its id in the first trace of either side, the first if there are several; 0: none. */
	uint32_t func[2];
	const char *any; /* not one function: what to call them, as "lua5.3+?"; else NULL */
};

struct fc_twins;
/* The readers outlive it. */
struct fc_twins *fc_twins_create(const struct fc_twins_side sides[2]);
void fc_twins_destroy(struct fc_twins *twins);

/*
 * Of a function of this trace of this side, 0 or 1. Numbers are dense and begin with FC_WHAT_FIRST
 * (subtree.h).
 */
uint32_t fc_twins_number(const struct fc_twins *twins, int side, size_t run, uint32_t func);
/* NULL: no function has this number. */
const struct fc_twin *fc_twins_get(const struct fc_twins *twins, uint32_t number);
/* The next number that is not given. */
uint32_t fc_twins_end(const struct fc_twins *twins);

/* Are these names of files the same but for a version? */
bool fc_twins_is_version(const char *a, const char *b);

#endif
