/* SPDX-License-Identifier: Apache-2.0 */
/* callers_options.h - report's options about who calls whom. */
#ifndef FC_CMD_OPTIONS_CALLERS_OPTIONS_H
#define FC_CMD_OPTIONS_CALLERS_OPTIONS_H

#include "cmd/options/settings.h"

extern const struct fc_option fc_option_callers, fc_option_callees, fc_option_top_rate;

#define FC_OPTIONS_CALLERS &fc_option_callers, &fc_option_callees, &fc_option_top_rate

#endif
