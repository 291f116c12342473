/* SPDX-License-Identifier: Apache-2.0 */
/* replay_options.h - the options of fctrace replay that no other command has. */
#ifndef FC_CMD_OPTIONS_REPLAY_OPTIONS_H
#define FC_CMD_OPTIONS_REPLAY_OPTIONS_H

#include <stdbool.h>

#include "show/lines/lines.h"

enum fc_when { FC_WHEN_AUTO, FC_WHEN_ALWAYS, FC_WHEN_NEVER };

struct fc_replay_settings {
	uint64_t first, last; /* lines; 0: all */
	struct fc_fields fields;
	bool has_fields;
	bool is_flat, no_merge, no_pager;
	enum fc_when color;
};

extern const struct fc_option fc_option_range, fc_option_around, fc_option_first,
	fc_option_last, fc_option_fields, fc_option_flat, fc_option_no_merge, fc_option_color,
	fc_option_no_pager, fc_option_pid;

#endif
