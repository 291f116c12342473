/* SPDX-License-Identifier: Apache-2.0 */
/* list_syscalls.h - the places in a program's file that make system calls. */
#ifndef FC_CMD_RUN_LIST_SYSCALLS_H
#define FC_CMD_RUN_LIST_SYSCALLS_H

#include <stdio.h>

#include "cmd/run/planned.h"

/* As text or JSON. Returns the exit status: FC_STATUS_NO where there are none, which is said. */
int fc_list_syscalls(const struct fc_planned_program *planned, FILE *out, bool is_json);

#endif
