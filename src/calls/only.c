/* SPDX-License-Identifier: Apache-2.0 */
/* only.c - asks each pattern of -F once for each function, and its condition for each call. */
#include "calls/only.h"

#include <errno.h>
#include <stdlib.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/vec.h"
#include "calls/nearest_function.h"
#include "values/condition/condition.h"

/* Which globs a function matches, as bits, asked once for each. */
enum { ASKED = 1, PLAIN = 2, CONDITION = 4 };
/* The same of one glob that has a condition; CHECKED: whether the function has what it names. */
enum { MATCHES = 2, CHECKED = 4 };

struct item {
	char *glob;
	struct fc_condition *condition; /* NULL: none */
	FC_VEC(uint8_t) answers;	/* by function id, if it has a condition */
	bool has_matched;
	bool is_known; /* of one of these functions all that it names is known */
	char *trouble; /* else why not */
};

struct fc_only {
	FC_VEC(struct item) items;
	FC_VEC(uint8_t) answers; /* by function id */
	const struct fc_values *values;
	fc_filter_match match;
	void *ctx;
	bool has_conditions;
};

struct fc_only *fc_only_create(char **texts, const struct fc_values *values,
			       fc_filter_match match, void *ctx)
{
	struct fc_only *only = fc_alloc(sizeof(*only));
	only->values = values;
	only->match = match;
	only->ctx = ctx;
	for (char **text = texts; text && *text; text++) {
		struct item item = { 0 };
		item.glob = fc_asprintf("%.*s", (int)fc_condition_glob_size(*text), *text);
		if (fc_condition_read(*text, &item.condition))
			fc_fail_clear(); /* it was checked */
		only->has_conditions |= item.condition != NULL;
		fc_vec_push(&only->items, item);
	}
	return only;
}

void fc_only_destroy(struct fc_only *only)
{
	if (!only)
		return;
	fc_vec_each (&only->items, item) {
		free(item->glob);
		free(item->trouble);
		fc_condition_destroy(item->condition);
		fc_vec_free(&item->answers);
	}
	fc_vec_free(&only->items);
	fc_vec_free(&only->answers);
	free(only);
}

bool fc_only_has_conditions(const struct fc_only *only)
{
	return only->has_conditions;
}

static uint8_t ask(struct fc_only *only, uint32_t func)
{
	uint8_t ret = ASKED;
	fc_vec_each (&only->items, item) {
		bool is_matched = only->match(only->ctx, func, item->glob);
		item->has_matched |= is_matched;
		if (item->condition)
			*fc_vec_make(&item->answers, func) = ASKED | (is_matched ? MATCHES : 0);
		if (is_matched)
			ret |= item->condition ? CONDITION : PLAIN;
	}
	return ret;
}

static uint8_t answer(struct fc_only *only, uint32_t func)
{
	uint8_t *known = fc_vec_make(&only->answers, func);
	if (!*known)
		*known = ask(only, func);
	return *known;
}

bool fc_only_has(struct fc_only *only, uint32_t func)
{
	return answer(only, func) & PLAIN;
}

static bool is_conditional(struct fc_only *only, uint32_t func)
{
	uint8_t said = answer(only, func);
	return said & CONDITION && !(said & PLAIN);
}

bool fc_only_waits(struct fc_only *only, const struct fc_call *call)
{
	if (!is_conditional(only, call->func))
		return false;
	fc_vec_each (&only->items, item)
		if (item->condition && item->answers.at[call->func] & MATCHES &&
		    fc_condition_waits(item->condition, only->values, call->func,
				       fc_call_args(call->values)))
			return true;
	return false;
}

/* Check the condition on the first call of a function that has values. */
static void check(struct fc_only *only, struct item *item, uint32_t func,
		  const struct fc_call_values *values)
{
	int err = fc_condition_check(item->condition, only->values, fc_call_args(values),
				     fc_call_result(values));
	if (err == -ENOENT)
		return;
	item->answers.at[func] |= CHECKED;
	if (!err) {
		item->is_known = true;
	} else if (!item->trouble) {
		item->trouble = fc_strdup(fc_fail_text());
	}
}

bool fc_only_holds(struct fc_only *only, uint32_t func, const struct fc_call_values *values)
{
	bool ret = only->items.nr && fc_only_has(only, func);
	if (ret || !only->has_conditions || !is_conditional(only, func) || !only->values)
		return ret;
	fc_vec_each (&only->items, item) {
		if (!item->condition || !(item->answers.at[func] & MATCHES))
			continue;
		if (!(item->answers.at[func] & CHECKED))
			check(only, item, func, values);
		ret |= fc_condition_holds(item->condition, only->values, fc_call_args(values),
					  fc_call_result(values));
	}
	return ret;
}

bool fc_only_has_matched(const struct fc_only *only, size_t i)
{
	return only->items.at[i].has_matched;
}

char *fc_only_nearest(const struct fc_only *only, size_t i, const struct fc_namer *namer,
		      const char *rest)
{
	return fc_nearest_function_hint(only->items.at[i].glob, namer, rest);
}

const char *fc_only_trouble(const struct fc_only *only, size_t i)
{
	const struct item *item = &only->items.at[i];
	if (!item->condition || !item->has_matched || item->is_known)
		return NULL;
	return item->trouble ? item->trouble
			     : "nothing is known of what these calls were given or returned";
}
