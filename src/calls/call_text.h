/* SPDX-License-Identifier: Apache-2.0 */
/* call_text.h - a call's arguments and its result as text. */
#ifndef FC_CALLS_CALL_TEXT_H
#define FC_CALLS_CALL_TEXT_H

#include "calls/call.h"
#include "values/recorded_text.h"

/* As values/recorded_text.h writes them. False: nothing is known; values and of may be NULL. */
static inline bool fc_call_args_text(const struct fc_values *values,
				     const struct fc_call_values *of, struct fc_value_text *ret)
{
	return values && of &&
	       fc_values_args_text(values, fc_call_args(of), fc_call_result(of), ret);
}
static inline bool fc_call_result_text(const struct fc_values *values,
				       const struct fc_call_values *of,
				       struct fc_value_text *ret)
{
	return values && of && fc_values_result_text(values, fc_call_result(of), ret);
}

#endif
