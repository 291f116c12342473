/* SPDX-License-Identifier: Apache-2.0 */
/* diff_options.h - the options that only `fctrace diff` has. */
#ifndef FC_CMD_OPTIONS_DIFF_OPTIONS_H
#define FC_CMD_OPTIONS_DIFF_OPTIONS_H

#include "cmd/options/settings.h"

#define FC_DIFF_CONTEXT 2
#define FC_DIFF_PLACES	100
#define FC_DIFF_LINES	20
#define FC_DIFF_MEMORY	(512ull << 20)

extern const struct fc_option fc_option_diff_sort, fc_option_diff_fields,
	fc_option_diff_modules, fc_option_diff_min, fc_option_diff_all,
	fc_option_diff_functions, fc_option_diff_flow, fc_option_diff_csv,
	fc_option_diff_context, fc_option_diff_places, fc_option_diff_lines,
	fc_option_diff_memory;

/* What is shown of a function. */
struct fc_diff_fields {
	const struct fc_stat *at[FC_MAX_COLUMNS];
	size_t nr;
};

/* A list as -f takes it. -EINVAL with a sentence. */
int fc_diff_fields_parse(const char *list, struct fc_diff_fields *ret);

#endif
