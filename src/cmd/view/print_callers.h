/* SPDX-License-Identifier: Apache-2.0 */
/* print_callers.h - report --callers, --callees, --top-rate: tables of who calls whom. */
#ifndef FC_CMD_VIEW_PRINT_CALLERS_H
#define FC_CMD_VIEW_PRINT_CALLERS_H

#include <stdbool.h>

struct fc_settings;

/* Is one of these tables asked for, instead of the report's own? */
bool fc_callers_is_wanted(const struct fc_settings *settings);
/* As a command's run(). */
int fc_callers_run(const struct fc_settings *settings, int argc, char **argv);

#endif
