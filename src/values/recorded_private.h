/* SPDX-License-Identifier: Apache-2.0 */
/* recorded_private.h - what a call's marks say, part by part, for who shows it or computes with it. */
#ifndef FC_VALUES_RECORDED_PRIVATE_H
#define FC_VALUES_RECORDED_PRIVATE_H

#include "values/items.h"
#include "values/recorded.h"
#include "values/type.h"

/* What one mark says, by its format. */
struct fc_recorded {
	const struct fc_types *types;
	const struct fc_value_code *code;
	const struct fc_value_format *format;
	uint32_t func; /* whose result it is to be told as; the format's own but in a chain */
	struct fc_value_bytes part[FCA_MAX_FETCHES];
};

/* What a call's two marks say: at its begin, and when it had returned. */
struct fc_recorded_call {
	struct fc_recorded given, after;
	bool has_after;
	/* after is of another call of a chain of tail calls, which was given this. */
	struct fc_recorded other;
	bool is_by_other;
};

/* False: nothing is known of its arguments. */
bool fc_recorded_call(const struct fc_values *values, struct fc_value_words args,
		      struct fc_value_words result, struct fc_recorded_call *ret);
/* False: there is none. */
bool fc_recorded_result(const struct fc_values *values, struct fc_value_words words,
			struct fc_recorded *ret);
/* The type of its function. */
struct fc_type fc_recorded_proto(const struct fc_recorded *record);
/* Its parameters, with "..." as one. */
uint32_t fc_recorded_nr_args(const struct fc_recorded *record);
/* NULL: there is none. level: of struct fc_format_part. */
const struct fc_value_bytes *fc_recorded_part(const struct fc_recorded *record, uint32_t param,
					      uint32_t level);
/* Is a secret in it? Then nothing of it is told. */
bool fc_recorded_is_masked(const struct fc_recorded *record, uint32_t param);
/* Argument i, with all that it leads to, also as the call has left that. */
void fc_recorded_show_arg(const struct fc_recorded_call *call, uint32_t i,
			  struct fc_value_shown *ret);
void fc_recorded_show_result(const struct fc_recorded *record, struct fc_value_shown *ret);
/* What "..." stands for, or a va_list as parameter i. NULL: that is not known. */
const struct fc_value_bytes *fc_recorded_rest(const struct fc_recorded *record, uint32_t i);
/* Is there an argument that stands for "..."? Parameters may say that there is none. */
bool fc_recorded_is_passed(const struct fc_recorded *record);
/* Argument i of the call, if it is one of those that stand for "...". */
bool fc_recorded_item(const struct fc_recorded *record, uint32_t i, struct fc_value_item *ret);
/* False: the call has not failed, or its errno is not known. */
bool fc_recorded_errno(const struct fc_recorded *record, int *ret);
/* A number of so many bytes. */
int64_t fc_recorded_signed(const struct fc_value_bytes *value, size_t size);

#endif
