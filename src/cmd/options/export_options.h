/* SPDX-License-Identifier: Apache-2.0 */
/* export_options.h - what fctrace export is asked for. */
#ifndef FC_CMD_OPTIONS_EXPORT_OPTIONS_H
#define FC_CMD_OPTIONS_EXPORT_OPTIONS_H

#include "cmd/options/summed_options.h"

struct fc_export_settings {
	const struct fc_format *format; /* NULL: as -o says */
	const char *output;		/* NULL: stdout */
	struct fc_summed_settings summed;
};

struct fc_option;
extern const struct fc_option fc_option_export_format, fc_option_export_output;

#define FC_OPTIONS_EXPORT &fc_option_export_format, &fc_option_export_output

#endif
