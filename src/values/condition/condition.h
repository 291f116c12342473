/* SPDX-License-Identifier: Apache-2.0 */
/*
 * condition.h - which calls of a function are asked for, by what they were given and returned:
 *
 *	open@if:path ~ "*.so" and flags & O_CREAT      read@if:ret < 0 || len >= 1M
 *
 * A name is that of a parameter, arg1, arg2..., ret or result, or errno; behind it may stand fields:
 * st.st_size. What cannot be told (it is masked, or could not be read) is neither so nor not so, as
 * NULL in SQL, and a call of which the whole is like that is not asked for.
 */
#ifndef FC_VALUES_CONDITION_CONDITION_H
#define FC_VALUES_CONDITION_CONDITION_H

#include <stdbool.h>

#include "values/recorded.h"

struct fc_condition;

/* "GLOB" or "GLOB@if:CONDITION": *ret is NULL without one. -EINVAL with a sentence that names the column. */
int fc_condition_read(const char *text, struct fc_condition **ret);
void fc_condition_destroy(struct fc_condition *condition);

/* How many bytes of the text are the glob. */
size_t fc_condition_glob_size(const char *text);

/* How many bytes of a string must be known for what it is compared with; 0: it names none. */
uint32_t fc_condition_text_size(const struct fc_condition *condition);

/*
 * Has the function of these marks all that the condition names? -EINVAL with a sentence: what it has
 * instead; -ENOENT: nothing is known of its values.
 */
int fc_condition_check(const struct fc_condition *condition, const struct fc_values *values,
		       struct fc_value_words args, struct fc_value_words result);

/*
 * A call of func begins, and was given args: is there anything in the condition that is known only
 * when it has returned?
 */
bool fc_condition_waits(const struct fc_condition *condition, const struct fc_values *values,
			uint32_t func, struct fc_value_words args);
/* Is the condition true, by what is known of the call? */
bool fc_condition_holds(const struct fc_condition *condition, const struct fc_values *values,
			struct fc_value_words args, struct fc_value_words result);

#endif
