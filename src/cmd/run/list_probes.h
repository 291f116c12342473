/* SPDX-License-Identifier: Apache-2.0 */
/* list_probes.h - the static probes of a program's file, and how each would be hooked. */
#ifndef FC_CMD_RUN_LIST_PROBES_H
#define FC_CMD_RUN_LIST_PROBES_H

#include <stdio.h>

#include "cmd/run/planned.h"

/* As text or JSON. Returns the exit status: FC_STATUS_NO where there are none, which is said. */
int fc_list_probes(const struct fc_planned_program *planned, FILE *out, bool is_json);

#endif
