/* SPDX-License-Identifier: Apache-2.0 */
/* top_options.h - what `fctrace top` alone is asked for. */
#ifndef FC_CMD_OPTIONS_TOP_OPTIONS_H
#define FC_CMD_OPTIONS_TOP_OPTIONS_H

#include "cmd/options/settings.h"

extern const struct fc_option fc_option_top_interval, fc_option_top_intervals,
	fc_option_top_rows, fc_option_top_sort, fc_option_top_batch, fc_option_top_threads,
	fc_option_top_no_time, fc_option_top_json, fc_option_top_output, fc_option_top_budget;

#define FC_OPTIONS_TOP                                                                         \
	&fc_option_top_interval, &fc_option_top_intervals, &fc_option_top_sort,                \
		&fc_option_top_threads, &fc_option_top_batch, &fc_option_top_rows,             \
		&fc_option_top_json, &fc_option_top_output, &fc_option_top_no_time,            \
		&fc_option_top_budget

/* As -s and the screen call it. */
const char *fc_top_key_name(enum fc_top_key key);

#endif
