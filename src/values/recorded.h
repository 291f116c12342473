/* SPDX-License-Identifier: Apache-2.0 */
/* recorded.h - the values of a trace's calls, read with what the trace tells of them. */
#ifndef FC_VALUES_RECORDED_H
#define FC_VALUES_RECORDED_H

#include "values/formats.h"
#include "values/text.h"
#include "values/words.h"

struct fc_values;

struct fc_values *fc_values_create(void);
void fc_values_destroy(struct fc_values *values);
/* One more table, as fc_formats_bytes() made it. -EBADMSG with a sentence: it is damaged. */
int fc_values_add(struct fc_values *values, const void *bytes, size_t size);
/* Pointers to functions are shown by the names that this knows; what it points to outlives values. */
void fc_values_set_code(struct fc_values *values, struct fc_value_code code);

/* Of calls with this format there are values of which nothing is fetched: nobody knows where they are. */
bool fc_values_are_unknown(const struct fc_values *values, uint32_t key);

/* A value, and all that is known of what it leads to. It holds pointers into itself. */
struct fc_value_shown {
	struct fc_value_bytes value;
	struct fc_value_links links;
	struct fc_value_link link[1 + 2 * FCA_MAX_FETCHES];
	uint8_t copy[FC_VALUE_MOST]; /* all pieces of the value, side by side */
};

struct fc_value_found {
	const struct fc_types *types;
	uint32_t type;
	struct fc_value_shown shown;
};

/* Argument i, from 0, or FC_PARAM_RESULT. False: there is none, it is masked or not there. */
bool fc_values_find(const struct fc_values *values, struct fc_value_words args,
		    struct fc_value_words result, uint32_t param, struct fc_value_found *ret);
/* The function (BTF_KIND_FUNC) that a mark tells of. False: it is not known. */
bool fc_values_func(const struct fc_values *values, struct fc_value_words words,
		    const struct fc_types **types, uint32_t *func);
/* Do calls of func tell this when they end: FC_PARAM_RESULT, or what is behind an argument? */
bool fc_values_ends_with(const struct fc_values *values, uint32_t func, uint32_t param);
/* errno, of a call that failed. False: it is not known. */
bool fc_values_errno(const struct fc_values *values, struct fc_value_words result, int *ret);
/* Does the result say that the call failed? values/failure.h says how it does. */
bool fc_values_is_failure(const struct fc_values *values, struct fc_value_words result);

#endif
