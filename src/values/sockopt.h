/* SPDX-License-Identifier: Apache-2.0 */
/* sockopt.h - options of sockets: their names, and what their values are. */
#ifndef FC_VALUES_SOCKOPT_H
#define FC_VALUES_SOCKOPT_H

#include "values/types.h"

/* The parameters of getsockopt() and its kin, from 0. */
struct fc_sockopt_params {
	uint32_t level, name, value;
};

/* Which argument it is of is told by those before it: the first ones are none of an option's. */
enum { FC_SOCKOPT_FIRST = 2 };

/* By the function's tag "option(2,3,4)", which counts from 1. False: it has none. */
bool fc_sockopt_params(const struct fc_types *types, uint32_t func,
		       struct fc_sockopt_params *ret);
/* "SO_RCVBUF"; NULL: it is not known. */
const char *fc_sockopt_name(int64_t level, int64_t option);
/* "[4096]", "{.l_onoff = 1, .l_linger = 5}", cut to size; false: it is to be shown as bytes. */
bool fc_sockopt_value(int64_t level, int64_t option, const uint8_t *at, size_t nr, char *ret,
		      size_t size);

#endif
