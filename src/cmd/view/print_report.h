/* SPDX-License-Identifier: Apache-2.0 */
/* print_report.h - the table of functions: `report`, and -c at the end of a run. */
#ifndef FC_CMD_VIEW_PRINT_REPORT_H
#define FC_CMD_VIEW_PRINT_REPORT_H

#include <stdio.h>

#include "cmd/options/options.h"
#include "read/sums/report.h"

/* Sorted, cut and shown as settings say (-s, -n, --json). */
void fc_report_print(FILE *out, const struct fc_settings *settings,
		     const struct fc_report *report, const struct fc_clock *clock,
		     const struct fc_namer *namer);

#endif
