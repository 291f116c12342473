/* SPDX-License-Identifier: Apache-2.0 */
#include "show/tui/step_values.h"

#include <stdlib.h>

#include "base/memory.h"
#include "show/tui/reels.h"
#include "values/recorded_text.h"

#define KEPT_REELS 8

struct fc_step_values {
	const struct fc_values *values;
	struct fc_reels *reels;
	struct fc_value_text text;
};

struct fc_step_values *fc_step_values_create(struct fc_reader *reader,
					     const struct fc_values *values)
{
	struct fc_step_values *ret = fc_alloc(sizeof(*ret));
	ret->values = values;
	ret->reels = fc_reels_create_with_values(reader, KEPT_REELS);
	return ret;
}

void fc_step_values_destroy(struct fc_step_values *values)
{
	if (!values)
		return;
	fc_reels_destroy(values->reels);
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

/* It returned by the record before what comes after it, maybe by the stub of another function. */
static uint32_t result_of(struct fc_step_values *values, const struct fc_step *step,
			  uint64_t **words)
{
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
	uint64_t *given = NULL, *after = NULL;
	if (step->kind != FC_STEP_CALL || !step->func)
		return ret;
	uint32_t nr_given = step->is_reopened ? 0
					      : words_of(values, step, step->place, step->func,
							 false, &given);
	uint32_t nr_after = result_of(values, step, &after);
	const struct fc_value_words args = { given, nr_given }, result = { after, nr_after };
	if (fc_values_args_text(values->values, args, result, &values->text))
		ret.args = fc_strdup(values->text.at);
	if (fc_values_result_text(values->values, result, &values->text))
		ret.result = fc_strdup(values->text.at);
	free(given);
	free(after);
	return ret;
}

void fc_step_text_deinit(struct fc_step_text *text)
{
	free(text->args);
	free(text->result);
	*text = (struct fc_step_text){ 0 };
}
