/* SPDX-License-Identifier: Apache-2.0 */
/* summed_options.h - what fctrace export is asked for of formats that hold sums. */
#ifndef FC_CMD_OPTIONS_SUMMED_OPTIONS_H
#define FC_CMD_OPTIONS_SUMMED_OPTIONS_H

#include "cmd/options/settings.h"

struct fc_format;
extern const struct fc_option fc_option_summed_by_calls, fc_option_summed_by_thread,
	fc_option_summed_min;

#define FC_OPTIONS_SUMMED                                                                      \
	&fc_option_summed_by_calls, &fc_option_summed_by_thread, &fc_option_summed_min,        \
		&fc_option_srcline

/* Can the format do what was asked for? Says what it cannot. */
bool fc_summed_is_possible(const struct fc_summed_settings *settings,
			   const struct fc_format *format);

#endif
