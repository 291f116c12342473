/* SPDX-License-Identifier: Apache-2.0 */
/* step_values.c - finds the marks of values that belong to a call, and formats them. */
#include "show/tui/step_values.h"

#include <stdlib.h>

#include "base/memory.h"
#include "capture/agent/fetch.h"
#include "show/tui/reels.h"
#include "values/recorded_text.h"

enum {
	KEPT_REELS = 8,
	MOST_JUMPS = 64, /* of a chain of tail calls that is gone along, each way */
};

struct fc_step_values {
	const struct fc_values *values;
	struct fc_reels *reels;
	struct fc_walk *walk;
	struct fc_value_text text;
};

struct fc_step_values *fc_step_values_create(struct fc_reader *reader,
					     const struct fc_values *values)
{
	struct fc_step_values *ret = fc_alloc(sizeof(*ret));
	ret->values = values;
	ret->reels = fc_reels_create_with_values(reader, KEPT_REELS);
	ret->walk = fc_walk_create(reader);
	fc_walk_set_single(ret->walk, true);
	return ret;
}

void fc_step_values_destroy(struct fc_step_values *values)
{
	if (!values)
		return;
	fc_reels_destroy(values->reels);
	fc_walk_destroy(values->walk);
	free(values);
}

/* A copy, since a reel may go as another one is read; the caller frees *words. */
static uint32_t words_of(struct fc_step_values *values, const struct fc_step *step,
			 struct fc_walk_place place, uint32_t func, bool is_result,
			 uint64_t **words)
{
	uint32_t nr;
	const uint64_t *at = fc_reels_values(values->reels, step->strand, place.packet,
					     place.record, func, is_result, &nr);
	*words = nr ? fc_memdup(at, nr * sizeof(*at)) : NULL;
	return nr;
}

/* ---- chains of tail calls ---- */

/* The call that this one jumped to. False: it did not jump. */
static bool next_of(struct fc_step_values *values, struct fc_step *step)
{
	struct fc_step next;
	if (step->left != FC_LEFT_TAIL || !step->is_end_known ||
	    fc_walk_here(values->walk, step->strand, step->depth, step->behind, &next) <= 0 ||
	    next.kind != FC_STEP_CALL)
		return false;
	*step = next;
	return true;
}

/* The call that jumped to this one. */
static bool previous_of(struct fc_step_values *values, struct fc_step *step)
{
	struct fc_walk_place at = step->place;
	struct fc_step previous;
	if (fc_walk_back(values->walk, step->strand, step->depth, &at, &previous) <= 0 ||
	    previous.kind != FC_STEP_CALL || previous.left != FC_LEFT_TAIL ||
	    fc_place_compare(previous.behind, step->place))
		return false;
	*step = previous;
	return true;
}

/* What the call of the chain was given by whose stub the result was fetched: it may be another one. */
static uint32_t given_to(struct fc_step_values *values, const struct fc_step *step,
			 uint32_t func, uint64_t **words)
{
	struct fc_step at = *step;
	*words = NULL;
	for (int i = 0; i < MOST_JUMPS && next_of(values, &at); i++)
		if (at.func == func)
			return words_of(values, &at, at.place, func, false, words);
	at = *step;
	for (int i = 0; i < MOST_JUMPS && previous_of(values, &at); i++)
		if (at.func == func)
			return words_of(values, &at, at.place, func, false, words);
	return 0;
}

/* ---- what is told ---- */

/*
 * It returned by the record before what comes after it, maybe by the stub of another function: it, or the
 * last of the chain of tail calls that it is in.
 */
static uint32_t result_of(struct fc_step_values *values, const struct fc_step *of,
			  uint64_t **words)
{
	struct fc_step last = *of, *step = &last;
	for (int i = 0; i < MOST_JUMPS && next_of(values, step); i++)
		;
	struct fc_walk_place place = step->behind;
	*words = NULL;
	if (step->left != FC_LEFT_RETURN || !step->is_end_known || !place.record)
		return 0;
	place.record--;
	const struct fc_reel *reel = fc_reels_get(values->reels, step->strand, place.packet);
	if (place.record >= reel->nr || reel->at[place.record].kind != FC_EXIT)
		return 0;
	return words_of(values, step, place, reel->at[place.record].func, true, words);
}

struct fc_step_text fc_step_values_tell(struct fc_step_values *values,
					const struct fc_step *step)
{
	struct fc_step_text ret = { 0 };
	uint64_t *given = NULL, *after = NULL, *others = NULL;
	if (step->kind != FC_STEP_CALL || !step->func)
		return ret;
	uint32_t nr_given = step->is_reopened ? 0
					      : words_of(values, step, step->place, step->func,
							 false, &given);
	uint32_t nr_after = result_of(values, step, &after);
	uint32_t by = nr_after ? fca_format_func(after[0]) : step->func;
	bool is_own = by == step->func;
	uint32_t nr_others = is_own ? 0 : given_to(values, step, by, &others);
	const struct fc_value_words args = { given, nr_given };
	const struct fc_value_words result = { after, nr_after, others, nr_others,
					       is_own ? 0 : step->func };
	if (fc_values_args_text(values->values, args, result, &values->text))
		ret.args = fc_strdup(values->text.at);
	if (fc_values_result_text(values->values, result, &values->text))
		ret.result = fc_strdup(values->text.at);
	free(given);
	free(after);
	free(others);
	return ret;
}

void fc_step_text_deinit(struct fc_step_text *text)
{
	free(text->args);
	free(text->result);
	*text = (struct fc_step_text){ 0 };
}
