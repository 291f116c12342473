/* SPDX-License-Identifier: Apache-2.0 */
/* call_values.c - copies a call's values, so that they outlive it. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "calls/call.h"

struct fc_call_values *fc_call_values_copy(const struct fc_call_values *values)
{
	if (!values)
		return NULL;
	size_t nr_args = values->nr_args, nr_result = values->nr_result,
	       nr_other = values->nr_other;
	struct fc_call_values *ret =
		fc_alloc(sizeof(*ret) + (nr_args + nr_result + nr_other) * sizeof(uint64_t));
	uint64_t *words = (uint64_t *)(ret + 1);
	if (nr_args)
		memcpy(words, values->args, nr_args * sizeof(*words));
	if (nr_result)
		memcpy(words + nr_args, values->result, nr_result * sizeof(*words));
	if (nr_other)
		memcpy(words + nr_args + nr_result, values->other, nr_other * sizeof(*words));
	*ret = *values;
	ret->args = words;
	ret->result = words + nr_args;
	ret->other = words + nr_args + nr_result;
	return ret;
}

void fc_call_values_free_own(struct fc_call_values *values)
{
	if (!values)
		return;
	free((uint64_t *)values->args);
	free((uint64_t *)values->result);
	free(values);
}
