/* SPDX-License-Identifier: Apache-2.0 */
/* report_options.h - what `fctrace report` alone is asked for. */
#ifndef FC_CMD_OPTIONS_REPORT_OPTIONS_H
#define FC_CMD_OPTIONS_REPORT_OPTIONS_H

#include "cmd/options/option.h"

/* A list as -f takes it, of what: "a column". -EINVAL with a sentence. */
int fc_columns_parse(const char *list, const char *what, struct fc_columns *ret);
/* Is this for -s of a report that is made while the program runs? -EINVAL with a sentence. */
int fc_report_check_live_keys(const char *keys);
/* Do these settings fit together? -EINVAL with a sentence. */
int fc_report_settings_check(const struct fc_settings *settings);
/* Must the report keep how durations are spread? */
bool fc_report_settings_need_hist(const struct fc_settings *settings);
/* Does -s or -f ask for what calls waited? */
bool fc_report_settings_ask_waits(const struct fc_settings *settings);

#endif
