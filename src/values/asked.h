/* SPDX-License-Identifier: Apache-2.0 */
/* asked.h - whose arguments and results are asked for, and how much of them. */
#ifndef FC_VALUES_ASKED_H
#define FC_VALUES_ASKED_H

#include "values/fetches.h"

struct fc_values_asked {
	bool is_all;		/* -a */
	char **args, **results; /* -A, -R: globs, NULL-terminated; NULL: none */
	struct fc_fetch_opts fetch;
	/* Tables of functions by name, which the user gives: the first that knows one counts. */
	struct fc_types *const *protos;
	size_t nr_protos;
};

#endif
