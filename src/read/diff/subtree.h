/* SPDX-License-Identifier: Apache-2.0 */
/*
 * subtree.h - the different call trees of one or more traces, each kept once.
 *
 * Two calls have the same tree if they are of the same function, ended in the same way and made
 * the same calls in the same order, with all that is below. Times do not matter. A tree is known
 * by its hash (64 bits), so that equal trees are seen to be equal in O(1), also when memory did
 * not suffice to keep what is inside:
 *
 *	main { f { g g } f { g g } h }      main = { f x 2, h },  f = { g x 2 },  g,  h
 *
 * When the limit is reached the small trees are forgotten first. Their hashes stay known to who
 * calls them; fc_subtrees_want() has them kept when the traces are read once more.
 */
#ifndef FC_READ_DIFF_SUBTREE_H
#define FC_READ_DIFF_SUBTREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The root of a tree: a function and how the call ended, or one of these. */
#define FC_WHAT_ROOT  0u /* a strand: what it called */
#define FC_WHAT_LOST  1u /* lost records: calls = how many */
#define FC_WHAT_REST  2u /* calls beyond the most that one list holds: calls = how many */
#define FC_WHAT_FIRST 3u /* the first function's number */

enum fc_ended {
	FC_ENDED_WELL = 0, /* returned, or jumped to another function */
	FC_ENDED_LEFT,	   /* longjmp, an exception, cancellation */
	FC_ENDED_NEVER,	   /* open when its thread ended */
	FC_ENDED_LOST,	   /* among lost records */
};

static inline uint32_t fc_what(uint32_t number, enum fc_ended ended)
{
	return number << 2 | (uint32_t)ended;
}

static inline uint32_t fc_what_number(uint32_t what)
{
	return what >> 2;
}

static inline enum fc_ended fc_what_ended(uint32_t what)
{
	return (enum fc_ended)(what & 3);
}

/* nr calls in a row with the same tree. */
struct fc_run {
	uint64_t hash;
	uint32_t what;
	uint32_t nr;
};

/* Of the trees below a call those with the least mixed hashes: alike trees share some. */
#define FC_SKETCH 4

struct fc_subtree {
	uint64_t hash;
	uint64_t calls; /* it and all below */
	uint64_t first; /* of its runs */
	uint32_t nr_runs : 31;
	uint32_t is_kept : 1; /* never forgotten */
	uint32_t what;
	uint32_t sketch[FC_SKETCH];
};

struct fc_subtrees;

/* limit_bytes: the most memory to take. */
struct fc_subtrees *fc_subtrees_create(size_t limit_bytes);
void fc_subtrees_destroy(struct fc_subtrees *trees);

/* Keep this tree, of which first and is_kept are not looked at, if it is not there. */
void fc_subtrees_add(struct fc_subtrees *trees, const struct fc_subtree *tree,
		     const struct fc_run *runs);
/* NULL: it is not kept. Both are good until the next is added. */
const struct fc_subtree *fc_subtrees_find(const struct fc_subtrees *trees, uint64_t hash);
const struct fc_run *fc_subtrees_runs(const struct fc_subtrees *trees,
				      const struct fc_subtree *tree);

/* When this tree is added, keep it with all below. */
void fc_subtrees_want(struct fc_subtrees *trees, uint64_t hash);

bool fc_subtrees_has_forgotten(const struct fc_subtrees *trees);
size_t fc_subtrees_bytes(const struct fc_subtrees *trees);

/* From 0 to 1: how much of what two kept trees call they have in common; a guess if it is much. */
double fc_subtrees_alike(const struct fc_subtrees *trees, uint64_t a, uint64_t b);

/* A good hash of two numbers. */
static inline uint64_t fc_mix(uint64_t a, uint64_t b)
{
	uint64_t x = (a ^ (b * 0x9e3779b97f4a7c15ull)) + 0x2545f4914f6cdd1dull;
	x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93ull;
	x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9ull;
	return x ^ (x >> 32);
}

#endif
