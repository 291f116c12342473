/* SPDX-License-Identifier: Apache-2.0 */
/* recorded.h - the values of a trace's calls, read with what the trace tells of them. */
#ifndef FC_VALUES_RECORDED_H
#define FC_VALUES_RECORDED_H

#include "values/formats.h"
#include "values/text.h"

struct fc_values;

struct fc_values *fc_values_create(void);
void fc_values_destroy(struct fc_values *values);
/* One more table, as fc_formats_bytes() made it. -EBADMSG with a sentence: it is damaged. */
int fc_values_add(struct fc_values *values, const void *bytes, size_t size);

/* The words of a mark of values; nr 0: nothing was fetched. */
struct fc_value_words {
	const uint64_t *at;
	uint32_t nr;
};

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
/* As behind the "=" of a call. False: there is no result. */
bool fc_values_result_text(const struct fc_values *values, struct fc_value_words result,
			   struct fc_value_text *ret);
/* A value by itself, for who computes with it. */
struct fc_scalar {
	enum fc_scalar_kind {
		FC_SCALAR_NONE, /* nothing was fetched, or it is masked */
		FC_SCALAR_INT,	/* also of an enum, a bool, an address */
		FC_SCALAR_FLOAT,
		FC_SCALAR_TEXT, /* a string as it is; what is neither, as it is shown */
	} kind;
	int64_t number;
	double real;
	struct fc_value_text text;
};

/* Argument i, from 0; a number beyond INT64_MAX is its text. False: there is none. */
bool fc_values_arg(const struct fc_values *values, struct fc_value_words args,
		   struct fc_value_words result, uint32_t i, struct fc_scalar *ret);
bool fc_values_result(const struct fc_values *values, struct fc_value_words result,
		      struct fc_scalar *ret);
/* Does the result say that the call failed? values/failure.h says how it does. */
bool fc_values_is_failure(const struct fc_values *values, struct fc_value_words result);

#endif
