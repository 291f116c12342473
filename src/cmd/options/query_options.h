/* SPDX-License-Identifier: Apache-2.0 */
/* query_options.h - what the user asked of `query`. */
#ifndef FC_CMD_OPTIONS_QUERY_OPTIONS_H
#define FC_CMD_OPTIONS_QUERY_OPTIONS_H

#include "cmd/options/settings.h"

extern const struct fc_option fc_option_query_csv, fc_option_query_to_sqlite;

#endif
