/* SPDX-License-Identifier: Apache-2.0 */
/* parameter.h - what a table of types says of a function's parameters and of its result. */
#ifndef FC_VALUES_PARAMETER_H
#define FC_VALUES_PARAMETER_H

#include "values/types.h"

enum { FC_PARAM_RESULT = 0xffff };

/* func: the id of a function. param: from 0, as many as it has, or FC_PARAM_RESULT. */
uint32_t fc_param_type(const struct fc_types *types, uint32_t func, uint32_t param);
/* A result has its function's name. */
const char *fc_param_name(const struct fc_types *types, uint32_t func, uint32_t param);
/*
 * Which parameter is a text that names this one, or the result, as the first of setenv() does the
 * second: by a tag "names(1,2)", "names(1,0)" of the result, by the function's name, or by theirs
 * ("name", "value"). False: none does.
 */
bool fc_param_named_by(const struct fc_types *types, uint32_t func, uint32_t param,
		       uint32_t *ret);
/* How many there are, without "...". */
uint32_t fc_param_nr(const struct fc_types *types, uint32_t func);

#endif
