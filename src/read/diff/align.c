/* SPDX-License-Identifier: Apache-2.0 */
/* align.c - walks two trees side by side, and reports each difference. */
#include "read/diff/align.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "read/diff/lcs.h"

#define EFFORT	   1000 /* steps that are not common, before lists are taken as they are */
#define UNITS_MOST 4096 /* calls that are looked at one by one, not as runs of equal ones */
#define PAIRS_MOST (64 * 1024) /* pairs of calls that are weighed against each other */

struct list {
	struct fc_run *at;
	size_t nr, room;
};

struct steps {
	struct fc_align_step *at;
	size_t nr, room;
};

/* A pair of calls that is being looked into. */
struct level {
	struct steps steps;
	size_t next;
};

struct align {
	const struct fc_align_opts *opts;
	FC_VEC(struct level) levels; /* outermost first */
	uint64_t nr_cut;
};

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static struct fc_run some_of(struct fc_run run, uint32_t nr)
{
	run.nr = nr;
	return run;
}

/* Calls that follow equal ones were made more often, or less. True: told with the last step. */
static bool joins(struct fc_align_step *last, enum fc_align_step_kind kind, struct fc_run run)
{
	bool has_a = last->kind == FC_SAME || last->kind == FC_TIMES || last->kind == FC_GONE;
	uint64_t hash = has_a ? last->a.hash : last->b.hash;

	if (last->kind == FC_CHANGED || hash != run.hash)
		return false;
	if (last->kind == kind && kind != FC_SAME) {
		struct fc_run *own = kind == FC_NEW ? &last->b : &last->a;
		if (own->nr > UINT32_MAX - run.nr)
			return false;
		own->nr += run.nr;
		return true;
	}
	uint32_t a = last->kind == FC_NEW ? 0 : last->a.nr;
	uint32_t b = last->kind == FC_GONE ? 0 : last->b.nr;
	if ((kind != FC_NEW && a > UINT32_MAX - run.nr) ||
	    (kind != FC_GONE && b > UINT32_MAX - run.nr))
		return false;
	last->a = some_of(run, a + (kind == FC_NEW ? 0 : run.nr));
	last->b = some_of(run, b + (kind == FC_GONE ? 0 : run.nr));
	last->kind = last->a.nr == last->b.nr ? FC_SAME : FC_TIMES;
	return true;
}

/* kind: FC_SAME, FC_GONE or FC_NEW. */
static void add_run(struct steps *steps, enum fc_align_step_kind kind, struct fc_run run)
{
	if (!run.nr || (steps->nr && joins(&steps->at[steps->nr - 1], kind, run)))
		return;
	struct fc_align_step step = { .kind = kind };
	if (kind != FC_NEW)
		step.a = run;
	if (kind != FC_GONE)
		step.b = run;
	fc_vec_push(steps, step);
}

static void add_changed(struct steps *steps, struct fc_run a, struct fc_run b)
{
	struct fc_align_step *last = steps->nr ? &steps->at[steps->nr - 1] : NULL;
	uint32_t nr = least(a.nr, b.nr);

	if (last && last->kind == FC_CHANGED && last->a.hash == a.hash &&
	    last->b.hash == b.hash && last->a.nr <= UINT32_MAX - nr)
		last->a.nr = last->b.nr = last->a.nr + nr;
	else
		fc_vec_push(steps, (struct fc_align_step){ FC_CHANGED, some_of(a, nr),
							   some_of(b, nr) });
	add_run(steps, FC_GONE, some_of(a, a.nr - nr));
	add_run(steps, FC_NEW, some_of(b, b.nr - nr));
}

/* Of the same function, or the rest of a list? How it ended may differ. */
static bool may_be_same(const struct fc_run *a, const struct fc_run *b)
{
	uint32_t number = fc_what_number(a->what);
	return number == fc_what_number(b->what) && number != FC_WHAT_LOST;
}

/* ---- calls that have no equal on the other side ---- */

/*
 * The best pairs in order: score[i][j] is what can be had from a[i...] and b[j...]. A pair
 * counts, and more so the more alike it is.
 */
static void pair_best(struct align *align, const struct fc_run *a, size_t nr_a,
		      const struct fc_run *b, size_t nr_b, struct steps *steps)
{
	size_t width = nr_b + 1;
	float *score = fc_alloc((nr_a + 1) * width * sizeof(*score));
	float *pair = fc_alloc((nr_a + 1) * width * sizeof(*pair));

	for (size_t i = nr_a; i-- > 0;) {
		for (size_t j = nr_b; j-- > 0;) {
			float best = score[(i + 1) * width + j];
			float other = score[i * width + j + 1];
			best = other > best ? other : best;
			if (may_be_same(&a[i], &b[j])) {
				double alike = fc_subtrees_alike(align->opts->trees, a[i].hash,
								 b[j].hash);
				pair[i * width + j] =
					score[(i + 1) * width + j + 1] + 1 + 2 * (float)alike;
				if (pair[i * width + j] > best)
					best = pair[i * width + j];
			}
			score[i * width + j] = best;
		}
	}
	size_t i = 0, j = 0;
	while (i < nr_a || j < nr_b) {
		size_t at = i * width + j;
		if (i < nr_a && j < nr_b && pair[at] > 0 && pair[at] >= score[at]) {
			add_changed(steps, a[i++], b[j++]);
		} else if (i < nr_a && score[at + width] >= score[at]) {
			add_run(steps, FC_GONE, a[i++]);
		} else {
			add_run(steps, FC_NEW, b[j++]);
		}
	}
	free(score);
	free(pair);
}

static void add_runs(struct steps *steps, enum fc_align_step_kind kind,
		     const struct fc_run *runs, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		add_run(steps, kind, runs[i]);
}

static uint64_t *functions_of(const struct fc_run *runs, size_t nr)
{
	uint64_t *ret = fc_alloc((nr + 1) * sizeof(*ret));

	for (size_t i = 0; i < nr; i++)
		ret[i] = fc_what_number(runs[i].what);
	return ret;
}

/* Too many to weigh: by their functions alone. */
static void pair_many(struct align *align, const struct fc_run *a, size_t nr_a,
		      const struct fc_run *b, size_t nr_b, struct steps *steps)
{
	uint64_t *left = functions_of(a, nr_a), *right = functions_of(b, nr_b);
	struct fc_commons common = { 0 };
	size_t i = 0, j = 0;

	if (!fc_lcs(left, nr_a, right, nr_b, EFFORT, &common))
		align->nr_cut++;
	fc_vec_each (&common, c) {
		add_runs(steps, FC_GONE, a + i, c->i - i);
		add_runs(steps, FC_NEW, b + j, c->j - j);
		for (size_t k = 0; k < c->nr; k++) {
			if (may_be_same(&a[c->i + k], &b[c->j + k])) {
				add_changed(steps, a[c->i + k], b[c->j + k]);
			} else {
				add_run(steps, FC_GONE, a[c->i + k]);
				add_run(steps, FC_NEW, b[c->j + k]);
			}
		}
		i = c->i + c->nr;
		j = c->j + c->nr;
	}
	add_runs(steps, FC_GONE, a + i, nr_a - i);
	add_runs(steps, FC_NEW, b + j, nr_b - j);
	fc_vec_free(&common);
	free(left);
	free(right);
}

static void pair(struct align *align, const struct fc_run *a, size_t nr_a,
		 const struct fc_run *b, size_t nr_b, struct steps *steps)
{
	if (!nr_a || !nr_b) {
		add_runs(steps, FC_GONE, a, nr_a);
		add_runs(steps, FC_NEW, b, nr_b);
	} else if (nr_a <= PAIRS_MOST / nr_b) {
		pair_best(align, a, nr_a, b, nr_b, steps);
	} else {
		pair_many(align, a, nr_a, b, nr_b, steps);
	}
}

/* ---- two lists of calls ---- */

static uint64_t calls_in(const struct fc_run *runs, size_t nr)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < nr; i++)
		sum += runs[i].nr;
	return sum;
}

/* Call by call where these are few, so that of five equal ones three may be found. */
static struct list units_of(const struct fc_run *runs, size_t nr, bool is_few)
{
	struct list ret = { 0 };

	fc_vec_reserve(&ret, 1); /* its address is used even if it is empty */
	for (size_t i = 0; i < nr; i++) {
		for (uint32_t n = 0; is_few && n < runs[i].nr; n++)
			fc_vec_push(&ret, some_of(runs[i], 1));
		if (!is_few)
			fc_vec_push(&ret, runs[i]);
	}
	return ret;
}

static uint64_t *hashes_of(const struct list *list)
{
	uint64_t *ret = fc_alloc((list->nr + 1) * sizeof(*ret));

	for (size_t i = 0; i < list->nr; i++)
		ret[i] = list->at[i].hash;
	return ret;
}

static void same(struct steps *steps, struct fc_run a, struct fc_run b)
{
	uint32_t nr = least(a.nr, b.nr);

	add_run(steps, FC_SAME, some_of(a, nr));
	add_run(steps, FC_GONE, some_of(a, a.nr - nr));
	add_run(steps, FC_NEW, some_of(b, b.nr - nr));
}

static void align_middle(struct align *align, const struct fc_run *a, size_t nr_a,
			 const struct fc_run *b, size_t nr_b, struct steps *steps)
{
	bool is_few = calls_in(a, nr_a) + calls_in(b, nr_b) <= UNITS_MOST;
	struct list left = units_of(a, nr_a, is_few), right = units_of(b, nr_b, is_few);
	uint64_t *hashes_a = hashes_of(&left), *hashes_b = hashes_of(&right);
	struct fc_commons common = { 0 };
	size_t i = 0, j = 0;

	if (!fc_lcs(hashes_a, left.nr, hashes_b, right.nr, EFFORT, &common))
		align->nr_cut++;
	fc_vec_each (&common, c) {
		pair(align, left.at + i, c->i - i, right.at + j, c->j - j, steps);
		for (size_t k = 0; k < c->nr; k++)
			same(steps, left.at[c->i + k], right.at[c->j + k]);
		i = c->i + c->nr;
		j = c->j + c->nr;
	}
	pair(align, left.at + i, left.nr - i, right.at + j, right.nr - j, steps);
	fc_vec_free(&common);
	fc_vec_free(&left);
	fc_vec_free(&right);
	free(hashes_a);
	free(hashes_b);
}

/* What both lists begin with is told, and taken off them. */
static void take_begin(struct list *a, struct list *b, struct steps *steps)
{
	while (a->nr && b->nr && a->at->hash == b->at->hash) {
		uint32_t nr = least(a->at->nr, b->at->nr);
		add_run(steps, FC_SAME, some_of(*a->at, nr));
		a->at->nr -= nr;
		b->at->nr -= nr;
		if (!a->at->nr)
			a->at++, a->nr--;
		if (!b->at->nr)
			b->at++, b->nr--;
	}
}

/* What both end with, last first. */
static struct list take_end(struct list *a, struct list *b)
{
	struct list ret = { 0 };

	while (a->nr && b->nr && a->at[a->nr - 1].hash == b->at[b->nr - 1].hash) {
		struct fc_run *left = &a->at[a->nr - 1], *right = &b->at[b->nr - 1];
		uint32_t nr = least(left->nr, right->nr);
		fc_vec_push(&ret, some_of(*left, nr));
		left->nr -= nr;
		right->nr -= nr;
		a->nr -= !left->nr;
		b->nr -= !right->nr;
	}
	return ret;
}

static struct list copy_of(const struct fc_subtrees *trees, const struct fc_subtree *tree)
{
	struct list ret = { .nr = tree->nr_runs };

	ret.at = fc_alloc((ret.nr + 1) * sizeof(*ret.at));
	if (ret.nr)
		memcpy(ret.at, fc_subtrees_runs(trees, tree), ret.nr * sizeof(*ret.at));
	return ret;
}

static void align_lists(struct align *align, const struct fc_subtree *left,
			const struct fc_subtree *right, struct steps *steps)
{
	struct list a = copy_of(align->opts->trees, left);
	struct list b = copy_of(align->opts->trees, right);
	struct fc_run *own_a = a.at, *own_b = b.at;

	take_begin(&a, &b, steps);
	struct list end = take_end(&a, &b);
	if (a.nr || b.nr)
		align_middle(align, a.at, a.nr, b.at, b.nr, steps);
	while (end.nr)
		add_run(steps, FC_SAME, end.at[--end.nr]);
	fc_vec_free(&end);
	free(own_a);
	free(own_b);
}

/* ---- trees ---- */

static void report_step(struct align *align, enum fc_align_step_kind kind)
{
	align->opts->tell(align->opts->ctx, &(struct fc_align_step){ .kind = kind });
}

/* Look into a pair of calls, if that is wanted. */
static void enter(struct align *align, const struct fc_align_step *step)
{
	struct level level = { .next = 0 };

	if (!align->opts->tell(align->opts->ctx, step))
		return;
	const struct fc_subtree *a = fc_subtrees_find(align->opts->trees, step->a.hash);
	const struct fc_subtree *b = fc_subtrees_find(align->opts->trees, step->b.hash);
	if (a && b && fc_what_number(a->what) != FC_WHAT_REST)
		align_lists(align, a, b, &level.steps);
	else
		align->opts->tell(align->opts->ctx,
				  &(struct fc_align_step){ FC_UNKNOWN, step->a, step->b });
	/* There may be a million levels, of a step or two each. */
	level.steps.room = level.steps.nr;
	level.steps.at =
		fc_realloc(level.steps.at, (level.steps.nr + 1) * sizeof(*level.steps.at));
	fc_vec_push(&align->levels, level);
}

static void leave(struct align *align)
{
	struct level *level = &align->levels.at[--align->levels.nr];

	fc_vec_free(&level->steps);
	report_step(align, FC_LEFT);
}

static bool is_enough(const struct align *align)
{
	return align->opts->is_enough && align->opts->is_enough(align->opts->ctx);
}

uint64_t fc_align(const struct fc_align_opts *opts, struct fc_run a, struct fc_run b)
{
	struct align align = { .opts = opts };
	struct fc_align_step top = { a.hash == b.hash ? FC_SAME : FC_CHANGED, a, b };

	if (top.kind == FC_CHANGED)
		enter(&align, &top);
	else
		opts->tell(opts->ctx, &top);
	while (align.levels.nr && !is_enough(&align)) {
		struct level *level = &align.levels.at[align.levels.nr - 1];
		if (level->next == level->steps.nr) {
			leave(&align);
			continue;
		}
		struct fc_align_step step = level->steps.at[level->next++];
		if (step.kind == FC_CHANGED)
			enter(&align, &step);
		else
			opts->tell(opts->ctx, &step);
	}
	fc_vec_each (&align.levels, level)
		fc_vec_free(&level->steps);
	fc_vec_free(&align.levels);
	return align.nr_cut;
}
