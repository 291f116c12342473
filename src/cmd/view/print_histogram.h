/* SPDX-License-Identifier: Apache-2.0 */
/* print_histogram.h - report --hist: how the durations of a function's calls are spread. */
#ifndef FC_CMD_VIEW_PRINT_HISTOGRAM_H
#define FC_CMD_VIEW_PRINT_HISTOGRAM_H

#include <stdio.h>

#include "cmd/options/options.h"
#include "read/sums/report.h"

/*
 * One for each function that matches settings->report.hist, sorted, cut and shown as settings
 * say. False: none matches, and nothing was printed.
 */
bool fc_histogram_print(FILE *out, const struct fc_settings *settings,
			const struct fc_report *report, const struct fc_clock *clock,
			const struct fc_namer *namer);

#endif
