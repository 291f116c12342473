/* SPDX-License-Identifier: Apache-2.0 */
/* replay_options.h - the options of fctrace replay that no other command has. */
#ifndef FC_CMD_OPTIONS_REPLAY_OPTIONS_H
#define FC_CMD_OPTIONS_REPLAY_OPTIONS_H

#include "cmd/options/settings.h"

extern const struct fc_option fc_option_range, fc_option_around, fc_option_first,
	fc_option_last, fc_option_fields, fc_option_flat, fc_option_no_merge, fc_option_color,
	fc_option_no_pager, fc_option_pid;

#endif
