/* SPDX-License-Identifier: Apache-2.0 */
/* recorded_scalar.h - a call's values one by one, for who computes with them. */
#ifndef FC_VALUES_RECORDED_SCALAR_H
#define FC_VALUES_RECORDED_SCALAR_H

#include "values/recorded.h"
#include "values/text.h"

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

#endif
