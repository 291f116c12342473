/* SPDX-License-Identifier: Apache-2.0 */
/* asked.h - whose arguments and results are asked for, and how much of them. */
#ifndef FC_VALUES_ASKED_H
#define FC_VALUES_ASKED_H

#include "values/fetches.h"
#include "values/spec.h"

/* What was found of it, for a message at the end. */
enum fc_values_heard {
	FC_HEARD_FUNCTION = 1 << 0, /* there is a function that was asked for */
	FC_HEARD_VALUES = 1 << 1,   /* and something is known of it */
	FC_HEARD_PROBE =
		1 << 2, /* it matches a static probe, which -A and -R do not apply to */
};

struct fc_values_asked {
	bool is_all;   /* -a */
	char **probes; /* -U: globs of static probes, which have arguments only; or NULL */
	char **args, **results; /* -A, -R: globs, NULL-terminated; NULL: none */
	struct fc_fetch_opts fetch;
	/* Tables of functions by name, which the user gives: the first that knows one counts. */
	struct fc_types *const *protos;
	size_t nr_protos;
	const struct fc_types
		*last_protos; /* one that is asked when nobody knows it; or NULL */
	/* What the user says of some: of what matches several, the last counts. */
	const struct fc_value_spec *arg_specs, *result_specs;
	size_t nr_arg_specs, nr_result_specs;
	/* Filled in, enum fc_values_heard: of each of args, results and probes; and of all of the program's. */
	uint8_t *args_heard, *results_heard, *probes_heard, *program_heard;
};

#endif
