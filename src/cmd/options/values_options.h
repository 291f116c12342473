/* SPDX-License-Identifier: Apache-2.0 */
/* values_options.h - whose arguments and results are recorded, and how much of them. */
#ifndef FC_CMD_OPTIONS_VALUES_OPTIONS_H
#define FC_CMD_OPTIONS_VALUES_OPTIONS_H

#include "cmd/options/option.h"

#define FC_OPTIONS_VALUES                                                                      \
	&fc_option_all_values, &fc_option_failed, &fc_option_args, &fc_option_results,         \
		&fc_option_string_size, &fc_option_value_depth, &fc_option_paths,              \
		&fc_option_mask, &fc_option_unmask, &fc_option_proto, &fc_option_probes,       \
		&fc_option_no_functions

extern const struct fc_option fc_option_all_values, fc_option_args, fc_option_results,
	fc_option_string_size, fc_option_value_depth, fc_option_mask, fc_option_unmask,
	fc_option_failed, fc_option_paths, fc_option_proto, fc_option_probes,
	fc_option_no_functions, fc_option_long, fc_option_locks;

#endif
