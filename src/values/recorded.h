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
/* Of calls with this format there are values of which nothing is fetched: nobody knows where they are. */
bool fc_values_are_unknown(const struct fc_values *values, uint32_t key);
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
