/* SPDX-License-Identifier: Apache-2.0 */
/* export_options.h - what fctrace export is asked for. */
#ifndef FC_CMD_OPTIONS_EXPORT_OPTIONS_H
#define FC_CMD_OPTIONS_EXPORT_OPTIONS_H

#include "cmd/options/settings.h"

extern const struct fc_option fc_option_export_format, fc_option_export_output;

#define FC_OPTIONS_EXPORT &fc_option_export_format, &fc_option_export_output

#endif
