/* SPDX-License-Identifier: Apache-2.0 */
/* summary.h - fctrace list --summary: a program and its libraries in numbers. */
#ifndef FC_CMD_RUN_SUMMARY_H
#define FC_CMD_RUN_SUMMARY_H

#include <stdio.h>

#include "cmd/run/planned.h"

/* Plans the libraries that the program needs and its dynamic linker, with all functions. */
void fc_summary_print(FILE *out, const struct fc_planned_program *planned, bool is_json);

#endif
