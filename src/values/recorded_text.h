/* SPDX-License-Identifier: Apache-2.0 */
/* recorded_text.h - a call's values as text. */
#ifndef FC_VALUES_RECORDED_TEXT_H
#define FC_VALUES_RECORDED_TEXT_H

#include "values/recorded.h"
#include "values/text.h"

/*
 * As between the parentheses of a call: "3, "abc", 16". Where the result's words have what the call
 * has written behind a pointer, that is told. False: nothing is known of the arguments.
 */
bool fc_values_args_text(const struct fc_values *values, struct fc_value_words args,
			 struct fc_value_words result, struct fc_value_text *ret);
/* Of these argument i, from 0. False: there is no such. */
bool fc_values_arg_text(const struct fc_values *values, struct fc_value_words args,
			struct fc_value_words result, uint32_t i, struct fc_value_text *ret);
/* The same with its type and its name, as C declares it: "const char *path = "/etc"", or "...". */
bool fc_values_arg_line(const struct fc_values *values, struct fc_value_words args,
			struct fc_value_words result, uint32_t i, struct fc_value_text *ret);
/*
 * Of arguments that tell more when the call has returned than when it began, each with its name: what
 * it has written. "buf = "text", n = [4]". False: there is none.
 */
bool fc_values_written_text(const struct fc_values *values, struct fc_value_words args,
			    struct fc_value_words result, struct fc_value_text *ret);
/* As behind the "=" of a call. False: there is no result. */
bool fc_values_result_text(const struct fc_values *values, struct fc_value_words result,
			   struct fc_value_text *ret);

#endif
